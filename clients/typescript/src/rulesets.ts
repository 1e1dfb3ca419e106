// Generated from openapi/openapi.json by `python -m clients.build`. Do not edit.

import type * as schema from "./schema.js";

/** The types of each ruleset. */
export interface Rulesets {
  scandaroon: { game: schema.ScandaroonGame; view: schema.ScandaroonView; move: schema.ScandaroonMove; item: schema.ScandaroonEventItem; options: schema.ScandaroonOptionsInput; };
  scopinion: { game: schema.ScopinionGame; view: schema.ScopinionView; move: schema.ScopinionMove; item: schema.ScopinionEventItem; options: schema.ScopinionOptionsInput; };
  scout: { game: schema.ScoutGame; view: schema.ScoutView; move: schema.ScoutMove; item: schema.ScoutEventItem; options: schema.ScoutOptionsInput; };
  skyjo: { game: schema.SkyjoGame; view: schema.SkyjoView; move: schema.SkyjoMove; item: schema.SkyjoEventItem; options: schema.SkyjoOptionsInput; };
  skyjo_action: { game: schema.SkyjoActionGame; view: schema.SkyjoActionView; move: schema.SkyjoActionMove; item: schema.SkyjoActionEventItem; options: schema.SkyjoActionOptionsInput; };
}
