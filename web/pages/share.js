/** Sharing a moment of a game: a picture, a link, and the score sheet on paper. Loaded when it is asked for. */

import { html, nothing } from "../core/html.js";
import { file, later } from "../core/later.js";
import { HEIGHT, picture, WIDTH } from "../table/picture.js";
import { dialog, dismiss, ends } from "./forms.js";
import { announce, memory, more } from "./page.js";

await more();

/**
 * @import { State } from "../core/model.js"
 * @import { Model } from "../core/types.js"
 */

/** The styles of cards: the picture has no page around it. */
async function styles() {
  const texts = ["base", "cards"].map((name) =>
    later(async () => (await file(new URL(`../style/${name}.css`, import.meta.url))).text())
  );
  return (await Promise.all(texts)).join("\n");
}

/** @param {Blob} svg @returns {Promise<HTMLImageElement>} */
async function drawn(svg) {
  const image = new Image(WIDTH, HEIGHT), url = URL.createObjectURL(svg);
  image.src = url;
  await image.decode();
  URL.revokeObjectURL(url);
  return image;
}

/** What is shown as a PNG. @param {Model} model @param {string} title @param {string} line @returns {Promise<Blob>} */
export async function png(model, title, line) {
  const text = new XMLSerializer().serializeToString(picture(model, title, line, await styles()));
  const image = await drawn(new Blob([text], { type: "image/svg+xml" }));
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH, height: HEIGHT });
  canvas.getContext("2d")?.drawImage(image, 0, 0, WIDTH, HEIGHT);
  const { promise, resolve, reject } = Promise.withResolvers();
  canvas.toBlob((blob) => blob ? resolve(blob) : reject(new Error("no picture")));
  return promise;
}

/** The address of the version that is shown, from the same perspective. @param {State} state @param {string} path @param {string} [invite] */
export function linkTo({ shown, perspective, game }, path, invite = "") {
  const as = game.result && perspective !== "all" ? `&as=${perspective}` : "";
  return new URL(`table?g=${path}#v=${shown}${as}${invite && `&invite=${invite}`}`, document.baseURI).href;
}

/** The invite of a private game that is over, if its player lets everybody with the link see it. @param {State} state @param {string} path */
async function opened({ game, say }, path) {
  const { invite, result } = game;
  if (!game.private || !result || !invite) return "";
  if (memory.get(`shared.${path}`)) return invite;
  const text = html`<p>${say("share.open_how")}</p>${ends(say, say("share.open_yes"))}`;
  if (await dialog(say("share.open"), text) !== "ok") return "";
  memory.set(`shared.${path}`, true);
  return invite;
}

/** @param {State} state @param {Model} model @param {string} path */
export async function share(state, model, path) {
  const invite = await opened(state, path), link = linkTo(state, path, invite);
  const { say, labels, game, shown, film } = state, round = model.view["round"];
  const line = [
    round ? say("ui.round", { n: round }) : "",
    say("table.version_of", { version: shown, last: film.last }),
  ]
    .filter(Boolean).join(" · ");
  const blob = await png(model, labels.title, line), url = URL.createObjectURL(blob);
  const file = new File([blob], `${path.replace("/", "-")}-${shown}.png`, { type: "image/png" });
  const copy = () => navigator.clipboard.writeText(link).then(() => announce(say("ui.copied")), () => {});
  const given = { title: labels.title, url: link, files: [file] };
  const canShare = Boolean(navigator.canShare?.(given));
  const pressed = await dialog(
    say("table.share"),
    html`
      <div class="shared"><img src=${url} width=${WIDTH} height=${HEIGHT} alt=${say("ui.picture_of", {
        title: labels.title,
        line,
      })}>
            <label class="field"><span>${say("ui.link_to_moment")}</span><input readonly .value=${link}></label>
            ${game.private && !invite ? html`<p class="soft">${say("ui.link_private")}</p>` : nothing}
            <p class="acts"><button type="button" class="btn small" @click=${copy}>${say("ui.copy")}</button>
              <a class="btn small" href=${url} download=${file.name}>${say("ui.download_picture")}</a>
              <button class="btn small" value="print">${say("ui.print")}</button></p></div>
      <div class="ends"><button type="button" class="btn quiet" @click=${dismiss}>${say("table.close")}</button>
              ${canShare ? html`<button class="btn main" value="share">${say("table.share")}</button>` : nothing}</div>
    `,
  );
  if (pressed === "share") await navigator.share(given).catch(() => {});
  URL.revokeObjectURL(url);
  if (pressed === "print") print();
}
