# Generated from openapi/openapi.json by `python -m clients.build`. Do not edit.

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType, field

Absent: TypeAlias = str | Literal["abort"]


class Account(Struct, kw_only=True):
    """
    The points of a seat by their causes, in a round or in the game: `result = luck + errors + finds + others`.

    All in points ahead of the mean of the other seats, in tenths that add up.
    """

    error: Annotated[
        float,
        Meta(
            description="The standard error of `luck`, of the effects that count: smaller ones, which may be chance, stay in luck."
        ),
    ]
    errors: Annotated[float, Meta(description="Own choices that are worse than those of the house player.")]
    finds: Annotated[float, Meta(description="Own choices that are better than those of the house player.")]
    luck: Annotated[float, Meta(description="Deals and draws.")]
    others: Annotated[float, Meta(description="The choices of others.")]
    result: Annotated[float, Meta(description="The points ahead of the mean of the other seats.")]


class AddOperation(Struct, kw_only=True, tag_field="op", tag="add"):
    """
    Insert the value into the array at `path`, before the item that has this index now. `path` ends with the index,
    which may be the length of the array.
    """

    path: Annotated[str, Meta(description="A JSON Pointer into the view; empty: the whole view.")]
    value: Annotated[Any, Meta(description="The new item.")]


class AlreadySeatedProblem(Struct, kw_only=True):
    """
    The caller already has a seat in this game.
    """

    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["already-seated"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class BannedProblem(Struct, kw_only=True):
    """
    The operator of the service has banned the player of the token.
    """

    status: Annotated[Literal[403], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["banned"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class BegunEvent(Struct, kw_only=True, tag_field="type", tag="begun"):
    """
    All seats are taken; the game begins.
    """


class BlockedByPlayerProblem(Struct, kw_only=True):
    """
    A player at this table has blocked the caller.
    """

    status: Annotated[Literal[403], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["blocked-by-player"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class BotLabel(Struct, kw_only=True):
    """
    The name of a bot, and a description of its play.
    """

    about: Annotated[str, Meta(description="A description of its play, in a sentence or two.")]
    title: Annotated[str, Meta(description="The bot's name in this language.")]


class BranchRequest(Struct, kw_only=True):
    """
    The version of a finished game from which a branch continues.
    """

    at: Annotated[
        int,
        Meta(
            description="A version of the finished game. If it lies within a move, the branch starts after that move."
        ),
    ]


class CannotGiveTimeProblem(Struct, kw_only=True):
    """
    The game has no clock, or the seat cannot be given this time. `most` is what it can be given now, in seconds.
    """

    most: Annotated[int, Meta(description="The time that the seat can be given now, in seconds; 0 without a clock.")]
    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["cannot-give-time"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class CannotReadyProblem(Struct, kw_only=True):
    """
    The game is not sealed, a seat is free, the caller is ready, or the entropy is not the one that they sealed.
    """

    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["cannot-ready"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class CannotReturnProblem(Struct, kw_only=True):
    """
    The caller has left the seat for good: it is too often to come back.
    """

    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["cannot-return"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class CannotVoteProblem(Struct, kw_only=True):
    """
    Another question is open, there is none, or the caller has agreed or asked often enough. `detail` says which.
    """

    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["cannot-vote"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class Captions(Struct, kw_only=True):
    """
    The effects of cards, in each language by the card as views name it. Cards that need no words are left out.
    """

    de: Annotated[dict[str, str], Meta(description="Texts in German, by card.")]
    en: Annotated[dict[str, str], Meta(description="Texts in English, by card.")]


Category: TypeAlias = Literal["blunder", "inaccuracy", "mistake"]


Cause: TypeAlias = Literal["absent", "agreed", "cancelled", "expired", "left", "longest", "operator"]


class CheckResult(Struct, kw_only=True):
    """
    The result of one check. `ok` is null if it could not run; `version` is the first version with an error.
    """

    name: Annotated[str, Meta(description="The name of the check, as in the table of the documentation.")]
    ok: Annotated[bool, Meta(description="True: the check succeeded; null: it could not run.")] | None
    version: Annotated[int, Meta(description="The version of the first event with an error; null if there is none, or if no event is to blame.")] | None
    detail: (
        Annotated[str, Meta(description="Details of the result. Present only when the game is over.")] | UnsetType
    ) = UNSET


class Clock(Struct, kw_only=True):
    """
    The time for choices, in whole seconds. Each seat has its own, which runs while the seat has a choice.
    """

    bank: Annotated[int, Meta(description="The time of a seat at the beginning, and at most.")]
    delay: Annotated[int, Meta(description="Seconds of each choice that take no time.")]
    increment: Annotated[int, Meta(description="Added to the bank after each choice, up to its maximum.")]
    reserve: Annotated[int, Meta(description="Used when the bank is empty, and never refilled by choices.")]


class ClockInput(Struct, kw_only=True):
    """
    The time for choices, in whole seconds. Each seat has its own, which runs while the seat has a choice.
    """

    bank: Annotated[int, Meta(description="The time of a seat at the beginning, and at most.")]
    delay: Annotated[int, Meta(description="Seconds of each choice that take no time. Default: `0`.")] | UnsetType = (
        UNSET
    )
    increment: (
        Annotated[int, Meta(description="Added to the bank after each choice, up to its maximum. Default: `0`.")]
        | UnsetType
    ) = UNSET
    reserve: (
        Annotated[int, Meta(description="Used when the bank is empty, and never refilled by choices. Default: `0`.")]
        | UnsetType
    ) = UNSET


class Compared(Struct, kw_only=True):
    """
    The result of a seat beside those of the same seat at the other tables.
    """

    ahead_of: Annotated[float, Meta(description="Match points: the share of the others who have fewer points, ties count half. 0 without a result, null while nobody else has one.")] | None
    field_: Annotated[int, Meta(description="The number of results, the own one included.")] = field(name="field")
    gained: Annotated[float, Meta(description="The points less the mean of the others; null while nobody else has a result.")] | None
    place: Annotated[
        int,
        Meta(
            description="The place among all results from 1; ties share the better one. Seats without a result come after them."
        ),
    ]
    points: Annotated[int, Meta(description="The own points, more is better; null without a result.")] | None


class Deal(Struct, kw_only=True):
    """
    Games of one deal have the same secret and so the same cards. Their cards stay hidden until all of them are over,
    or until `until`.
    """

    id: Annotated[str, Meta(description="The id of the deal: that of its first game, or any other UUID.")]
    until: Annotated[
        str,
        Meta(
            description="The time at which all games of the deal are over at the latest (RFC 3339, UTC, six decimals)."
        ),
    ]
    tables: Annotated[int, Meta(description="The number of games of the deal. Absent: any number.")] | UnsetType = UNSET


DealList: TypeAlias = Literal["bots", "guests", "people"]


class DealWeek(Struct, kw_only=True):
    """
    The deals of the last seven days.
    """

    ahead_of: Annotated[float, Meta(description="The mean of the match points; null if nobody else has a result.")] | None
    days: Annotated[int, Meta(description="The number of days that were played.")]


class DeckNamed(Struct, kw_only=True):
    """
    The name of a deck and the source of its card list.
    """

    name: Annotated[str, Meta(description="The name of the deck.")]
    provenance: Annotated[str, Meta(description="The source of its list of cards.")]


class DeclinedEvent(Struct, kw_only=True, tag_field="type", tag="declined"):
    """
    The player for whom the seat was kept does not want it. From now on it is open to everybody.
    """

    seat: Annotated[int, Meta(description="The seat that was kept. Seats are numbered from 0, rising clockwise.")]


DeliveryStatus: TypeAlias = Literal["dead", "delivered", "pending"]


Difficulty: TypeAlias = Literal["easy", "medium", "tricky"]


class Drawing(Struct, kw_only=True):
    """
    A draw of the dealer, as its event shows it. `{seat}` in a path repeats the draw for each seat, rising.
    """

    at: Annotated[str, Meta(description="The field of the event that a lot decides.")] | UnsetType = UNSET
    below: Annotated[int | Literal["seats"], Meta(description="The number of outcomes of a lot.")] | UnsetType = UNSET
    shuffle: (
        Annotated[
            list[str],
            Meta(description="The paths to the cards of a shuffle, in the order after it; `*` is each item of a list."),
        ]
        | UnsetType
    ) = UNSET
    turned: (
        Annotated[bool, Meta(description="True: then a lot is drawn for each card, and 1 turns it around.")] | UnsetType
    ) = UNSET


class EndpointRefusedProblem(Struct, kw_only=True):
    """
    The service sends nothing to this URL, or the address did not answer a ping. The problem never says what
    answered.
    """

    status: Annotated[Literal[422], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["endpoint-refused"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class EntropyRequest(Struct, kw_only=True):
    """
    The entropy that the caller sealed when they took their seat.
    """

    entropy: Annotated[
        str,
        Meta(description="The contribution of a seat to the shuffles: up to 64 printable ASCII characters, public."),
    ]


class ExplainedCard(Struct, kw_only=True):
    """
    A card of the deck.
    """

    name: (
        Annotated[str, Meta(description="The name of the card. Several cards can have the same name.")] | UnsetType
    ) = UNSET
    printed: (
        Annotated[
            dict[str, Any],
            Meta(description="The print of the card, as in the deck. Absent: its id in views says everything."),
        ]
        | UnsetType
    ) = UNSET
    text: Annotated[str, Meta(description="The effect of the card. Absent: it needs no words.")] | UnsetType = UNSET


class ExplainedRule(Struct, kw_only=True):
    """
    A part of the rules.
    """

    text: Annotated[str, Meta(description="The text of the rule.")]
    title: Annotated[str, Meta(description="The point, in a few words.")]


class ExplainedRules(Struct, kw_only=True):
    """
    The rules of a game in one language.
    """

    boxes: Annotated[
        list[ExplainedRule],
        Meta(description="The parts in the order in which a beginner needs them; empty if the ruleset has none."),
    ]
    cards: Annotated[dict[str, ExplainedCard], Meta(description="The cards that need words, as views name them.")]


Face: TypeAlias = Literal["badger", "bear", "blackbird", "cat", "fox", "frog", "hare", "hedgehog", "mouse", "owl", "pig", "stag"]


class FieldError(Struct, kw_only=True):
    """
    An error in a body or a parameter: where (`$.slot`, `?at`, the name of a header) and what.
    """

    message: Annotated[str, Meta(description="An explanation of the error there.")]
    path: Annotated[
        str, Meta(description="The place: the path in the body, `?name` of a parameter, or the name of a header.")
    ]


class ForbiddenProblem(Struct, kw_only=True):
    """
    The caller may not see or do this. Other seats' views are available when the game is over.
    """

    status: Annotated[Literal[403], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["forbidden"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class GameDeck(Struct, kw_only=True):
    """
    A deck: see `deck` of the ruleset.
    """


class GameEvent(Struct, kw_only=True):
    """
    An event of any ruleset.
    """


class GameLinks(Struct, kw_only=True):
    """
    URLs of the parts of a game.
    """

    deck: Annotated[str, Meta(description="The cards of the deck.")]
    events: Annotated[str, Meta(description="List or stream the events.")]
    moves: Annotated[str, Meta(description="List legal moves, make a move.")]
    seats: Annotated[str, Meta(description="Take a seat.")]
    self: Annotated[str, Meta(description="The game.")]


class GameMove(Struct, kw_only=True):
    """
    A move of any ruleset. Moves from `legal_moves` can be posted unchanged.
    """


class GameOptions(Struct, kw_only=True):
    """
    The options of the game: see `options` of the ruleset.
    """


class GameView(Struct, kw_only=True):
    """
    The table: see `view` of the ruleset.
    """


class GoneEvent(Struct, kw_only=True, tag_field="type", tag="gone"):
    """
    The player at the seat has left the running game, or has run out of time. From now on the bot plays; without one
    the game is aborted.
    """

    cause: Annotated[Literal["expired", "left"], Meta(description="The reason: the player left, or ran out of time.")]
    moved: Annotated[bool, Meta(description="True: the player has made a move in this game.")]
    seat: Annotated[
        int, Meta(description="The seat that the player has left. Seats are numbered from 0, rising clockwise.")
    ]
    bot: (
        Annotated[str, Meta(description="The bot that plays from now on. Absent: the game is aborted.")] | UnsetType
    ) = UNSET


class GoneProblem(Struct, kw_only=True):
    """
    The events after this `Last-Event-ID` are no longer stored. Open a new stream, then read the pages again.
    """

    status: Annotated[Literal[410], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["gone"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class GrantedEvent(Struct, kw_only=True, tag_field="type", tag="granted"):
    """
    Another player gave the seat time. It goes into the reserve.
    """

    seat: Annotated[int, Meta(description="The seat that got the time. Seats are numbered from 0, rising clockwise.")]
    seconds: Annotated[int, Meta(description="The time given, in seconds.")]


class HandOverCode(Struct, kw_only=True):
    """
    A code to exchange for a token.
    """

    code: Annotated[str, Meta(description="The code: 32 hexadecimal digits.")]


class Hashed(Struct, kw_only=True):
    """
    An event as it is served: redacted for the viewer, with the hashes of the full event.
    """

    at: Annotated[str, Meta(description="The time of the event (RFC 3339, UTC).")]
    by: Annotated[int, Meta(description="The seat whose choice caused it; null for the dealer and for players without a seat.")] | None
    event: GameEvent
    head: Annotated[str, Meta(description="The hash of all events up to this one. 32 bytes in lower-case hex.")]
    more: Annotated[int, Meta(description="The number of events that follow in the same append; 0 on its last one.")]
    public: Annotated[
        str, Meta(description="The hash of what everybody may see of the event. 32 bytes in lower-case hex.")
    ]
    secret: Annotated[str, Meta(description="The hash of the whole event. 32 bytes in lower-case hex.")]
    version: Annotated[int, Meta(description="The number of the event in its game, from 1.")]
    acting: (
        Annotated[
            list[int],
            Meta(description="The seats that have a choice after the event, rising; on the last event of an append."),
        ]
        | UnsetType
    ) = UNSET
    move: GameMove | UnsetType = UNSET


class HeadTooLargeProblem(Struct, kw_only=True):
    """
    The URL and headers together exceed 32 KiB, or there are more than 100 headers.
    """

    status: Annotated[Literal[431], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["head-too-large"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class Health(Struct, kw_only=True):
    """
    `status` is `live` (the process responds) or `ready` (the database can be read, the last write succeeded, and its
    clock agrees with that of the process).
    """

    status: Annotated[str, Meta(description="`live` or `ready`.")]
    isolated_games: (
        Annotated[
            int,
            Meta(
                description="The number of games that lobby, profiles or standings omit because one of their events cannot be applied; absent if there is none. The log names them. All other games are served, so the service is ready. `stammtisch rebuild` tries them again."
            ),
        ]
        | UnsetType
    ) = UNSET
    redis: (
        Annotated[
            Literal["away", "up"],
            Meta(
                description="The state of the connection to Redis, if one is configured. While it is `away`, the service works from the database alone."
            ),
        ]
        | UnsetType
    ) = UNSET
    unserved: (
        Annotated[
            list[str],
            Meta(
                description="Installed packages and rulesets that the setting `PACKAGES` allows and that cannot be loaded, sorted; absent if there are none. Standard error says why."
            ),
        ]
        | UnsetType
    ) = UNSET


class Hint(Struct, kw_only=True):
    """
    The moves that nothing speaks against, in worlds that the seat can imagine.
    """

    ahead: Annotated[
        float,
        Meta(description="The points by which the first one is better than `against`. It may be chance: see `error`."),
    ]
    error: Annotated[
        float, Meta(description="The standard error of `ahead`; the range of 95 % is `ahead` ± 1.96 times this.")
    ]
    moves: Annotated[
        list[GameMove], Meta(description="The best first. The others of them are too close to it to tell.")
    ]
    seat: Annotated[int, Meta(description="The seat that asked. Seats are numbered from 0, rising clockwise.")]
    version: Annotated[
        int,
        Meta(
            description="The version of the table that it is about: that of the last event of the ruleset that stands."
        ),
    ]
    worlds: Annotated[
        int,
        Meta(description="The number of worlds in which `ahead` was measured. None of the moves was picked by them."),
    ]
    against: GameMove | UnsetType = UNSET


class HintedEvent(Struct, kw_only=True, tag_field="type", tag="hinted"):
    """
    The player at the seat asked for a hint about their choice. It is recorded before the hint is given.
    """

    seat: Annotated[int, Meta(description="The seat that asked. Seats are numbered from 0, rising clockwise.")]


class IdempotencyKeyReusedProblem(Struct, kw_only=True):
    """
    The caller has already used this `Idempotency-Key` for a different request to this resource.
    """

    status: Annotated[Literal[422], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["idempotency-key-reused"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class Identity(Struct, kw_only=True):
    """
    A player and their token. Keep the token secret: it authorizes every action of the player.
    """

    id: Annotated[str, Meta(description="The id of the player.")]
    name: Annotated[str, Meta(description="The display name.")]
    token: Annotated[str, Meta(description="The bearer token.")]
    bot: Annotated[bool, Meta(description="True if the player is a program; absent otherwise.")] | UnsetType = UNSET
    face: (
        Annotated[
            str,
            Meta(
                description="The face that the player has chosen; a later release can have others. Absent if they have chosen none: show the first letter of the name."
            ),
        ]
        | UnsetType
    ) = UNSET


class IllegalMoveProblem(Struct, kw_only=True):
    """
    The rules do not allow this move now. `legal_moves` lists the legal moves of the caller.
    """

    decision: Annotated[int, Meta(description="The version since which the current choice exists; null without a choice.")] | None
    legal_moves: Annotated[list[GameMove], Meta(description="All legal moves of the caller.")]
    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["illegal-move"]
    version: Annotated[int, Meta(description="The number of events so far.")]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class InternalProblem(Struct, kw_only=True):
    """
    An error in the service. It has been logged.
    """

    status: Annotated[Literal[500], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["internal"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class InvalidRecordProblem(Struct, kw_only=True):
    """
    The document is not a record of a known ruleset, a check of the record failed, or the record is not complete:
    its game is not over, or it is redacted. `detail` says where.
    """

    status: Annotated[Literal[422], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["invalid-record"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class IssuedCode(Struct, kw_only=True):
    """
    A code that can be exchanged for a token of the caller, once. Keep it secret.
    """

    code: Annotated[str, Meta(description="32 hexadecimal digits: 128 random bits.")]
    expires_at: Annotated[str, Meta(description="The time at which it expires (RFC 3339, UTC).")]


class JoinedEvent(Struct, kw_only=True, tag_field="type", tag="joined"):
    """
    A player took a seat.
    """

    entropy: Annotated[
        str,
        Meta(description="The contribution of a seat to the shuffles: up to 64 printable ASCII characters, public."),
    ]
    player: Annotated[
        str, Meta(description="The player who took it. The id of a player: a guest's UUID, or `namespace:sub`.")
    ]
    seat: Annotated[int, Meta(description="The seat that was taken. Seats are numbered from 0, rising clockwise.")]
    seal: (
        Annotated[
            str,
            Meta(
                description="The hash of the entropy that the seat of a sealed game opens when all seats are taken, in lower-case hex."
            ),
        ]
        | UnsetType
    ) = UNSET


class KeptSeat(Struct, kw_only=True):
    """
    A seat that is kept for a player until they take it or decline.
    """

    player: Annotated[str, Meta(description="The id of the player.")]


class LeftEvent(Struct, kw_only=True, tag_field="type", tag="left"):
    """
    The player left the seat before the game began.
    """

    seat: Annotated[int, Meta(description="The seat that is free again. Seats are numbered from 0, rising clockwise.")]


class LessonReply(Struct, kw_only=True):
    """
    A move of another seat, played for it.
    """

    move: Annotated[Any, Meta(description="Its move.")]
    seat: Annotated[int, Meta(description="The seat.")]


class LessonStep(Struct, kw_only=True):
    """
    A step of a lesson: something is explained, and the learner makes a move. Without a move they read on.
    """

    say: Annotated[dict[str, str], Meta(description="The explanation, in one to three sentences.")]
    state: Annotated[
        str, Meta(description="The `kind` of the pending decision in the learner's view, otherwise its `phase`.")
    ]
    task: Annotated[dict[str, str], Meta(description="The task of the learner, in a few words.")]
    free: (
        Annotated[
            bool,
            Meta(
                description="Any legal move will do, because the rest of the lesson is the same after each. Default: `false`."
            ),
        ]
        | UnsetType
    ) = UNSET
    move: Annotated[Any, Meta(description="The move of seat 0. Null: there is nothing to do.")] | UnsetType = UNSET
    point: (
        Annotated[
            list[str],
            Meta(
                description="The things of the table that the step is about, as in `docs/table-descriptions.md`. Default: `[]`."
            ),
        ]
        | UnsetType
    ) = UNSET
    reply: (
        Annotated[list[LessonReply], Meta(description="The moves of the others after it. Default: `[]`.")] | UnsetType
    ) = UNSET
    title: (
        Annotated[
            dict[str, str],
            Meta(
                description="The point that the step makes, in a few words. Without one it goes on with the step before. Default: `{}`."
            ),
        ]
        | UnsetType
    ) = UNSET


class ListedLabels(Struct, kw_only=True):
    """
    The names of a ruleset and its bots, in one language.
    """

    bots: Annotated[dict[str, BotLabel], Meta(description="The bots, by their name and version.")]
    options: Annotated[dict[str, str], Meta(description="The options that a game can be opened with, by field.")]
    summary: Annotated[str, Meta(description="A description of the game, in a sentence.")]
    title: Annotated[str, Meta(description="The name of the game.")]
    values: Annotated[dict[str, dict[str, str]], Meta(description="The values of options that have names, by field.")]


class ListedMoves(Struct, kw_only=True):
    """
    All legal moves of a seat.
    """

    decision: Annotated[int, Meta(description="The version since which the current choice exists; null without a choice.")] | None
    legal_moves: Annotated[list[GameMove], Meta(description="All legal moves. Each can be posted unchanged.")]
    seat: Annotated[
        int, Meta(description="The seat that has these moves. Seats are numbered from 0, rising clockwise.")
    ]
    version: Annotated[int, Meta(description="The number of events so far.")]


class MalformedProblem(Struct, kw_only=True):
    """
    The input is not JSON, or has fields of the wrong type, out of range, unknown or missing.
    """

    errors: Annotated[list[FieldError], Meta(description="Every error that was found.")]
    status: Annotated[Literal[400], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["malformed"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


Matter: TypeAlias = Literal["abort", "undo"]


class Mean(Struct, kw_only=True):
    """
    The choices of a seat as a part of its player's mean over many games: unbiased, but noisy in a single game.
    """

    choices: Annotated[
        int,
        Meta(
            description="The number of choices that were weighed. Choices with a hint and those of house players are left out."
        ),
    ]
    loss: Annotated[float, Meta(description="The mean loss of a choice, in points.")]
    own: Annotated[
        float,
        Meta(
            description="The points that all choices of the seat in the game have brought beside those of the house player."
        ),
    ]
    seat: Annotated[int, Meta(description="The seat. Seats are numbered from 0, rising clockwise.")]


class MethodNotAllowedProblem(Struct, kw_only=True):
    """
    The path does not support this method. `Allow` lists the supported ones.
    """

    status: Annotated[Literal[405], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["method-not-allowed"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class NewPairing(Struct, kw_only=True):
    """
    Tables to open together: a list of them, or the seats of a table that each player asks for.
    """

    ruleset: Annotated[str, Meta(description="The name of the ruleset.")]
    absent: (
        Annotated[
            Absent,
            Meta(
                description="The bot that goes on when a player leaves a running game, or `abort`. Default: the ruleset's best bot goes on."
            ),
        ]
        | UnsetType
    ) = UNSET
    clock: Annotated[ClockInput, Meta(description="The time for choices. Default: it is not limited.")] | UnsetType = (
        UNSET
    )
    deal: (
        Annotated[
            Literal["own", "same"],
            Meta(
                description='`same`: all tables play the same cards, which stay hidden until all are over. `own`: each has its own. Default: `"own"`.'
            ),
        ]
        | UnsetType
    ) = UNSET
    deck: Annotated[str, Meta(description="The name of a deck. Default: the ruleset's first deck.")] | UnsetType = UNSET
    most: Annotated[int, Meta(description="The number of players who can ask, with `seats`.")] | UnsetType = UNSET
    name: Annotated[str, Meta(description='The name of the pairing. Default: `""`.')] | UnsetType = UNSET
    opens_at: (
        Annotated[
            str,
            Meta(
                description="The time at which the tables are opened and players are invited. Default: now. RFC 3339 in UTC with six decimals: `2026-01-31T18:00:00.000000Z`."
            ),
        ]
        | UnsetType
    ) = UNSET
    options: GameOptions | UnsetType = UNSET
    seats: (
        Annotated[list[str], Meta(description="Instead of `tables`: `me` once, the others are bots.")] | UnsetType
    ) = UNSET
    sit_until: (
        Annotated[
            str,
            Meta(
                description="The time at which tables that still wait are aborted. Default: 10 minutes after `opens_at` with a clock of at\nmost a day, otherwise 3 days. RFC 3339 in UTC with six decimals: `2026-01-31T18:00:00.000000Z`."
            ),
        ]
        | UnsetType
    ) = UNSET
    tables: (
        Annotated[
            list[list[str | KeptSeat]],
            Meta(
                description="The seats of each table: players, for whom they are kept, bots, or `open`. All tables have as many seats."
            ),
        ]
        | UnsetType
    ) = UNSET
    until: (
        Annotated[
            str,
            Meta(
                description="The time at which all is over and revealed at the latest, with the same deal. Default: in 7 days. RFC 3339 in UTC with six decimals: `2026-01-31T18:00:00.000000Z`."
            ),
        ]
        | UnsetType
    ) = UNSET


class NextDeal(Struct, kw_only=True):
    """
    The deal of the next day: its cards are fixed already.
    """

    commitment: Annotated[str, Meta(description="The hash of the secret of its deal.")]
    day: Annotated[str, Meta(description="The day, `2026-01-31`.")]


class NoHintProblem(Struct, kw_only=True):
    """
    The game was opened without hints, or the caller has no choice now.
    """

    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["no-hint"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class NoRematchProblem(Struct, kw_only=True):
    """
    The game is not finished, or it is a hotseat or an imported game.
    """

    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["no-rematch"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class NotAcceptableProblem(Struct, kw_only=True):
    """
    The resource is not available in any media type of `Accept`.
    """

    status: Annotated[Literal[406], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["not-acceptable"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class NotFinishedProblem(Struct, kw_only=True):
    """
    The game is not over, so its hidden cards stay hidden.
    """

    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["not-finished"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class NotFoundProblem(Struct, kw_only=True):
    """
    The ruleset, deck, game, version, player or path does not exist, or the game is private and the caller may not
    see it.
    """

    status: Annotated[Literal[404], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["not-found"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class NotOpenerProblem(Struct, kw_only=True):
    """
    Only the player who opened the game may do this.
    """

    status: Annotated[Literal[403], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["not-opener"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class NotRunningProblem(Struct, kw_only=True):
    """
    The game has not begun, or is over.
    """

    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["not-running"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class NotSeatedProblem(Struct, kw_only=True):
    """
    The caller has no such seat in this game.
    """

    status: Annotated[Literal[403], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["not-seated"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class NotUndoableProblem(Struct, kw_only=True):
    """
    The move cannot be taken back. `undo` is the version of the caller's move that can be, or null.

    There is no reason: a reason can betray a hidden card.
    """

    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["not-undoable"]
    undo: Annotated[int, Meta(description="The last version of the caller's move that can be taken back, or null.")] | None
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class NotWaitingProblem(Struct, kw_only=True):
    """
    The game has already begun or is over.
    """

    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["not-waiting"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class OwnTable(Struct, kw_only=True):
    """
    The caller's own table of a pairing.
    """

    game: Annotated[str, Meta(description="The path of the game.")]
    id: Annotated[str, Meta(description="The id of the game.")]
    pairing: Annotated[str, Meta(description="The id of the pairing.")]


class PairingDifference(Struct, kw_only=True):
    """
    The first choice in which two tables of the same deal differ. The view at `versions` is what the seat saw, and
    the events after them are what it chose.
    """

    legal: Annotated[int, Meta(description="The number of moves that the seat could make.")] | None
    same: Annotated[
        int,
        Meta(
            description="The number of choices before it that are the same, or do the same with cards that look alike to the seat."
        ),
    ]
    seat: Annotated[int, Meta(description="The seat that chose; null: no choice differs until one of the games ends.")] | None
    versions: Annotated[list[int], Meta(description="The version of each game before the choice.")] | None


class Parent(Struct, kw_only=True):
    """
    The game that a branch continues, from its version `at` on. The deals of both derive from the game id `root`.
    """

    at: Annotated[int, Meta(description="The version from which the branch goes on.")]
    id: Annotated[str, Meta(description="The id of the continued game.")]
    root: Annotated[str, Meta(description="The id of the first game in the line of branches.")]


Phrase: TypeAlias = Literal["back_soon", "clever", "good_game", "hello", "let_me_think", "sorry", "well_played", "what_luck"]


class PhraseRequest(Struct, kw_only=True):
    """
    The phrase to say.
    """

    phrase: Annotated[Phrase, Meta(description="A phrase. Clients show it in the language of their user.")]


class PlaceLabel(Struct, kw_only=True):
    """
    The name of an index into a zone: `{number}` is the index + 1.

    In a zone of `rows`, which is filled column by column, `{column}` and `{row}` are the place in it, each from 1.
    """

    text: Annotated[str, Meta(description="The template.")]
    rows: (
        Annotated[int, Meta(description="The number of rows of the zone. Absent: it has no columns and rows.")]
        | UnsetType
    ) = UNSET


class Player(Struct, kw_only=True):
    """
    A player, their display name and their face. `name` is null for a former player, who was forgotten.
    """

    id: Annotated[str, Meta(description="The id of a player: a guest's UUID, or `namespace:sub`.")]
    name: Annotated[str, Meta(description="The display name; null for a former player.")] | None
    bot: (
        Annotated[bool, Meta(description="True if the player is a program; absent otherwise. It follows from the id.")]
        | UnsetType
    ) = UNSET
    face: (
        Annotated[
            str,
            Meta(
                description="The face that the player has chosen; a later release can have others. Absent if they have chosen none: show the first letter of the name."
            ),
        ]
        | UnsetType
    ) = UNSET


class PlayerChanges(Struct, kw_only=True):
    """
    The fields of a player that change; those that are absent stay.
    """

    face: Annotated[Face, Meta(description="The new face; null: none.")] | None | UnsetType = UNSET
    name: (
        Annotated[
            str,
            Meta(
                description="The new name. Not for players of a site. The display name of a player: 1 to 40 visible characters, with spaces between them."
            ),
        ]
        | UnsetType
    ) = UNSET


class PlayerMean(Struct, kw_only=True):
    """
    The choices of a player in games of one ruleset. It is no rating: the ruler is the house player.
    """

    choices: Annotated[int, Meta(description="The number of choices that were weighed in them.")]
    games: Annotated[int, Meta(description="The number of games.")]
    loss: Annotated[float, Meta(description="The mean loss of a choice beside the best move, in points.")]
    loss_half: Annotated[float, Meta(description="Half the width of its interval of 95 %.")]
    own: Annotated[
        float,
        Meta(
            description="The points that the choices bring in a game beside those of the house player. Players are compared by this."
        ),
    ]
    own_half: Annotated[float, Meta(description="Half the width of its interval of 95 %.")]


class Point(Struct, kw_only=True):
    """
    A point of a seat's curve, in points ahead.
    """

    expected: Annotated[float, Meta(description="The result that the seat could expect then, in points ahead.")]
    luck: Annotated[float, Meta(description="The luck since the point before, in points ahead.")]
    version: Annotated[int, Meta(description="The version of the choice before which it stands; 0: the end.")]


class Points(Struct, kw_only=True):
    """
    Points as the ruleset counts them: the total of the games that the player did not leave, and the lowest and
    highest of one of them.
    """

    highest: Annotated[int, Meta(description="The points of the game with the most.")]
    lowest: Annotated[int, Meta(description="The points of the game with the fewest.")]
    total: Annotated[int, Meta(description="The sum over the games.")]


class PointsGroup(Struct, kw_only=True):
    """
    The number of tables that have these points at the caller's seat.
    """

    points: Annotated[int, Meta(description="The points, more is better.")]
    tables: Annotated[int, Meta(description="The number of tables.")]


class Progress(Struct, kw_only=True):
    """
    The progress of the work. `all` changes with the phase.
    """

    all: Annotated[int, Meta(description="The choices of this phase; 0 while it is not known.")]
    done: Annotated[int, Meta(description="The choices that this phase is done with.")]
    phase: Annotated[
        Literal["accounts", "first", "refine", "waiting"],
        Meta(
            description="`waiting`; then all choices are weighed, those that stand out are measured again, and so are those that the\naccounts need."
        ),
    ]


class Prompt(Struct, kw_only=True):
    """
    The question to a player in a state: templates, whose placeholders are paths into the view.
    """

    ask: Annotated[
        str, Meta(description="The question, of one short line. A card in it is shown by its number or its name.")
    ]
    do: (
        Annotated[
            dict[str, str],
            Meta(
                description="The verbs of buttons, by the `type` of the move or by `type.value` of its field. Default: `{}`."
            ),
        ]
        | UnsetType
    ) = UNSET
    say: (
        Annotated[
            str,
            Meta(description="The question for a screen reader, with everything that can be chosen. Absent: `ask`."),
        ]
        | UnsetType
    ) = UNSET
    when: (
        Annotated[
            list[str],
            Meta(
                description="Conditions on the view and the legal moves: of the prompts of a state, the one with the most that hold is asked.\nA variant without conditions is asked while a move is composed. Default: `[]`."
            ),
        ]
        | UnsetType
    ) = UNSET


class PuzzleAnswer(Struct, kw_only=True):
    """
    The verdict on the move, and by how much the best one exceeds the others.
    """

    error: Annotated[float, Meta(description="The standard error of `gap`.")]
    gap: Annotated[float, Meta(description="The points by which it exceeds the next best move, on average.")]
    right: Annotated[bool, Meta(description="True: the move was the solution.")]
    solution: GameMove


class Question(Struct, kw_only=True):
    """
    A question to all players, which is decided when all who are present have agreed.
    """

    on: Annotated[Matter, Meta(description="The question: to abort the game, or to take back a move.")]
    seat: Annotated[int, Meta(description="The seat that asked. Seats are numbered from 0, rising clockwise.")]
    yes: Annotated[list[int], Meta(description="The seats that have agreed, in order.")]
    to: Annotated[int, Meta(description="The version to which an undo would go back.")] | UnsetType = UNSET


class Rating(Struct, kw_only=True):
    """
    An estimate of a player's skill with mean `mu` and standard deviation `sigma`. `ordinal` is mu - 3 sigma, a lower
    bound of the skill; the standings are ordered by it.
    """

    mu: Annotated[float, Meta(description="The estimated skill; players begin with 25.")]
    ordinal: Annotated[float, Meta(description="mu - 3 sigma. Negative for players with few games.")]
    sigma: Annotated[float, Meta(description="The uncertainty of the estimate; players begin with 25/3.")]


class ReadiedEvent(Struct, kw_only=True, tag_field="type", tag="readied"):
    """
    The player opened the entropy that they sealed. When all have, the game begins.
    """

    entropy: Annotated[
        str,
        Meta(description="The contribution of a seat to the shuffles: up to 64 printable ASCII characters, public."),
    ]
    seat: Annotated[int, Meta(description="The seat that is ready. Seats are numbered from 0, rising clockwise.")]


class RecordedSeat(Struct, kw_only=True):
    """
    A seat, the id of its player (null: free), and the player's entropy for the shuffles.
    """

    entropy: Annotated[str, Meta(description="The player's contribution to the shuffles; empty if there is none.")]
    player: Annotated[str, Meta(description="The player at the seat at the end of the record; null: it is free.")] | None
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class RegistrationRequest(Struct, kw_only=True):
    """
    A new guest.
    """

    name: Annotated[
        str, Meta(description="The display name of a player: 1 to 40 visible characters, with spaces between them.")
    ]
    bot: (
        Annotated[
            bool,
            Meta(
                description="The player is a program. That is shown wherever the player is, and cannot be changed. Default: `false`."
            ),
        ]
        | UnsetType
    ) = UNSET
    face: Annotated[Face, Meta(description="The face that others see; null or absent: none.")] | None | UnsetType = (
        UNSET
    )


class RejoinedEvent(Struct, kw_only=True, tag_field="type", tag="rejoined"):
    """
    The player is back at the seat and plays again.
    """

    seat: Annotated[
        int, Meta(description="The seat that the player has taken again. Seats are numbered from 0, rising clockwise.")
    ]


class RematchRequest(Struct, kw_only=True):
    """
    The caller's contribution to the shuffles of the rematch. Empty in a sealed game: there the seat is kept, and
    taken with a seal in a second request.
    """

    entropy: (
        Annotated[
            str,
            Meta(
                description='The contribution of a seat to the shuffles: up to 64 printable ASCII characters, public. Default: `""`.'
            ),
        ]
        | UnsetType
    ) = UNSET


class RemoveOperation(Struct, kw_only=True, tag_field="op", tag="remove"):
    """
    Delete the item at `path` from its array.
    """

    path: Annotated[str, Meta(description="A JSON Pointer into the view; empty: the whole view.")]


class ReplaceOperation(Struct, kw_only=True, tag_field="op", tag="replace"):
    """
    Set the value at `path`. The empty path is the whole view.
    """

    path: Annotated[str, Meta(description="A JSON Pointer into the view; empty: the whole view.")]
    value: Annotated[Any, Meta(description="The value that stands there from now on.")]


class ReservedProblem(Struct, kw_only=True):
    """
    The seat is kept for another player, or all free seats are.
    """

    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["reserved"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class Result(Struct, kw_only=True):
    """
    The result of a game: scores by seat, counted as the ruleset counts, and the winning seats.
    """

    scores: Annotated[list[int], Meta(description="By seat: the final points.")]
    winners: Annotated[
        list[int], Meta(description="The winning seats; several in a tie, none if seats that play together have lost.")
    ]
    ranks: (
        Annotated[list[int], Meta(description="By seat: 0 for the best, where the points do not say who did better.")]
        | UnsetType
    ) = UNSET
    teams: (
        Annotated[list[list[int]], Meta(description="The seats by team. Absent: every seat plays for itself.")]
        | UnsetType
    ) = UNSET


class Results(Struct, kw_only=True):
    """
    A player's results at a ruleset. A shared victory is a win for each winner.

    `points` is null if the player has left all games.
    """

    games: Annotated[int, Meta(description="The number of games that count, those included that the player left.")]
    points: Annotated[Points, Meta(description="Null if the player has left all games.")] | None
    rating: Rating
    ruleset: Annotated[str, Meta(description="The name of the ruleset.")]
    wins: Annotated[int, Meta(description="The number of games that the player won, alone or with others.")]


class ResumedEvent(Struct, kw_only=True, tag_field="type", tag="resumed"):
    """
    The service can take moves again. For the time that it could not, each seat with a choice gets as much into its
    reserve.
    """

    milliseconds: Annotated[
        int, Meta(description="The time, since the latest event, in which no process of the service could take a move.")
    ]


class RevealedEvent(Struct, kw_only=True, tag_field="type", tag="revealed"):
    """
    The secret is public: from now on nothing is redacted and every deal can be verified. The last event.
    """

    secret: Annotated[
        str,
        Meta(
            description="The secret that all deals followed from; its hash is the commitment. 32 bytes in lower-case hex."
        ),
    ]


class ReviewPending(Struct, kw_only=True):
    """
    The review waits in the queue, or the first pass is under way.
    """

    place: Annotated[int, Meta(description="The number of reviews that are made before this one.")]
    progress: Progress
    state: Literal["pending"]
    wait: Annotated[int, Meta(description="Seconds until it is likely to be finished: an estimate, rather too high.")]


class ReviewedRound(Struct, kw_only=True):
    """
    A round; the whole game, where the points of a round can be lost again later.
    """

    accounts: Annotated[list[Account], Meta(description="By seat.")]
    curves: Annotated[
        list[list[Point]],
        Meta(description="By seat: a point for each of its choices that is weighed, and one for the end."),
    ]


class RulesMissingProblem(Struct, kw_only=True):
    """
    The service does not have the rules of this game: their package, or this version of them, is not loaded. The
    game, its events and its record can be read. It goes on when the operator loads the package again.
    """

    package: Annotated[str, Meta(description="The distribution that has them; null if nobody knows.")] | None
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules.")]
    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["rules-missing"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class ScandaroonDraw(Struct, kw_only=True, tag_field="kind", tag="draw"):
    """
    Draw cards; one of them may be played at once, or none.
    """

    count: Annotated[int, Meta(description="The number of cards that are drawn.")]
    may_play: Annotated[bool, Meta(description="True: one of them may be played at once.")]


class ScandaroonDrawnEvent(Struct, kw_only=True, tag_field="type", tag="drawn"):
    """
    The seat drew cards; nobody else sees them.
    """

    cards: Annotated[
        list[str | None], Meta(description="First to last. Null for everybody but the seat until the game is over.")
    ]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


Patch: TypeAlias = AddOperation | RemoveOperation | ReplaceOperation


class ScandaroonExchangeMove(Struct, kw_only=True, tag_field="type", tag="exchange"):
    """
    Discard a card of your hand; as many are drawn as you have discarded (SD-51).
    """

    card: Annotated[str, Meta(description="The card, by its `id` in the deck.")]


class ScandaroonExchangedEvent(Struct, kw_only=True, tag_field="type", tag="exchanged"):
    """
    The seat discarded a card of its hand and will get another one.
    """

    card: Annotated[str, Meta(description="The card that was discarded. By its `id` in the deck.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class ScandaroonHandsDealtEvent(Struct, kw_only=True, tag_field="type", tag="hands_dealt"):
    """
    The cards that each seat drew, in order; only the seat itself sees them (SD-72).
    """

    cards: Annotated[
        list[list[str | None]],
        Meta(
            description="By seat: the cards that it drew, first to last. Null for everybody but their seat until the game is over."
        ),
    ]


class ScandaroonHighScore(Struct, kw_only=True):
    """
    The highest score of a round so far, and the seats that reached it.
    """

    score: Annotated[int, Meta(description="The score.")]
    seats: Annotated[list[int], Meta(description="The seats that reached it.")]


ScandaroonLimit: TypeAlias = int | Literal["self_base", "self_current"]


ScandaroonOccupant: TypeAlias = Literal["careful/1", "deep/1", "easy/1", "me", "open", "random/1"]


class ScandaroonOptions(Struct, kw_only=True):
    """
    Fixed when the game is opened.
    """

    foreign_empty_row: Annotated[
        bool, Meta(description="A card that may be laid anywhere may begin another seat's row.")
    ]
    tied_last_bonus: Annotated[
        Literal["all", "none"],
        Meta(
            description="The seats that get a sixth card when several share the last place: all of them, or none.\n\n- `all`: All who share the last place\n- `none`: None of them"
        ),
    ]
    value_floor: Annotated[Literal[0], Meta(description="0: no card counts less, whatever the effects. null: it may.")] | None


class ScandaroonOptionsInput(Struct, kw_only=True):
    """
    Fixed when the game is opened.
    """

    foreign_empty_row: (
        Annotated[
            bool, Meta(description="A card that may be laid anywhere may begin another seat's row. Default: `true`.")
        ]
        | UnsetType
    ) = UNSET
    tied_last_bonus: (
        Annotated[
            Literal["all", "none"],
            Meta(
                description='The seats that get a sixth card when several share the last place: all of them, or none.\n\n- `all`: All who share the last place\n- `none`: None of them Default: `"all"`.'
            ),
        ]
        | UnsetType
    ) = UNSET
    value_floor: (
        Annotated[
            Literal[0],
            Meta(description="0: no card counts less, whatever the effects. null: it may. Default: `0`."),
        ]
        | None
        | UnsetType
    ) = UNSET


ScandaroonOutcome: TypeAlias = Literal["exchange", "protect", "score_pile", "steal"]


class ScandaroonPassMove(Struct, kw_only=True, tag_field="type", tag="pass"):
    """
    Take no more turns in this round (SD-55).
    """


class ScandaroonPassedEvent(Struct, kw_only=True, tag_field="type", tag="passed"):
    """
    The seat takes no more turns in this round.
    """

    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


ScandaroonPhase: TypeAlias = Literal["deal", "over", "reshuffle", "settle", "turn"]


class ScandaroonPlaceMove(Struct, kw_only=True, tag_field="type", tag="place"):
    """
    Say where the card goes that an ability moves: to a slot of its row, or to the end of a row (SD-43).
    """

    position: (
        Annotated[int, Meta(description="A slot of the row; slots keep their numbers for a whole round.")]
        | None
        | UnsetType
    ) = UNSET
    row: (
        Annotated[int, Meta(description="The seat of the row. Seats are numbered from 0, rising clockwise.")]
        | None
        | UnsetType
    ) = UNSET


class ScandaroonPlayMove(Struct, kw_only=True, tag_field="type", tag="play"):
    """
    Lay a card of your hand at the end of your row; some cards may be laid at any row (SD-34).
    """

    card: Annotated[str, Meta(description="The card, by its `id` in the deck.")]
    row: Annotated[int, Meta(description="The seat of the row. Seats are numbered from 0, rising clockwise.")]


class ScandaroonPlayedEvent(Struct, kw_only=True, tag_field="type", tag="played"):
    """
    The seat laid a card of its hand at the end of the row.
    """

    card: Annotated[str, Meta(description="The card that was laid. By its `id` in the deck.")]
    row: Annotated[int, Meta(description="The seat of the row. Seats are numbered from 0, rising clockwise.")]
    seat: Annotated[int, Meta(description="The seat that had the card. Seats are numbered from 0, rising clockwise.")]


class ScandaroonReshuffledEvent(Struct, kw_only=True, tag_field="type", tag="reshuffled"):
    """
    Before the third round draw pile and discard pile were shuffled and are the new draw pile (SD-61).
    """

    draw: Annotated[
        list[str | None],
        Meta(description="The new draw pile; the last card is its top. Null for everybody until the game is over."),
    ]


class ScandaroonRound(Struct, kw_only=True):
    """
    A round that has been played.
    """

    points: Annotated[list[int], Meta(description="By seat: the victory points on the rank track.")]
    scores: Annotated[list[int], Meta(description="By seat: the score of its row.")]


class ScandaroonSlot(Struct, kw_only=True):
    """
    A card in a row.
    """

    boost: Annotated[int, Meta(description="The points that abilities add to its value.")]
    card: Annotated[str, Meta(description="The card that lies there. By its `id` in the deck.")]
    protected_by: Annotated[int, Meta(description="The seat whose action stone lies on it.")] | None


class ScandaroonSpentEvent(Struct, kw_only=True, tag_field="type", tag="spent"):
    """
    The ability was used, and its card went to the discard pile.
    """

    position: Annotated[int, Meta(description="The slot of the card in the seat's row; it is empty now.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class ScandaroonSpot(Struct, kw_only=True):
    """
    A slot of a row.
    """

    position: Annotated[int, Meta(description="The slot in the row, from 0 at the left.")]
    row: Annotated[int, Meta(description="The seat of the row. Seats are numbered from 0, rising clockwise.")]


class ScandaroonStolenEvent(Struct, kw_only=True, tag_field="type", tag="stolen"):
    """
    The card went to the seat's hand.
    """

    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    spot: ScandaroonSpot


ScandaroonStonePlace: TypeAlias = Literal["card", "gone", "pile", "ready"]


class ScandaroonStopMove(Struct, kw_only=True, tag_field="type", tag="stop"):
    """
    Play none of the cards drawn (SD-46), or discard no more (SD-51).
    """


class ScandaroonSwappedEvent(Struct, kw_only=True, tag_field="type", tag="swapped"):
    """
    The two cards have exchanged their slots.
    """

    one: ScandaroonSpot
    other: ScandaroonSpot
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


ScandaroonSymbol: TypeAlias = Literal["crescent", "cross_tile", "scimitar", "turban"]


class ScandaroonTableClearedEvent(Struct, kw_only=True, tag_field="type", tag="table_cleared"):
    """
    All cards in rows went to the discard pile, and the seat will begin the next round (SD-69, SD-70).
    """

    starter: Annotated[
        int, Meta(description="The seat that begins the next round. Seats are numbered from 0, rising clockwise.")
    ]


class ScandaroonTargetMove(Struct, kw_only=True, tag_field="type", tag="target"):
    """
    Choose a card in play for an ability or the action stone (SD-39).
    """

    position: Annotated[int, Meta(description="A slot of the row; slots keep their numbers for a whole round.")]
    row: Annotated[int, Meta(description="The seat of the row. Seats are numbered from 0, rising clockwise.")]


class ScandaroonTargetedEvent(Struct, kw_only=True, tag_field="type", tag="targeted"):
    """
    The first of two cards that are to be swapped, or the card that is to be moved.
    """

    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    spot: ScandaroonSpot


ScandaroonTrump: TypeAlias = Literal["crescent", "cross_tile", "none", "scimitar", "turban"]


class ScandaroonTrumpChangedEvent(Struct, kw_only=True, tag_field="type", tag="trump_changed"):
    """
    The seat has changed the trump.
    """

    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    trump: Annotated[
        ScandaroonTrump,
        Meta(
            description="- `scimitar`: scimitar\n- `crescent`: crescent\n- `turban`: turban\n- `cross_tile`: cross tile\n- `none`: no trump"
        ),
    ]


class ScandaroonTrumpFlippedEvent(Struct, kw_only=True, tag_field="type", tag="trump_flipped"):
    """
    The revealed trump card was turned face down: the round has no trump (SD-73).
    """


class ScandaroonTrumpRevealedEvent(Struct, kw_only=True, tag_field="type", tag="trump_revealed"):
    """
    The top trump card went under the others, and the next one was revealed (SD-73).
    """

    trump: Annotated[
        ScandaroonSymbol,
        Meta(
            description="- `scimitar`: scimitar\n- `crescent`: crescent\n- `turban`: turban\n- `cross_tile`: cross tile"
        ),
    ]


class ScandaroonTurnBeganEvent(Struct, kw_only=True, tag_field="type", tag="turn_began"):
    """
    It is the seat's turn.
    """

    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class ScandaroonUseMove(Struct, kw_only=True, tag_field="type", tag="use"):
    """
    Use the ability of a card in your row, which is discarded afterwards (SD-37).
    """

    position: Annotated[int, Meta(description="A slot of the row; slots keep their numbers for a whole round.")]


class ScandaroonUsedEvent(Struct, kw_only=True, tag_field="type", tag="used"):
    """
    The seat uses the ability of the card in that slot of its row.
    """

    position: Annotated[int, Meta(description="The slot of the card in the seat's row.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class ScandaroonWonEvent(Struct, kw_only=True, tag_field="type", tag="won"):
    """
    The last round is over: all victory points, and the winners (SD-68).
    """

    totals: Annotated[list[int], Meta(description="By seat: all victory points.")]
    winners: Annotated[list[int], Meta(description="The winning seats; several in a tie.")]


class ScopinionBoughtEvent(Struct, kw_only=True, tag_field="type", tag="bought"):
    """
    The seat laid cards on its stage and got the card, by paying or by a function (SP-15).
    """

    card: Annotated[
        str, Meta(description="A card's id: the letter of its kind or colour, its value, and which copy it is.")
    ]
    how: Annotated[
        Literal["pay", "take", "triple"], Meta(description="- `pay`: for\n- `triple`: with ×3:\n- `take`: with")
    ]
    laid: Annotated[list[str], Meta(description="The cards from the hand that are on the stage now.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    to: Annotated[
        Literal["hand", "showcase", "stage"],
        Meta(description="- `stage`: onto the stage\n- `showcase`: into the showcase\n- `hand`: into the hand"),
    ]


class ScopinionBreakdown(Struct, kw_only=True):
    """
    The points of a seat's cards, line by line (SP-52, SP-66).
    """

    hearts: Annotated[int, Meta(description="All hearts in the own cards: they count in a tie only (SP-53).")]
    pairs: Annotated[int, Meta(description="One for every card of the smaller pile of targets, in expert mode.")]
    red: Annotated[int, Meta(description="Red hearts in the own cards.")]
    showcase: Annotated[int, Meta(description="The points for the targets in the showcase, in expert mode.")]
    spades: Annotated[int, Meta(description="Minus two for each that no green heart neutralises.")]
    vault: Annotated[int, Meta(description="The points for the targets in the vault.")]


class ScopinionBuyMove(Struct, kw_only=True, tag_field="type", tag="buy"):
    """
    Buy an open card with cards of your hand; every one must be needed (SP-20).
    """

    card: Annotated[str, Meta(description="An open card: in the display, or the top target.")]
    pay: Annotated[list[str], Meta(description="The cards that are paid, in ascending order.")]
    to: (
        Annotated[
            Literal["showcase", "stage"],
            Meta(description="The place of a target in expert mode, `stage` or `showcase`; null for all other cards (SP-62).\n\n- `stage`: onto the stage\n- `showcase`: into the showcase"),
        ]
        | None
        | UnsetType
    ) = UNSET


class ScopinionCardsRevealedEvent(Struct, kw_only=True, tag_field="type", tag="cards_revealed"):
    """
    After the last turn all hands, decks and vaults are open (SP-5).
    """

    decks: Annotated[list[list[str]], Meta(description="By seat: its deck; the last card is its top.")]
    hands: Annotated[list[list[str]], Meta(description="By seat: the cards in the hand.")]
    vaults: Annotated[list[list[str]], Meta(description="By seat: the targets in the vault.")]


ScopinionColour: TypeAlias = Literal["blue", "green", "orange", "red"]


class ScopinionDealtEvent(Struct, kw_only=True, tag_field="type", tag="dealt"):
    """
    The table is laid: a deck for each seat; its two top cards are the hand (SP-41).

    Three cards of the supply lie open. `targets` lie face down on the open `purple` ones, and on them the one that was
    `turned` up; if there is none of them the purple ones are all. Removed cards stay out. All cards are in the order in
    which they lay after their shuffle.
    """

    decks: Annotated[
        list[list[str | None]],
        Meta(description="By seat: its deck; the last card is its top. Null for everybody until the game is over."),
    ]
    display: Annotated[list[str], Meta(description="The open cards of the supply, by their place.")]
    hands: Annotated[
        list[list[str | None]],
        Meta(
            description="By seat: the two cards in its hand, the last one drawn first. Null for everybody but their seat until the game is\nover."
        ),
    ]
    purple: Annotated[
        list[str], Meta(description="The open targets at the bottom of the pile; the last card is on top.")
    ]
    removed: Annotated[
        list[str | None],
        Meta(
            description="The cards of the supply that stay out of the game. Null for everybody until the game is over."
        ),
    ]
    removed_targets: Annotated[
        list[str | None],
        Meta(description="The targets that stay out of the game. Null for everybody until the game is over."),
    ]
    starter: Annotated[
        int, Meta(description="The seat that has the first turn. Seats are numbered from 0, rising clockwise.")
    ]
    supply: Annotated[
        list[str | None],
        Meta(
            description="The cards that fill the display; the last card is its top. Null for everybody until the game is over."
        ),
    ]
    targets: Annotated[
        list[str | None],
        Meta(
            description="The face-down targets on them; the last card is on top. Null for everybody until the game is over."
        ),
    ]
    turned: Annotated[
        list[str], Meta(description="The target on top of all, face up; empty if only purple ones are in play.")
    ]


class ScopinionDrawOneMove(Struct, kw_only=True, tag_field="type", tag="draw_one"):
    """
    Draw a card, which you then keep or reject: the function of the 1 (SP-23).
    """

    by: Annotated[str, Meta(description="The card of your hand that has the function; it goes to the stage.")]


class ScopinionDrawTwoMove(Struct, kw_only=True, tag_field="type", tag="draw_two"):
    """
    Draw two cards: the function of the 2 (SP-25).
    """

    by: Annotated[str, Meta(description="The card of your hand that has the function; it goes to the stage.")]


class ScopinionDrawnAsideEvent(Struct, kw_only=True, tag_field="type", tag="drawn_aside"):
    """
    The seat drew a card that it may keep or reject; nobody else sees it (SP-23).
    """

    card: Annotated[str, Meta(description="Null for everybody but the seat until the game is over.")] | None
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    source: Annotated[
        Literal["deck", "graveyard"], Meta(description="- `deck`: from the deck\n- `graveyard`: from the graveyard")
    ]


class ScopinionDrawnEvent(Struct, kw_only=True, tag_field="type", tag="drawn"):
    """
    The seat drew the cards into its hand one after the other; nobody else sees them (SP-32).

    From the top of its deck, or from the bottom of the graveyard: as many as are left there, perhaps none.
    """

    cards: Annotated[
        list[str | None], Meta(description="First to last. Null for everybody but the seat until the game is over.")
    ]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    source: Annotated[
        Literal["deck", "graveyard"], Meta(description="- `deck`: from the deck\n- `graveyard`: from the graveyard")
    ]


class ScopinionEndTriggeredEvent(Struct, kw_only=True, tag_field="type", tag="end_triggered"):
    """
    The end is near: `final` more turns begin after the current one (SP-50).
    """

    final: Annotated[int, Meta(description="The number of turns that begin after the current one.")]


class ScopinionEndTurnMove(Struct, kw_only=True, tag_field="type", tag="end_turn"):
    """
    End your turn: all cards of your hand but the one you hold go to the stage without effect (SP-29).
    """

    hold: Annotated[str, Meta(description="The card that stays in your hand.")] | None | UnsetType = UNSET
    reshuffle: (
        Annotated[
            bool,
            Meta(description="Shuffle deck and discard first; only after buying a card with the symbol for it.\n\n- `true`: Shuffle deck and discard first\n- `false`: Do not shuffle Default: `false`."),
        ]
        | None
        | UnsetType
    ) = UNSET


ScopinionFunction: TypeAlias = Literal["draw_one", "draw_two", "take", "trash", "triple"]


ScopinionGroup: TypeAlias = Literal["A", "B", "C"]


class ScopinionKeepDrawnMove(Struct, kw_only=True, tag_field="type", tag="keep_drawn"):
    """
    Keep the card just drawn, or reject it and draw another one (SP-24).
    """

    keep: Annotated[bool, Meta(description="- `true`: Keep it\n- `false`: Reject it")]


class ScopinionKeptEvent(Struct, kw_only=True, tag_field="type", tag="kept"):
    """
    The drawn card is in the seat's hand.
    """

    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


ScopinionKind: TypeAlias = Literal["central", "start", "target"]


ScopinionOccupant: TypeAlias = Literal["careful/1", "deep/1", "easy/1", "me", "open", "random/1"]


class ScopinionOptions(Struct, kw_only=True):
    """
    Fixed when the game is opened (section 3).
    """

    handicap: Annotated[
        list[int],
        Meta(description="Seats that may use each function only once in a turn. In expert mode all are so limited."),
    ]
    mode: Annotated[
        Literal["base", "expert"],
        Meta(
            description="expert: a showcase, functions once in a turn, no holding after buying.\n\n- `base`: Base game\n- `expert`: Expert game"
        ),
    ]


class ScopinionOptionsInput(Struct, kw_only=True):
    """
    Fixed when the game is opened (section 3).
    """

    handicap: (
        Annotated[
            list[int],
            Meta(
                description="Seats that may use each function only once in a turn. In expert mode all are so limited. Default: `[]`."
            ),
        ]
        | UnsetType
    ) = UNSET
    mode: (
        Annotated[
            Literal["base", "expert"],
            Meta(
                description='expert: a showcase, functions once in a turn, no holding after buying.\n\n- `base`: Base game\n- `expert`: Expert game Default: `"base"`.'
            ),
        ]
        | UnsetType
    ) = UNSET


ScopinionPhase: TypeAlias = Literal["aside", "deal", "draw", "keep", "over", "settle", "turn"]


class ScopinionPikOffMadeEvent(Struct, kw_only=True, tag_field="type", tag="pik_off_made"):
    """
    The seat put a card of the display on top of the graveyard; its place is filled if the supply lasts (SP-28).
    """

    card: Annotated[
        str, Meta(description="A card's id: the letter of its kind or colour, its value, and which copy it is.")
    ]
    filled: Annotated[list[str], Meta(description="The card that is in its place now; empty if the supply is used up.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class ScopinionPikOffMove(Struct, kw_only=True, tag_field="type", tag="pik_off"):
    """
    Put a card of the display, all of whose cards had spades when your turn began, onto the graveyard (SP-28).
    """

    card: Annotated[str, Meta(description="A card's id.")]


class ScopinionPlayedEvent(Struct, kw_only=True, tag_field="type", tag="played"):
    """
    The seat laid a card on its stage to draw (SP-23, SP-25).
    """

    card: Annotated[
        str, Meta(description="A card's id: the letter of its kind or colour, its value, and which copy it is.")
    ]
    function: Annotated[
        Literal["draw_one", "draw_two"],
        Meta(description="- `draw_one`: draw one card (1)\n- `draw_two`: draw two cards (2)"),
    ]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class ScopinionPrintedCard(Struct, kw_only=True):
    """
    A card as the deck file lists it (SP-1). What is left out is not on the card.
    """

    id: Annotated[
        str,
        Meta(
            description="g, b, r, o for a start card of that colour, c for a central card, t for a target; the value; and behind a hyphen which one it is of several."
        ),
    ]
    kind: Annotated[
        ScopinionKind,
        Meta(
            description="`start`: in a seat's first deck; `central`: in the supply; `target`: worth points in a vault."
        ),
    ]
    value: Annotated[int, Meta(description="The printed number: the price of the card, and what it pays.")]
    arrow: (
        Annotated[bool, Meta(description="An arrow: the card can trash another one. Default: `false`.")] | UnsetType
    ) = UNSET
    bolt: (
        Annotated[
            bool, Meta(description="A bolt: the card comes to the hand as soon as it is bought. Default: `false`.")
        ]
        | UnsetType
    ) = UNSET
    border: Annotated[bool, Meta(description="A red border. Default: `false`.")] | UnsetType = UNSET
    colour: (
        Annotated[ScopinionColour, Meta(description="The colour of a start card; null for others.")] | None | UnsetType
    ) = UNSET
    green: Annotated[int, Meta(description="Green hearts. Default: `0`.")] | UnsetType = UNSET
    group: Annotated[ScopinionGroup, Meta(description="The group of a target; null for others.")] | None | UnsetType = (
        UNSET
    )
    mix: (
        Annotated[bool, Meta(description="The symbol for shuffling, on targets of group C. Default: `false`.")]
        | UnsetType
    ) = UNSET
    red: Annotated[int, Meta(description="Red hearts. Default: `0`.")] | UnsetType = UNSET
    spades: (
        Annotated[int, Meta(description="Each takes off two points unless a green heart neutralises it. Default: `0`.")]
        | UnsetType
    ) = UNSET


class ScopinionRejectedEvent(Struct, kw_only=True, tag_field="type", tag="rejected"):
    """
    The drawn card lies on the seat's stage; the seat draws another one (SP-24).
    """

    card: Annotated[
        str, Meta(description="A card's id: the letter of its kind or colour, its value, and which copy it is.")
    ]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class ScopinionScoredEvent(Struct, kw_only=True, tag_field="type", tag="scored"):
    """
    The points of all seats, line by line (SP-52).
    """

    breakdown: Annotated[list[ScopinionBreakdown], Meta(description="By seat: its points, line by line.")]


class ScopinionSecureMove(Struct, kw_only=True, tag_field="type", tag="secure"):
    """
    Lay a target of your hand face down into your vault (SP-27).
    """

    card: Annotated[str, Meta(description="A card's id.")]


class ScopinionSecuredEvent(Struct, kw_only=True, tag_field="type", tag="secured"):
    """
    A target from the seat's hand lies face down in its vault; nobody else sees which one (SP-27).
    """

    card: Annotated[str, Meta(description="Null for everybody but the seat until the game is over.")] | None
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class ScopinionShuffledEvent(Struct, kw_only=True, tag_field="type", tag="shuffled"):
    """
    The rest of the seat's deck and its discard were shuffled and are its deck (SP-32, SP-42).
    """

    deck: Annotated[
        list[str | None],
        Meta(description="The new deck; the last card is its top. Null for everybody until the game is over."),
    ]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class ScopinionTakeMove(Struct, kw_only=True, tag_field="type", tag="take"):
    """
    Take a central card from the display: the function of the 0 (SP-22).
    """

    by: Annotated[str, Meta(description="The card of your hand that has the function; it goes to the stage.")]
    card: Annotated[str, Meta(description="An open card: in the display, or the top target.")]


class ScopinionTrashMove(Struct, kw_only=True, tag_field="type", tag="trash"):
    """
    Put another card of your hand onto the graveyard: the function of the arrow (SP-26).
    """

    by: Annotated[str, Meta(description="The card of your hand that has the function; it goes to the stage.")]
    card: Annotated[str, Meta(description="The card that goes; not a target.")]


class ScopinionTrashedEvent(Struct, kw_only=True, tag_field="type", tag="trashed"):
    """
    The seat laid a card with an arrow on its stage, and another one is on top of the graveyard (SP-26).
    """

    by: Annotated[
        str, Meta(description="A card's id: the letter of its kind or colour, its value, and which copy it is.")
    ]
    card: Annotated[
        str, Meta(description="A card's id: the letter of its kind or colour, its value, and which copy it is.")
    ]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class ScopinionTripleMove(Struct, kw_only=True, tag_field="type", tag="triple"):
    """
    Buy an open card with three times the value of one card: the function of the 3 (SP-21).
    """

    by: Annotated[str, Meta(description="The card of your hand that has the function; it goes to the stage.")]
    card: Annotated[str, Meta(description="An open card: in the display, or the top target.")]
    other: Annotated[str, Meta(description="The card of your hand that counts three times.")]
    to: (
        Annotated[
            Literal["showcase", "stage"],
            Meta(description="The place of a target in expert mode, `stage` or `showcase`; null for all other cards (SP-62).\n\n- `stage`: onto the stage\n- `showcase`: into the showcase"),
        ]
        | None
        | UnsetType
    ) = UNSET


class ScopinionTurnBeganEvent(Struct, kw_only=True, tag_field="type", tag="turn_began"):
    """
    It is the seat's turn, the first one or after cards that were owed; it may make a `pik_off` (SP-7).
    """

    pik_off: Annotated[bool, Meta(description="- `true`: , who may make a Pik-off\n- `false`: no Pik-off")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class ScopinionTurnEndedEvent(Struct, kw_only=True, tag_field="type", tag="turn_ended"):
    """
    The seat laid these cards of its hand on its stage, all of the stage on its discard, and drew (SP-30).

    Which card it has held is not told, and what it drew from its deck nobody else sees. Cards are still owed to it if
    the deck had too few, or is to be shuffled first. Then empty places of the display are filled, the first one first,
    as long as the supply lasts, and the top target is `turned` up if it lay face down. If it `goes_on` at once the
    next seat's turn has begun, and it may make a `pik_off`; not while cards are owed, and not after the last turn.
    """

    drawn: Annotated[
        list[str | None],
        Meta(
            description="The cards drawn into the hand, first to last. Null for everybody but the seat until the game is over."
        ),
    ]
    filled: Annotated[
        list[str], Meta(description="The cards that were laid into empty places of the display, first place first.")
    ]
    goes_on: Annotated[bool, Meta(description="True: the next seat's turn has begun.")]
    pik_off: Annotated[bool, Meta(description="- `true`: , who may make a Pik-off\n- `false`: no Pik-off")]
    reshuffle: Annotated[bool, Meta(description="- `true`: Shuffle deck and discard first\n- `false`: Do not shuffle")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    staged: Annotated[list[str], Meta(description="The cards that went from the hand to the stage.")]
    turned: Annotated[list[str], Meta(description="The target that was turned up; empty if none was.")]


class ScopinionView(Struct, kw_only=True):
    """
    The table. The dealer acts in `deal`, when a `shuffle` is wanted, and when cards are `owed` that the seat's deck
    has not, while its discard has. Nobody acts while cards are drawn, `aside` or into the hand (`draw`), between turns
    (`settle`), and in `over`.
    """

    bought: Annotated[bool, Meta(description="True: a card was bought in this turn.")]
    breakdown: Annotated[
        list[ScopinionBreakdown], Meta(description="By seat: the points line by line; empty until the game is over.")
    ]
    deck: Annotated[str, Meta(description="The name of the deck. It selects the deck when a game is opened.")]
    decks: Annotated[
        list[list[str | None]], Meta(description="By seat: its own deck, face down; the last card is the top.")
    ]
    discards: Annotated[
        list[list[str]], Meta(description="By seat: its discard pile, face up; the last card is the top.")
    ]
    display: Annotated[
        list[str | None], Meta(description="The three cards face up in the middle; null is an empty place.")
    ]
    drawn: Annotated[str, Meta(description="The card that is kept or rejected, in phase `keep`; null in others.")] | None
    final: Annotated[int, Meta(description="Once the end is near: how many turns still begin after the current one (SP-50).")] | None
    graveyard: Annotated[
        list[str],
        Meta(description="Cards out of the decks; the last card is the top, and cards are drawn from the bottom."),
    ]
    hands: Annotated[
        list[list[str | None]],
        Meta(description="By seat: the cards in the order of arrival. Cards that the viewer cannot know are null."),
    ]
    mix: Annotated[bool, Meta(description="True: a card with the symbol for shuffling was bought in this turn.")]
    options: Annotated[ScopinionOptions, Meta(description="The options of the game.")]
    owed: Annotated[int, Meta(description="The number of cards that the seat still draws.")]
    phase: Annotated[
        ScopinionPhase,
        Meta(
            description="The phase: what the game waits for.\n\n- `deal`: The table is laid\n- `turn`: Buy, use functions, or end the turn\n- `keep`: Keep the drawn card, or reject it\n- `aside`: A card is drawn\n- `draw`: Cards are drawn\n- `settle`: The turn ends\n- `over`: The game is over"
        ),
    ]
    pik_off: Annotated[
        bool,
        Meta(
            description="The seat may put one card of the display onto the graveyard.\n\n- `true`: , who may make a Pik-off\n- `false`: no Pik-off"
        ),
    ]
    removed: Annotated[list[str | None], Meta(description="Cards that take no part in the game, never shown.")]
    showcases: Annotated[
        list[list[str]], Meta(description="By seat: the targets that lie openly for good, in expert mode.")
    ]
    shuffle: Annotated[bool, Meta(description="The seat wants its deck and discard to be shuffled.")]
    stage: Annotated[
        list[str], Meta(description="The cards that the seat whose turn it is has played and bought, in this order.")
    ]
    starter: Annotated[int, Meta(description="The seat that begins the game; null until it is known.")] | None
    supply: Annotated[
        list[str | None], Meta(description="The pile that refills the display, face down; the last card is the top.")
    ]
    targets: Annotated[
        list[str | None],
        Meta(
            description="The pile of targets; the last card is the top.\n\nThose of group C lie face up, the others face down, the top one either way."
        ),
    ]
    top_open: Annotated[bool, Meta(description="The top target lies face up.")]
    turn: Annotated[int, Meta(description="The seat whose turn it is.")] | None
    used: Annotated[
        list[ScopinionFunction],
        Meta(
            description="The functions used in this turn.\n\n- `take`: take a central card (0)\n- `draw_one`: draw one card (1)\n- `draw_two`: draw two cards (2)\n- `triple`: triple a number (3)\n- `trash`: put a card onto the graveyard (arrow)"
        ),
    ]
    vaults: Annotated[
        list[list[str | None]],
        Meta(
            description="By seat: the secured targets, in the order of securing. Null: a card that the viewer cannot know."
        ),
    ]
    winners: Annotated[list[int], Meta(description="The seats that have won; null until the game is over.")] | None


class ScopinionWonEvent(Struct, kw_only=True, tag_field="type", tag="won"):
    """
    These seats have the most points and, of those, the most hearts in their own cards (SP-53).
    """

    winners: Annotated[list[int], Meta(description="The winning seats; several in a tie.")]


ScoutCause: TypeAlias = Literal["empty_hand", "stuck", "unbeaten"]


class ScoutDealtEvent(Struct, kw_only=True, tag_field="type", tag="dealt"):
    """
    A round begins: each seat has a hand; in the official game for two the other cards wait for round 2 (SC-21).
    """

    aside: Annotated[
        list[list[int] | None],
        Meta(
            description="The cards for the second round of the official game for two; else empty. Null for everybody until the game is\nover."
        ),
    ]
    hands: Annotated[
        list[list[list[int] | None]],
        Meta(
            description="By seat: the cards from left to right. Null for everybody but their seat until the game is over."
        ),
    ]


ScoutEnd: TypeAlias = Literal["left", "right"]


class ScoutKeepMove(Struct, kw_only=True, tag_field="type", tag="keep"):
    """
    Hold your hand as it was dealt (SC-10).
    """


class ScoutLotDrawnEvent(Struct, kw_only=True, tag_field="type", tag="lot_drawn"):
    """
    The seat begins the first round (SC-20).
    """

    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


ScoutOccupant: TypeAlias = Literal["careful/1", "deep/1", "easy/1", "me", "open", "random/1", "trained/1"]


class ScoutOptions(Struct, kw_only=True):
    """
    Fixed when the game is opened.
    """

    scout_and_show: Annotated[
        Literal["any", "scouted_card"],
        Meta(
            description="The set to show after Scout & Show: any set that beats, or one with the card just taken.\n\n- `any`: Any set that beats the active one\n- `scouted_card`: A set with the card just taken"
        ),
    ]
    two_player: Annotated[
        Literal["official", "seed"],
        Meta(
            description="The rules for two. official: the game for two: scouting costs a chip. seed: as with more.\n\n- `official`: The game for two\n- `seed`: The same rules as with more players"
        ),
    ]


class ScoutOptionsInput(Struct, kw_only=True):
    """
    Fixed when the game is opened.
    """

    scout_and_show: (
        Annotated[
            Literal["any", "scouted_card"],
            Meta(
                description='The set to show after Scout & Show: any set that beats, or one with the card just taken.\n\n- `any`: Any set that beats the active one\n- `scouted_card`: A set with the card just taken Default: `"any"`.'
            ),
        ]
        | UnsetType
    ) = UNSET
    two_player: (
        Annotated[
            Literal["official", "seed"],
            Meta(
                description='The rules for two. official: the game for two: scouting costs a chip. seed: as with more.\n\n- `official`: The game for two\n- `seed`: The same rules as with more players Default: `"official"`.'
            ),
        ]
        | UnsetType
    ) = UNSET


class ScoutOrientedEvent(Struct, kw_only=True, tag_field="type", tag="oriented"):
    """
    The seat has decided how to hold its hand; only the seat itself sees whether it turned it.
    """

    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    turned: Annotated[bool, Meta(description="- `true`: turned\n- `false`: kept as dealt")] | None


ScoutPhase: TypeAlias = Literal["combo", "deal", "lot", "orient", "over", "settle", "turn"]


class ScoutPrintedCard(Struct, kw_only=True):
    """
    A card as the deck file lists it.
    """

    numbers: Annotated[list[int], Meta(description="The lower one first.")]
    players: Annotated[list[int], Meta(description="The numbers of seats with which the card is in play.")]


class ScoutRound(Struct, kw_only=True):
    """
    A round that has been played.
    """

    cause: Annotated[
        ScoutCause,
        Meta(
            description="The reason why the round ended.\n\n- `empty_hand`: a hand is empty\n- `unbeaten`: nobody has beaten the active set\n- `stuck`: no move is left"
        ),
    ]
    exempt: Annotated[list[int], Meta(description="The seats whose hands cost nothing.")]
    points: Annotated[list[int], Meta(description="By seat: the points of the round.")]


class ScoutRoundScoredEvent(Struct, kw_only=True, tag_field="type", tag="round_scored"):
    """
    The end of a round with its cause, and the points of every seat; hands of exempt seats cost nothing (SC-24).
    """

    cause: Annotated[
        ScoutCause,
        Meta(
            description="- `empty_hand`: a hand is empty\n- `unbeaten`: nobody has beaten the active set\n- `stuck`: no move is left"
        ),
    ]
    exempt: Annotated[list[int], Meta(description="The seats whose hands cost nothing.")]
    points: Annotated[list[int], Meta(description="By seat: what is added to the totals.")]


class ScoutScoutMove(Struct, kw_only=True, tag_field="type", tag="scout"):
    """
    Take a card from an end of the active set into your hand (SC-15).
    """

    end: Annotated[ScoutEnd, Meta(description="A single card is the left one.\n\n- `left`: left\n- `right`: right")]
    flip: Annotated[
        bool, Meta(description="Put it in upside down (SC-16).\n\n- `true`: turned over\n- `false`: as it lay")
    ]
    position: Annotated[
        int,
        Meta(description="The index of the hand card to insert before, from 0; your number of cards: the right end."),
    ]
    show: Annotated[
        bool,
        Meta(
            description="Scout & Show: spend that chip, and show a set next (SC-18).\n\n- `true`: with Scout & Show\n- `false`: without showing"
        ),
    ]


class ScoutScoutedEvent(Struct, kw_only=True, tag_field="type", tag="scouted"):
    """
    The seat took the card, shown as it lay. Only the seat itself sees its orientation and its place in the hand.
    """

    card: Annotated[list[int], Meta(description="[up, down]: the number that counts, and the one that is upside down.")]
    end: Annotated[ScoutEnd, Meta(description="- `left`: left\n- `right`: right")]
    flip: Annotated[bool, Meta(description="- `true`: turned over\n- `false`: as it lay")] | None
    position: Annotated[int, Meta(description="The place in the hand, from 0 at the left. Null for everybody but the seat until the game is over.")] | None
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    show: Annotated[bool, Meta(description="- `true`: with Scout & Show\n- `false`: without showing")]


class ScoutShowMove(Struct, kw_only=True, tag_field="type", tag="show"):
    """
    Lay neighbouring cards of your hand down as the new active set; they must beat the old one (SC-13).
    """

    count: Annotated[int, Meta(description="The number of cards.")]
    start: Annotated[int, Meta(description="The place of the leftmost card in your hand.")]


class ScoutShownEvent(Struct, kw_only=True, tag_field="type", tag="shown"):
    """
    The cards lie in the middle as they left the hand. Only the seat itself sees their place in the hand.
    """

    cards: Annotated[list[list[int]], Meta(description="The new active set, from left to right.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    start: Annotated[int, Meta(description="The place of the leftmost card in the hand, from 0. Null for everybody but the seat until the game is over.")] | None


class ScoutStuckEvent(Struct, kw_only=True, tag_field="type", tag="stuck"):
    """
    It would be the seat's turn, but it has neither a chip nor a set that beats the active one (SC-44).
    """

    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class ScoutTurnBeganEvent(Struct, kw_only=True, tag_field="type", tag="turn_began"):
    """
    It is the seat's turn, or in the official game for two still its turn (SC-42).
    """

    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class ScoutTurnMove(Struct, kw_only=True, tag_field="type", tag="turn"):
    """
    Turn your whole hand by 180 degrees: the other numbers count, in reverse order (SC-11).
    """


class ScoutView(Struct, kw_only=True):
    """
    The table. The dealer acts in `lot` and `deal`, nobody in `settle` (what a move entails) and `over`.
    """

    active: Annotated[
        list[list[int]], Meta(description="The active set, from left to right; cards are scouted from its ends.")
    ]
    aside: Annotated[
        list[list[int] | None],
        Meta(description="The cards set aside for the second round of the official game for two, unseen."),
    ]
    chips: Annotated[list[int], Meta(description="By seat: the number of scout chips, one point each.")]
    collected: Annotated[list[int], Meta(description="By seat: the number of beaten cards, one point each.")]
    combo: Annotated[list[bool], Meta(description="By seat: whether it still has the Scout & Show chip.")]
    deck: Annotated[str, Meta(description="The name of the deck. It selects the deck when a game is opened.")]
    hands: Annotated[
        list[list[list[int] | None]],
        Meta(
            description="By seat: the cards from left to right. Cards of others are null; their number is not hidden."
        ),
    ]
    inserted: Annotated[int, Meta(description="The index in the hand of the card just taken, in phase `combo`; null in others.")] | None
    options: Annotated[ScoutOptions, Meta(description="The options of the game.")]
    oriented: Annotated[list[bool], Meta(description="By seat: whether it has kept or turned its hand.")]
    owner: Annotated[int, Meta(description="The seat that showed the active set, even if nothing of it is left.")] | None
    phase: Annotated[
        ScoutPhase,
        Meta(
            description="The phase: what the game waits for.\n\n- `lot`: The first to begin is drawn by lot\n- `deal`: The cards are dealt\n- `orient`: Keep your hand, or turn it\n- `turn`: Show a set, or scout a card\n- `combo`: Show a set after the scouting\n- `settle`: The move is completed\n- `over`: The game is over"
        ),
    ]
    round: Annotated[int, Meta(description="The number of the round, from 1.")]
    rounds: Annotated[list[ScoutRound], Meta(description="The scored rounds, first to last.")]
    scouts: Annotated[
        int, Meta(description="Plain scouts since the last show; not counted in the official game for two.")
    ]
    starter: Annotated[int, Meta(description="The seat that has, or will have, the first turn of the round.")] | None
    totals: Annotated[list[int], Meta(description="By seat: the points of all scored rounds.")]
    turn: Annotated[int, Meta(description="The seat whose turn it is.")] | None
    winners: Annotated[list[int], Meta(description="The seats that have won; null until the game is over.")] | None


class ScoutWonEvent(Struct, kw_only=True, tag_field="type", tag="won"):
    """
    All rounds are played: these seats have the highest total (SC-26).
    """

    winners: Annotated[list[int], Meta(description="The winning seats; several in a tie.")]


class SeatAssignment(Struct, kw_only=True):
    """
    A seat, its player (null: free, or a bot's), and the player's entropy for the shuffles.
    """

    entropy: Annotated[
        str,
        Meta(
            description="The text that the player contributes to the shuffles. Empty in a sealed game until they are ready."
        ),
    ]
    player: Annotated[Player, Meta(description="The player; null while the seat is free, or of a bot.")] | None
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    bot: Annotated[str, Meta(description="The bot that plays the seat. Absent otherwise.")] | UnsetType = UNSET
    gone: (
        Annotated[
            bool,
            Meta(description="True if the player has left the running game and the bot goes on. Absent otherwise."),
        ]
        | UnsetType
    ) = UNSET
    ready: (
        Annotated[
            bool, Meta(description="True if the player has opened their entropy in such a game. Absent otherwise.")
        ]
        | UnsetType
    ) = UNSET
    reserved: (
        Annotated[Player, Meta(description="The player for whom the free seat is kept. Absent otherwise.")] | UnsetType
    ) = UNSET
    seal: (
        Annotated[
            str,
            Meta(
                description="The hash of the player's entropy, in a sealed game that has not begun. Absent otherwise."
            ),
        ]
        | UnsetType
    ) = UNSET


class SeatClock(Struct, kw_only=True):
    """
    The time that a seat has left.
    """

    left: Annotated[
        int, Meta(description="Milliseconds in the bank. While `runs_out` is not null: when the current choice arose.")
    ]
    reserve: Annotated[int, Meta(description="Milliseconds in the reserve, as of the same time.")]
    runs_out: Annotated[str, Meta(description="The time at which the seat has used all its time, delay and reserve included (RFC 3339, UTC). Null while it has no choice.")] | None


class SeatRange(Struct, kw_only=True):
    """
    The smallest and the largest number of players.
    """

    least: Annotated[int, Meta(description="The smallest number of players, bots included.")]
    most: Annotated[int, Meta(description="The largest number of players, bots included.")]


class SeatRequest(Struct, kw_only=True):
    """
    The seat to take. Default: the seat that is kept for the caller or that the caller has left, else the first free
    one.
    """

    entropy: (
        Annotated[
            str,
            Meta(
                description='The contribution of a seat to the shuffles: up to 64 printable ASCII characters, public. Default: `""`.'
            ),
        ]
        | UnsetType
    ) = UNSET
    seal: (
        Annotated[
            str,
            Meta(
                description="The hash of the entropy that the seat of a sealed game opens when all seats are taken, in lower-case hex."
            ),
        ]
        | UnsetType
    ) = UNSET
    seat: (
        Annotated[int, Meta(description="The seat to take. Null or absent: the service chooses.")] | None | UnsetType
    ) = UNSET


class SeatTakenProblem(Struct, kw_only=True):
    """
    The seat is taken or does not exist, or no seat is free.
    """

    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["seat-taken"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class SeatTerms(Struct, kw_only=True):
    """
    The player whom a seat is for. Without fields it is open to everybody.
    """

    bot: Annotated[str, Meta(description="The bot that plays the seat, `NAME/VERSION`.")] | UnsetType = UNSET
    player: Annotated[str, Meta(description="The id of a player: a guest's UUID, or `namespace:sub`.")] | UnsetType = (
        UNSET
    )


class SeatsFixedProblem(Struct, kw_only=True):
    """
    A player has opened their entropy, so nobody leaves before the game begins.
    """

    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["seats-fixed"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class SharedDeal(Struct, kw_only=True):
    """
    The data that the tables of the same deal have in common.
    """

    commitment: Annotated[str, Meta(description="The hash of the secret, in the terms of each game.")]
    id: Annotated[str, Meta(description="The id of the deal, in the terms of each game.")]
    secret: Annotated[str, Meta(description="The secret that all cards follow from; null until everything is over.")] | None


class SignOut(Struct, kw_only=True):
    """
    A code that the device that signs out everywhere exchanges for its next token.
    """

    code: Annotated[str, Meta(description="128 random bits as 32 hexadecimal digits, chosen by the client.")]


SkyjoActionAction: TypeAlias = Literal["defence", "double_move", "draw_three", "look_line", "play_discarded_action", "remove_one_each", "steal_action", "swap_own", "swap_players"]


class SkyjoActionActionCard(Struct, kw_only=True):
    """
    An action card in front of a seat; a fresh one cannot be played or discarded yet (SA-24).
    """

    card: Annotated[SkyjoActionAction, Meta(description="The card.")]
    fresh: Annotated[bool, Meta(description="It cannot be played or discarded before the next turn of its owner.")]


class SkyjoActionActionLaidOpenEvent(Struct, kw_only=True, tag_field="type", tag="action_laid_open"):
    """
    The top card of the pile of action cards was laid open in a gap (SA-25).
    """

    card: Annotated[SkyjoActionAction, Meta(description="The action card that lies there now.")]
    place: Annotated[int, Meta(description="The gap among the open action cards, 0 to 3.")]


class SkyjoActionActionsRestockedEvent(Struct, kw_only=True, tag_field="type", tag="actions_restocked"):
    """
    All discarded action cards but the top one were shuffled and are their new pile (SA-67).
    """

    action_pile: Annotated[
        list[SkyjoActionAction | None],
        Meta(
            description="The new pile of action cards; the last one is the top. Null for everybody until the game is over."
        ),
    ]


class SkyjoActionBlockedEvent(Struct, kw_only=True, tag_field="type", tag="blocked"):
    """
    A defence of the seat has warded off the attack and is used up (SA-60).
    """

    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


SkyjoActionCard: TypeAlias = int | Literal["star"]


class SkyjoActionDealtEvent(Struct, kw_only=True, tag_field="type", tag="dealt"):
    """
    A round begins: twelve cards face down for each seat, one face up, the rest is the draw pile (SA-66).

    Of the action cards four lie open, one may open their discard pile, the rest is their pile.
    """

    action_discard: Annotated[
        list[SkyjoActionAction], Meta(description="The discard pile of the action cards: one card, or none.")
    ]
    action_pile: Annotated[
        list[SkyjoActionAction | None],
        Meta(
            description="The other action cards, face down; the last one is the top. Null for everybody until the game is over."
        ),
    ]
    discard: Annotated[
        SkyjoActionCard, Meta(description="The first card of the discard pile. The number on the card, or `star`.")
    ]
    draw: Annotated[
        list[SkyjoActionCard | None],
        Meta(description="The draw pile; the last card is its top. Null for everybody until the game is over."),
    ]
    layouts: Annotated[
        list[list[SkyjoActionCard | None]],
        Meta(
            description="By seat: the cards, at column * 3 + row. All lie face down. Null for everybody until the game is over."
        ),
    ]
    open: Annotated[list[SkyjoActionAction], Meta(description="The open action cards, by their place.")]


class SkyjoActionDeck(Struct, kw_only=True):
    """
    The number of cards for each number, of stars, of action cards of each kind, and of blank cards.
    """

    actions: Annotated[dict[str, int], Meta(description="The number of action cards of each kind.")]
    blank: Annotated[int, Meta(description="The number of blank cards in the box. They are not played with.")]
    name: Annotated[str, Meta(description="It selects the deck when a game is opened.")]
    numbers: Annotated[dict[str, int], Meta(description="The number of cards of each value.")]
    provenance: Annotated[str, Meta(description="The source of the list of cards.")]
    ruleset: Annotated[str, Meta(description="The ruleset that the deck is for.")]
    stars: Annotated[int, Meta(description="The number of star cards.")]
    licence: (
        Annotated[
            str,
            Meta(
                description="The licence of these data, which records contain: an SPDX expression, `LicenseRef-` for others."
            ),
        ]
        | UnsetType
    ) = UNSET


class SkyjoActionDiscardMove(Struct, kw_only=True, tag_field="type", tag="discard"):
    """
    Put away an action card that has lain in front of you since an earlier turn, without effect (SA-35).
    """

    card: Annotated[SkyjoActionAction, Meta(description="The action card.")]


class SkyjoActionDiscardedEvent(Struct, kw_only=True, tag_field="type", tag="discarded"):
    """
    The seat's action card lies on their discard pile, without effect (SA-35).
    """

    card: Annotated[SkyjoActionAction, Meta(description="The action card that has no effect.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class SkyjoActionDrawMove(Struct, kw_only=True, tag_field="type", tag="draw"):
    """
    Draw the top card of the draw pile (SA-31).
    """


class SkyjoActionDrawnAsideEvent(Struct, kw_only=True, tag_field="type", tag="drawn_aside"):
    """
    One of three cards was drawn; nobody else sees it (SA-53).
    """

    card: Annotated[SkyjoActionCard, Meta(description="Null for everybody but the seat until the game is over.")] | None
    place: Annotated[int, Meta(description="The index of one of the three cards, 0 to 2.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class SkyjoActionDrawnEvent(Struct, kw_only=True, tag_field="type", tag="drawn"):
    """
    The seat holds the top card of the draw pile; nobody else sees it.
    """

    card: Annotated[SkyjoActionCard, Meta(description="Null for everybody but the seat until the game is over.")] | None
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class SkyjoActionDropMove(Struct, kw_only=True, tag_field="type", tag="drop"):
    """
    Put one of the three drawn cards onto the discard pile (SA-53).
    """

    place: Annotated[int, Meta(description="The index of a drawn card.")]


class SkyjoActionDroppedEvent(Struct, kw_only=True, tag_field="type", tag="dropped"):
    """
    One of the three cards is now the top discard.
    """

    card: Annotated[SkyjoActionCard, Meta(description="The number on the card, or `star`.")]
    place: Annotated[int, Meta(description="The index of one of the three cards, 0 to 2.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class SkyjoActionEffectLapsedEvent(Struct, kw_only=True, tag_field="type", tag="effect_lapsed"):
    """
    The action card that was fetched has nothing to act on (SA-50).
    """

    card: Annotated[SkyjoActionAction, Meta(description="The action card that was fetched.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class SkyjoActionFinalLapBeganEvent(Struct, kw_only=True, tag_field="type", tag="final_lap_began"):
    """
    Some layout has no face-down card left; every other seat has one more turn (SA-25, SA-70).
    """

    finisher: Annotated[
        int, Meta(description="The seat that ends the round. Seats are numbered from 0, rising clockwise.")
    ]


class SkyjoActionFlipMove(Struct, kw_only=True, tag_field="type", tag="flip"):
    """
    Turn up a face-down card of your own: at the beginning of a round, or at the end of a move (SA-38).
    """

    slot: Annotated[int, Meta(description="A place in the own layout: column * 3 + row.")]


class SkyjoActionFlippedEvent(Struct, kw_only=True, tag_field="type", tag="flipped"):
    """
    The seat turned up one of its cards.
    """

    card: Annotated[SkyjoActionCard, Meta(description="The number on the card, or `star`.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    slot: Annotated[int, Meta(description="A place in the seat's layout: column * 3 + row.")]


class SkyjoActionKeepLinesMove(Struct, kw_only=True, tag_field="type", tag="keep_lines"):
    """
    Leave the lines with stars in them where they are for now (SA-45).
    """


class SkyjoActionKeepMove(Struct, kw_only=True, tag_field="type", tag="keep"):
    """
    Keep one of the three drawn cards; it must then be swapped in (SA-53).
    """

    place: Annotated[int, Meta(description="The index of a drawn card.")]


class SkyjoActionKeepNoneMove(Struct, kw_only=True, tag_field="type", tag="keep_none"):
    """
    Keep none of the three drawn cards; in the end one of yours is turned up (SA-53).
    """


class SkyjoActionKeptEvent(Struct, kw_only=True, tag_field="type", tag="kept"):
    """
    The seat holds one of the three cards, which is still seen by nobody else.
    """

    place: Annotated[int, Meta(description="The index of one of the three cards, 0 to 2.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class SkyjoActionKeptNoneEvent(Struct, kw_only=True, tag_field="type", tag="kept_none"):
    """
    The seat keeps none of the three cards.
    """

    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


SkyjoActionKind: TypeAlias = Literal["choose", "drop", "end", "fill", "flip", "keep", "lines", "look", "moves", "pick", "place", "replay", "slot", "steal", "three", "victims"]


SkyjoActionLine: TypeAlias = Literal["c0", "c1", "c2", "c3", "r0", "r1", "r2"]


class SkyjoActionLineClearedEvent(Struct, kw_only=True, tag_field="type", tag="line_cleared"):
    """
    A line went onto the discard pile: the cards in the order in which they were laid there (SA-44 to SA-47).
    """

    bonus: Annotated[
        int, Meta(description="The points that are added to the round: negative for a line of stars, else 0.")
    ]
    cards: Annotated[
        list[SkyjoActionCard], Meta(description="The cards that lay there, in the order in which they were discarded.")
    ]
    line: Annotated[
        SkyjoActionLine,
        Meta(
            description="- `c0`: column 1\n- `c1`: column 2\n- `c2`: column 3\n- `c3`: column 4\n- `r0`: row 1\n- `r1`: row 2\n- `r2`: row 3"
        ),
    ]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    slots: Annotated[list[int], Meta(description="The places that are empty now: column * 3 + row.")]


class SkyjoActionLineLookedEvent(Struct, kw_only=True, tag_field="type", tag="line_looked"):
    """
    The seat looked at the face-down cards of a line; nobody else sees them (SA-54).
    """

    cards: Annotated[
        list[SkyjoActionCard | None],
        Meta(description="The cards in these places. Null for everybody but the seat until the game is over."),
    ]
    line: Annotated[
        SkyjoActionLine,
        Meta(
            description="- `c0`: column 1\n- `c1`: column 2\n- `c2`: column 3\n- `c3`: column 4\n- `r0`: row 1\n- `r1`: row 2\n- `r2`: row 3"
        ),
    ]
    owner: Annotated[
        int, Meta(description="The seat in whose layout the line is. Seats are numbered from 0, rising clockwise.")
    ]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    slots: Annotated[list[int], Meta(description="The places of the face-down cards: column * 3 + row.")]


class SkyjoActionLinesKeptEvent(Struct, kw_only=True, tag_field="type", tag="lines_kept"):
    """
    The seat leaves its lines with stars in them where they are.
    """

    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class SkyjoActionLinesOfferedEvent(Struct, kw_only=True, tag_field="type", tag="lines_offered"):
    """
    The seat may clear lines of its own that have a star in them (SA-45).
    """

    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class SkyjoActionLookMove(Struct, kw_only=True, tag_field="type", tag="look"):
    """
    Look at the face-down cards of a line (SA-54).
    """

    line: Annotated[
        SkyjoActionLine,
        Meta(
            description="- `c0`: column 1\n- `c1`: column 2\n- `c2`: column 3\n- `c3`: column 4\n- `r0`: row 1\n- `r1`: row 2\n- `r2`: row 3"
        ),
    ]
    seat: Annotated[int, Meta(description="The seat of the layout. Seats are numbered from 0, rising clockwise.")]


class SkyjoActionMoveBeganEvent(Struct, kw_only=True, tag_field="type", tag="move_began"):
    """
    Another move of the seat; `moves` are left, this one included (SA-25).
    """

    moves: Annotated[int, Meta(description="The number of moves that are left in this turn, this one included.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class SkyjoActionMovesAddedEvent(Struct, kw_only=True, tag_field="type", tag="moves_added"):
    """
    The seat has `moves` more moves (SA-52, SA-59).
    """

    moves: Annotated[int, Meta(description="The number of moves that are added.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


SkyjoActionOccupant: TypeAlias = Literal["careful/1", "easy/1", "me", "open", "random/1"]


class SkyjoActionOptions(Struct, kw_only=True):
    """
    Fixed when the game is opened (SA-4).
    """

    discarded_action_choice: Annotated[
        Literal["any", "top"],
        Meta(
            description="The discarded action card that `play_discarded_action` plays.\n\n- `top`: The top one\n- `any`: Any of them"
        ),
    ]
    double_only_positive: Annotated[
        bool, Meta(description="A finisher's points of zero or less are never doubled. False: they may be.")
    ]
    seed_action_discard: Annotated[
        bool, Meta(description="An action card opens their discard pile at the deal. False: it begins empty.")
    ]
    short_rows: Annotated[
        bool, Meta(description="A row with three cards left can be a line. False: only complete rows of four.")
    ]
    star_action: Annotated[
        Literal["may", "must"],
        Meta(
            description="The owner of a star may, or must, take an action card.\n\n- `may`: The owner may take an action card\n- `must`: The owner must take an action card"
        ),
    ]
    star_line_bonus: Annotated[
        bool, Meta(description="A cleared line of nothing but stars takes off 10 points, of four stars 15.")
    ]
    take_from_action_pile: Annotated[
        bool, Meta(description="A move may take the face-down top action card. False: only stars allow that.")
    ]
    target_points: Annotated[int, Meta(description="The game ends after the round in which some total reaches this.")]


class SkyjoActionOptionsInput(Struct, kw_only=True):
    """
    Fixed when the game is opened (SA-4).
    """

    discarded_action_choice: (
        Annotated[
            Literal["any", "top"],
            Meta(
                description='The discarded action card that `play_discarded_action` plays.\n\n- `top`: The top one\n- `any`: Any of them Default: `"top"`.'
            ),
        ]
        | UnsetType
    ) = UNSET
    double_only_positive: (
        Annotated[
            bool,
            Meta(
                description="A finisher's points of zero or less are never doubled. False: they may be. Default: `true`."
            ),
        ]
        | UnsetType
    ) = UNSET
    seed_action_discard: (
        Annotated[
            bool,
            Meta(
                description="An action card opens their discard pile at the deal. False: it begins empty. Default: `false`."
            ),
        ]
        | UnsetType
    ) = UNSET
    short_rows: (
        Annotated[
            bool,
            Meta(
                description="A row with three cards left can be a line. False: only complete rows of four. Default: `true`."
            ),
        ]
        | UnsetType
    ) = UNSET
    star_action: (
        Annotated[
            Literal["may", "must"],
            Meta(
                description='The owner of a star may, or must, take an action card.\n\n- `may`: The owner may take an action card\n- `must`: The owner must take an action card Default: `"may"`.'
            ),
        ]
        | UnsetType
    ) = UNSET
    star_line_bonus: (
        Annotated[
            bool,
            Meta(
                description="A cleared line of nothing but stars takes off 10 points, of four stars 15. Default: `true`."
            ),
        ]
        | UnsetType
    ) = UNSET
    take_from_action_pile: (
        Annotated[
            bool,
            Meta(
                description="A move may take the face-down top action card. False: only stars allow that. Default: `true`."
            ),
        ]
        | UnsetType
    ) = UNSET
    target_points: (
        Annotated[
            int, Meta(description="The game ends after the round in which some total reaches this. Default: `100`.")
        ]
        | UnsetType
    ) = UNSET


class SkyjoActionOwed(Struct, kw_only=True):
    """
    A card that was to come from an empty pile, and where it goes: what a restock interrupts.

    `held` to the hand of who draws, `three` to one of the three places, `layout` in place of a removed card: from the
    draw pile. `hand` in front of the seat, `open` to one of the four places: from the pile of action cards.
    """

    place: Annotated[int, Meta(description="Its place there, from 0.")]
    seat: Annotated[int, Meta(description="The seat that gets it. Seats are numbered from 0, rising clockwise.")]
    to: Annotated[
        Literal["hand", "held", "layout", "open", "three"],
        Meta(
            description="The place of the card.\n\n- `held`: to be held\n- `three`: to the three\n- `layout`: in place of a removed card\n- `hand`: in front of the player\n- `open`: to the open action cards"
        ),
    ]


SkyjoActionPhase: TypeAlias = Literal["deal", "over", "reveal", "setup", "turn"]


class SkyjoActionPickMove(Struct, kw_only=True, tag_field="type", tag="pick"):
    """
    Name a card in a layout: one to exchange, or the one that its owner loses (SA-51, SA-55, SA-56).
    """

    seat: Annotated[int, Meta(description="The seat of the layout. Seats are numbered from 0, rising clockwise.")]
    slot: Annotated[int, Meta(description="A place in the seat's layout: column * 3 + row.")]


class SkyjoActionPickSkippedEvent(Struct, kw_only=True, tag_field="type", tag="pick_skipped"):
    """
    The seat takes no action card for its star: it does not want to, or there is none.
    """

    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class SkyjoActionPicksGrantedEvent(Struct, kw_only=True, tag_field="type", tag="picks_granted"):
    """
    These seats, one after the other, may take an action card for a star of theirs (SA-22, SA-40).
    """

    seats: Annotated[list[int], Meta(description="The seats in the order in which they choose.")]


class SkyjoActionPlace(Struct, kw_only=True):
    """
    A place in a layout.
    """

    seat: Annotated[int, Meta(description="The seat of the layout. Seats are numbered from 0, rising clockwise.")]
    slot: Annotated[int, Meta(description="The place in the layout: column * 3 + row.")]


class SkyjoActionPlayMove(Struct, kw_only=True, tag_field="type", tag="play"):
    """
    Play an action card that has lain in front of you since an earlier turn (SA-34).
    """

    card: Annotated[SkyjoActionAction, Meta(description="The action card.")]


class SkyjoActionPlayedEvent(Struct, kw_only=True, tag_field="type", tag="played"):
    """
    The seat's action card lies on their discard pile and takes effect (SA-34).
    """

    card: Annotated[SkyjoActionAction, Meta(description="The action card that takes effect.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class SkyjoActionRanOutEvent(Struct, kw_only=True, tag_field="type", tag="ran_out"):
    """
    A card is to be drawn and its pile is empty.
    """

    owed: SkyjoActionOwed


class SkyjoActionRemovedEvent(Struct, kw_only=True, tag_field="type", tag="removed"):
    """
    The card went below all discards; if it lay face down nobody has seen it (SA-55).
    """

    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    slot: Annotated[int, Meta(description="A place in the seat's layout: column * 3 + row.")]


class SkyjoActionReplacedEvent(Struct, kw_only=True, tag_field="type", tag="replaced"):
    """
    A drawn card lies face up in place of the removed one.
    """

    card: Annotated[SkyjoActionCard, Meta(description="The number on the card, or `star`.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    slot: Annotated[int, Meta(description="A place in the seat's layout: column * 3 + row.")]


class SkyjoActionReplayMove(Struct, kw_only=True, tag_field="type", tag="replay"):
    """
    Play a discarded action card once more (SA-58).
    """

    card: Annotated[SkyjoActionAction, Meta(description="The action card.")]


class SkyjoActionReplayedEvent(Struct, kw_only=True, tag_field="type", tag="replayed"):
    """
    The action card was lifted to the top of their discard pile and takes effect once more (SA-58).
    """

    card: Annotated[SkyjoActionAction, Meta(description="The action card that takes effect once more.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class SkyjoActionRestockedEvent(Struct, kw_only=True, tag_field="type", tag="restocked"):
    """
    All discards but the top one were shuffled and are the new draw pile (SA-65).
    """

    draw: Annotated[
        list[SkyjoActionCard | None],
        Meta(description="The new draw pile; the last card is its top. Null for everybody until the game is over."),
    ]


class SkyjoActionRoundScoredEvent(Struct, kw_only=True, tag_field="type", tag="round_scored"):
    """
    The points of every seat in this round, the finisher's doubled where due (SA-72, SA-73).
    """

    points: Annotated[list[int], Meta(description="By seat: what is added to the totals.")]


class SkyjoActionSkipActionMove(Struct, kw_only=True, tag_field="type", tag="skip_action"):
    """
    Take no action card for the star (SA-40).
    """


class SkyjoActionSlot(Struct, kw_only=True):
    """
    A card in a layout.
    """

    card: Annotated[SkyjoActionCard, Meta(description="The card; null while the viewer may not see it.")] | None
    up: Annotated[bool, Meta(description="The card lies face up.")]


SkyjoActionSource: TypeAlias = int | Literal["pile"]


class SkyjoActionStarterFoundEvent(Struct, kw_only=True, tag_field="type", tag="starter_found"):
    """
    The seat will have the first turn (SA-21).
    """

    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class SkyjoActionStealMove(Struct, kw_only=True, tag_field="type", tag="steal"):
    """
    Play an action card of another seat as if it were yours (SA-57).
    """

    card: Annotated[SkyjoActionAction, Meta(description="The action card.")]
    seat: Annotated[int, Meta(description="The seat that loses the card. Seats are numbered from 0, rising clockwise.")]


class SkyjoActionStolenEvent(Struct, kw_only=True, tag_field="type", tag="stolen"):
    """
    The victim's action card lies on their discard pile and takes effect for the seat (SA-57).
    """

    card: Annotated[SkyjoActionAction, Meta(description="The action card that takes effect.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    victim: Annotated[int, Meta(description="The seat that had the card. Seats are numbered from 0, rising clockwise.")]


class SkyjoActionSwapMove(Struct, kw_only=True, tag_field="type", tag="swap"):
    """
    Lay the card you hold in place of one of yours, which goes to the discard pile (SA-36).
    """

    slot: Annotated[int, Meta(description="A place in the own layout: column * 3 + row.")]


class SkyjoActionSwappedEvent(Struct, kw_only=True, tag_field="type", tag="swapped"):
    """
    The held card lies face up in the slot; the one that lay there is now the top discard.
    """

    card: Annotated[SkyjoActionCard, Meta(description="The card that was held. The number on the card, or `star`.")]
    out: Annotated[
        SkyjoActionCard, Meta(description="The card that lay in the slot. The number on the card, or `star`.")
    ]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    slot: Annotated[int, Meta(description="A place in the seat's layout: column * 3 + row.")]


class SkyjoActionTakeActionMove(Struct, kw_only=True, tag_field="type", tag="take_action"):
    """
    Take an action card: as your move, or for a star (SA-33, SA-40).
    """

    source: Annotated[SkyjoActionSource, Meta(description="- `pile`: the top one of the pile")]


class SkyjoActionTakeMove(Struct, kw_only=True, tag_field="type", tag="take"):
    """
    Take the top card of the discard pile; it must then be swapped in (SA-32).
    """


class SkyjoActionTakenEvent(Struct, kw_only=True, tag_field="type", tag="taken"):
    """
    The seat holds the top card of the discard pile; `top` is the one below it, if there is one (SA-15).
    """

    card: Annotated[SkyjoActionCard, Meta(description="The number on the card, or `star`.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    top: Annotated[
        list[SkyjoActionCard],
        Meta(description="The card below it, which is the top discard now; empty if there is none."),
    ]


class SkyjoActionTossMove(Struct, kw_only=True, tag_field="type", tag="toss"):
    """
    Put the drawn card onto the discard pile; then turn up one of yours (SA-37).
    """


class SkyjoActionTossedEvent(Struct, kw_only=True, tag_field="type", tag="tossed"):
    """
    The drawn card is now the top discard.
    """

    card: Annotated[SkyjoActionCard, Meta(description="The number on the card, or `star`.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class SkyjoActionTurnBeganEvent(Struct, kw_only=True, tag_field="type", tag="turn_began"):
    """
    It is the seat's turn, and all its action cards are ready (SA-23).
    """

    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class SkyjoActionTurnedUp(Struct, kw_only=True):
    """
    A card that lay face down.
    """

    card: Annotated[SkyjoActionCard, Meta(description="The number on the card, or `star`.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    slot: Annotated[int, Meta(description="A place in the seat's layout: column * 3 + row.")]


class SkyjoActionVictimsNamedEvent(Struct, kw_only=True, tag_field="type", tag="victims_named"):
    """
    Each of these seats, one after the other, is to lose a card (SA-55).
    """

    seats: Annotated[list[int], Meta(description="The seats in the order in which they lose a card.")]


class SkyjoActionWonEvent(Struct, kw_only=True, tag_field="type", tag="won"):
    """
    Some total has reached the target: these seats have the lowest one (SA-74).
    """

    winners: Annotated[list[int], Meta(description="The winning seats; several in a tie.")]


class SkyjoColumnClearedEvent(Struct, kw_only=True, tag_field="type", tag="column_cleared"):
    """
    Three equal cards of a column went onto the discard pile (SK-28).
    """

    card: Annotated[int, Meta(description="The number that stood on all three. The number on the card.")]
    column: Annotated[int, Meta(description="The number of the column, from 0 at the left.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class SkyjoDealtEvent(Struct, kw_only=True, tag_field="type", tag="dealt"):
    """
    A round begins: twelve cards face down for each seat, one face up, the rest is the draw pile (SK-40).
    """

    discard: Annotated[int, Meta(description="The first card of the discard pile. The number on the card.")]
    draw: Annotated[
        list[int | None],
        Meta(description="The draw pile; the last card is its top. Null for everybody until the game is over."),
    ]
    layouts: Annotated[
        list[list[int | None]],
        Meta(
            description="By seat: the cards, at column * 3 + row. All lie face down. Null for everybody until the game is over."
        ),
    ]


class SkyjoDeck(Struct, kw_only=True):
    """
    The number of cards for each number.
    """

    name: Annotated[str, Meta(description="It selects the deck when a game is opened.")]
    numbers: Annotated[dict[str, int], Meta(description="The number of cards of each value.")]
    provenance: Annotated[str, Meta(description="The source of the list of cards.")]
    ruleset: Annotated[str, Meta(description="The ruleset that the deck is for.")]
    licence: (
        Annotated[
            str,
            Meta(
                description="The licence of these data, which records contain: an SPDX expression, `LicenseRef-` for others."
            ),
        ]
        | UnsetType
    ) = UNSET


class SkyjoDrawMove(Struct, kw_only=True, tag_field="type", tag="draw"):
    """
    Draw the top card of the draw pile (SK-21).
    """


class SkyjoDrawnEvent(Struct, kw_only=True, tag_field="type", tag="drawn"):
    """
    The seat holds the top card of the draw pile; nobody else sees it.
    """

    card: Annotated[int, Meta(description="Null for everybody but the seat until the game is over.")] | None
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class SkyjoFinalLapBeganEvent(Struct, kw_only=True, tag_field="type", tag="final_lap_began"):
    """
    The seat has no face-down card left; every other seat has one more turn (SK-29, SK-50).
    """

    finisher: Annotated[
        int, Meta(description="The seat that ends the round. Seats are numbered from 0, rising clockwise.")
    ]


class SkyjoFlipMove(Struct, kw_only=True, tag_field="type", tag="flip"):
    """
    Turn up a face-down card of your own: at the beginning of a round, or after a toss (SK-20, SK-25).
    """

    slot: Annotated[int, Meta(description="A place in the own layout: column * 3 + row.")]


class SkyjoFlippedEvent(Struct, kw_only=True, tag_field="type", tag="flipped"):
    """
    The seat turned up one of its cards.
    """

    card: Annotated[int, Meta(description="The number on the card.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    slot: Annotated[int, Meta(description="A place in the seat's layout: column * 3 + row.")]


SkyjoOccupant: TypeAlias = Literal["careful/1", "easy/1", "me", "open", "random/1"]


class SkyjoOptions(Struct, kw_only=True):
    """
    Fixed when the game is opened (SK-3).
    """

    double_only_positive: Annotated[
        bool, Meta(description="A finisher's points of zero or less are never doubled. False: they may be.")
    ]
    target_points: Annotated[int, Meta(description="The game ends after the round in which some total reaches this.")]


class SkyjoOptionsInput(Struct, kw_only=True):
    """
    Fixed when the game is opened (SK-3).
    """

    double_only_positive: (
        Annotated[
            bool,
            Meta(
                description="A finisher's points of zero or less are never doubled. False: they may be. Default: `true`."
            ),
        ]
        | UnsetType
    ) = UNSET
    target_points: (
        Annotated[
            int, Meta(description="The game ends after the round in which some total reaches this. Default: `100`.")
        ]
        | UnsetType
    ) = UNSET


SkyjoPhase: TypeAlias = Literal["deal", "flip", "over", "place", "restock", "settle", "setup", "turn"]


class SkyjoRanOutEvent(Struct, kw_only=True, tag_field="type", tag="ran_out"):
    """
    The seat wants to draw and the draw pile is empty.
    """

    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class SkyjoRestockedEvent(Struct, kw_only=True, tag_field="type", tag="restocked"):
    """
    All discards but the top one were shuffled and are the new draw pile (SK-42).
    """

    draw: Annotated[
        list[int | None],
        Meta(description="The new draw pile; the last card is its top. Null for everybody until the game is over."),
    ]


class SkyjoRoundScoredEvent(Struct, kw_only=True, tag_field="type", tag="round_scored"):
    """
    The points of every seat in this round, the finisher's doubled where due (SK-51).
    """

    points: Annotated[list[int], Meta(description="By seat: what is added to the totals.")]


class SkyjoSlot(Struct, kw_only=True):
    """
    A card in a layout.
    """

    card: Annotated[int, Meta(description="The card; null while the viewer may not see it.")] | None
    up: Annotated[bool, Meta(description="The card lies face up.")]


class SkyjoSwapMove(Struct, kw_only=True, tag_field="type", tag="swap"):
    """
    Lay the card you hold in place of one of yours, which goes to the discard pile (SK-23).
    """

    slot: Annotated[int, Meta(description="A place in the own layout: column * 3 + row.")]


class SkyjoSwappedEvent(Struct, kw_only=True, tag_field="type", tag="swapped"):
    """
    The held card lies face up in the slot; the one that lay there is now the top discard.
    """

    card: Annotated[int, Meta(description="The card that was held. The number on the card.")]
    out: Annotated[int, Meta(description="The card that lay in the slot. The number on the card.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    slot: Annotated[int, Meta(description="A place in the seat's layout: column * 3 + row.")]


class SkyjoTakeMove(Struct, kw_only=True, tag_field="type", tag="take"):
    """
    Take the top card of the discard pile; it must then be swapped in (SK-22).
    """


class SkyjoTakenEvent(Struct, kw_only=True, tag_field="type", tag="taken"):
    """
    The seat holds the top card of the discard pile.
    """

    card: Annotated[int, Meta(description="The number on the card.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class SkyjoTossMove(Struct, kw_only=True, tag_field="type", tag="toss"):
    """
    Put the drawn card onto the discard pile; then turn up one of yours (SK-24).
    """


class SkyjoTossedEvent(Struct, kw_only=True, tag_field="type", tag="tossed"):
    """
    The drawn card is now the top discard.
    """

    card: Annotated[int, Meta(description="The number on the card.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class SkyjoTurnBeganEvent(Struct, kw_only=True, tag_field="type", tag="turn_began"):
    """
    It is the seat's turn: draw or take.
    """

    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class SkyjoTurnedUp(Struct, kw_only=True):
    """
    A card that lay face down.
    """

    card: Annotated[int, Meta(description="The number on the card.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    slot: Annotated[int, Meta(description="A place in the seat's layout: column * 3 + row.")]


class SkyjoView(Struct, kw_only=True):
    """
    The table. The dealer acts in `deal` and `restock`, nobody in `settle` (what a move entails) and `over`.
    """

    deck: Annotated[str, Meta(description="The name of the deck. It selects the deck when a game is opened.")]
    discard: Annotated[list[int], Meta(description="The discard pile, face up; the last card is the top.")]
    draw: Annotated[list[int | None], Meta(description="The draw pile, face down; the last card is the top.")]
    finisher: Annotated[int, Meta(description="The seat that turned up its last card and so ends the round.")] | None
    held: Annotated[int, Meta(description="The card in the hand of the seat `turn`. A drawn one is null for the others: see `held_from`.")] | None
    held_from: Annotated[Literal["discard", "draw"], Meta(description="The pile from which the card in the hand comes; null: no card is held.\n\n- `draw`: drawn\n- `discard`: taken from the discard pile")] | None
    layouts: Annotated[
        list[list[SkyjoSlot | None]],
        Meta(
            description="By seat: the twelve places of a layout in columns: index = column * 3 + row.\n\nNull: the card is gone for the round."
        ),
    ]
    options: Annotated[SkyjoOptions, Meta(description="The options of the game.")]
    phase: Annotated[
        SkyjoPhase,
        Meta(
            description="The phase: what the game waits for.\n\n- `deal`: The cards are dealt\n- `setup`: Turn up two of your cards\n- `turn`: Draw, or take the top discard\n- `restock`: The discards are shuffled\n- `place`: Lay the card, or toss it\n- `flip`: Turn up one of your cards\n- `settle`: The move is completed\n- `over`: The game is over"
        ),
    ]
    round: Annotated[int, Meta(description="The number of the round, from 1; 0 before the first deal.")]
    rounds: Annotated[list[list[int]], Meta(description="The points by seat of each scored round, first to last.")]
    starter: Annotated[int, Meta(description="The seat that begins the round; null until it is known.")] | None
    totals: Annotated[list[int], Meta(description="By seat: the points of all scored rounds.")]
    turn: Annotated[int, Meta(description="The seat whose turn it is.")] | None
    winners: Annotated[list[int], Meta(description="The seats that have won; null until the game is over.")] | None


class SkyjoWonEvent(Struct, kw_only=True, tag_field="type", tag="won"):
    """
    Some total has reached the target: these seats have the lowest one (SK-53).
    """

    winners: Annotated[list[int], Meta(description="The winning seats; several in a tie.")]


class StaleDecisionProblem(Struct, kw_only=True):
    """
    The caller's choice has changed since the version in `If-Match`. `missed` lists the first
    events since that version, at most 32.
    """

    missed: Annotated[
        list[Hashed],
        Meta(
            description="The first events since the version in `If-Match`, at most 32. `GET .../events` has the others."
        ),
    ]
    status: Annotated[Literal[412], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["stale-decision"]
    version: Annotated[int, Meta(description="The number of events so far.")]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class Standing(Struct, kw_only=True):
    """
    A player in the standings of a ruleset. Players with the same ordinal share a rank.
    """

    games: Annotated[int, Meta(description="The number of games that count, those included that the player left.")]
    player: Player
    points: Annotated[Points, Meta(description="Null if the player has left all games.")] | None
    rank: Annotated[int, Meta(description="The place, from 1.")]
    rating: Rating
    wins: Annotated[int, Meta(description="The number of games that the player won, alone or with others.")]


class StandingPage(Struct, kw_only=True):
    """
    A page of a list. `next` is the URL of the next page, or null on the last one.
    """

    items: Annotated[list[Standing], Meta(description="The items in order.")]
    next: Annotated[str, Meta(description="The URL of the next page; null on the last one.")] | None


State: TypeAlias = Literal["cancelled", "open", "over", "planned"]


Status: TypeAlias = Literal["aborted", "finished", "running", "waiting"]


class StorageExhaustedProblem(Struct, kw_only=True):
    """
    The games that the caller opened have used up their storage quota. `used` and `allowed` are bytes.
    """

    allowed: Annotated[int, Meta(description="The size from which on no further game can be opened, in bytes.")]
    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["storage-exhausted"]
    used: Annotated[int, Meta(description="The size of the caller's games, in bytes.")]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class TakenBackEvent(Struct, kw_only=True, tag_field="type", tag="taken_back"):
    """
    The seat took back its move: what the rules made happen after version `to` does not stand. `agreed`: all players
    said yes; otherwise the move had revealed nothing.
    """

    agreed: Annotated[bool, Meta(description="True: all players said yes. False: the move had revealed nothing.")]
    seat: Annotated[int, Meta(description="The seat whose move it was. Seats are numbered from 0, rising clockwise.")]
    to: Annotated[int, Meta(description="The version whose table is back.")]


class Tally(Struct, kw_only=True):
    """
    The points that the cards on the table count now, as far as the viewer sees them.
    """

    points: Annotated[
        list[int | None],
        Meta(description="By seat: what its cards would count now; null if that depends on cards that are hidden."),
    ]
    values: Annotated[
        dict[str, int],
        Meta(
            description="The current values of cards that are not the printed ones, or can change, by their place in the view: `rows/0/2`."
        ),
    ]


class TimeRequest(Struct, kw_only=True):
    """
    The seat to give time to, and how much.
    """

    seat: Annotated[int, Meta(description="The number of a seat, from 0.")]
    seconds: Annotated[
        int,
        Meta(
            description="Seconds for the reserve of the seat: at most the `bank` of the clock, and four banks in all."
        ),
    ]


class TooLargeProblem(Struct, kw_only=True):
    """
    The body exceeds the limit of the service.
    """

    status: Annotated[Literal[413], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["too-large"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class TooLongProblem(Struct, kw_only=True):
    """
    The game is too long for a review by the service. `stammtisch review` makes one from its record.
    """

    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["too-long"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class TooManyBlocksProblem(Struct, kw_only=True):
    """
    The caller has blocked as many players as is allowed.
    """

    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["too-many-blocks"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class TooManyGamesProblem(Struct, kw_only=True):
    """
    The caller has reached the limit of unfinished games, joined or opened.
    """

    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["too-many-games"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class TooManyInvitationsProblem(Struct, kw_only=True):
    """
    Somebody to invite has too many invitations that they have not answered. The problem does not say who.
    """

    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["too-many-invitations"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class TooManyNamesProblem(Struct, kw_only=True):
    """
    The caller has reached the limit of changes of name and face.
    """

    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["too-many-names"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class TooManyPairingsProblem(Struct, kw_only=True):
    """
    The caller has reached a limit of pairings or of their tables.
    """

    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["too-many-pairings"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class TooManyRequestsProblem(Struct, kw_only=True):
    """
    The caller exceeds a rate limit, or the limit of streams for a caller or an address. See `Retry-After`.
    """

    status: Annotated[Literal[429], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["too-many-requests"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class TooManyWebhooksProblem(Struct, kw_only=True):
    """
    The caller, or the integrating site, has reached the limit of webhooks.
    """

    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["too-many-webhooks"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class TooRestlessProblem(Struct, kw_only=True):
    """
    The caller, or all players together, left their seats in this game too often. They cannot take a seat again.
    """

    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["too-restless"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class UnauthenticatedProblem(Struct, kw_only=True):
    """
    A token is required, or the token in the request is invalid.
    """

    status: Annotated[Literal[401], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["unauthenticated"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class UnavailableProblem(Struct, kw_only=True):
    """
    The store cannot be read or written now, or the process has reached its limit of connections or streams.

    Nothing was recorded, or a retry with the same `Idempotency-Key` returns its result.
    """

    status: Annotated[Literal[503], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["unavailable"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


Undo: TypeAlias = Literal["agreed", "free"]


class UnsupportedMediaTypeProblem(Struct, kw_only=True):
    """
    The body is compressed (`Content-Encoding`), or its `Content-Type` is not `application/json`, or, for a record,
    `application/vnd.stammtisch.record+json`.
    """

    status: Annotated[Literal[415], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["unsupported-media-type"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class UnsupportedTransferCodingProblem(Struct, kw_only=True):
    """
    `Transfer-Encoding` has a coding besides `chunked`, such as `gzip`.
    """

    status: Annotated[Literal[501], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["unsupported-transfer-coding"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class UrlTooLongProblem(Struct, kw_only=True):
    """
    The URL is longer than 8 KiB.
    """

    status: Annotated[Literal[414], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["url-too-long"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class VoteRequest(Struct, kw_only=True):
    """
    A vote on a question to all players. The first `yes` asks it.
    """

    on: Annotated[
        Matter,
        Meta(
            description="The question: `abort` the game, or `undo` the latest move of the player who asks, with everything since."
        ),
    ]
    yes: Annotated[bool, Meta(description="Agree. `false` ends the question.")]
    asked_by: (
        Annotated[
            int,
            Meta(description="The seat whose question this answers: the `seat` of the game's `vote`. If that question has ended, the vote does\nnot count. Null or absent: the question that is open; without one, `yes` asks."),
        ]
        | None
        | UnsetType
    ) = UNSET


class VotedEvent(Struct, kw_only=True, tag_field="type", tag="voted"):
    """
    A player voted. The first `yes` asks the question. It is decided when all players who are present have said yes;
    a no ends it. So does any move, and anybody's leaving; a question of `abort` outlives moves.
    """

    on: Annotated[Matter, Meta(description="The question: to abort the game, or to take back a move.")]
    seat: Annotated[int, Meta(description="The seat that voted. Seats are numbered from 0, rising clockwise.")]
    yes: Annotated[bool, Meta(description="True: the player agrees.")]
    to: (
        Annotated[int, Meta(description="The version to which `undo` would take the game back. Absent otherwise.")]
        | UnsetType
    ) = UNSET


WebhookCause: TypeAlias = Literal["banned", "failing", "gone", "owner"]


class WebhookDelivery(Struct, kw_only=True):
    """
    An event that is, was or will be delivered to a webhook.
    """

    attempted_at: Annotated[str, Meta(description="The time at which the last attempt ended.")] | None
    attempts: Annotated[int, Meta(description="The number of attempts that were made.")]
    created_at: Annotated[str, Meta(description="The time of the event.")]
    game: Annotated[str, Meta(description="The id of the game; null of other events.")] | None
    id: Annotated[str, Meta(description="The value of the header `webhook-id`, the same in all attempts.")]
    next_attempt_at: Annotated[str, Meta(description="The time of the next attempt; null unless `pending`.")] | None
    player: Annotated[str, Meta(description="The player at that seat.")] | None
    response: Annotated[int, Meta(description="The HTTP status of the last answer; null without an answer, and for pings.")] | None
    seat: Annotated[int, Meta(description="The seat that the event is about, if it is about one.")] | None
    status: Annotated[
        DeliveryStatus,
        Meta(description="`dead`: all attempts failed, or the webhook was disabled. It can be sent again."),
    ]
    type: Annotated[str, Meta(description="The type of the event, or `webhook.ping`.")]
    version: Annotated[int, Meta(description="The version of the game after the event; null of other events.")] | None


class WebhookDeliveryPage(Struct, kw_only=True):
    """
    A page of a list. `next` is the URL of the next page, or null on the last one.
    """

    items: Annotated[list[WebhookDelivery], Meta(description="The items in order.")]
    next: Annotated[str, Meta(description="The URL of the next page; null on the last one.")] | None


WebhookEvent: TypeAlias = Literal["game.begun", "game.gone", "game.invited", "game.over", "game.vote", "game.your_turn", "pairing.opened", "pairing.over", "pairing.table_over"]


WebhookStatus: TypeAlias = Literal["disabled", "live", "unverified"]


class WebhookTarget(Struct, kw_only=True):
    """
    The address of a new webhook, and what is delivered to it. Default: all events, turns at once.
    """

    url: Annotated[
        str,
        Meta(
            description="The URL of the receiver: `https`, a public domain name, port 443 or 1024 and higher, no user."
        ),
    ]
    after: (
        Annotated[
            int,
            Meta(
                description="Seconds after which `game.your_turn` is delivered, if the player still has the same choice. Default: `0`."
            ),
        ]
        | UnsetType
    ) = UNSET
    types: (
        Annotated[
            list[WebhookEvent],
            Meta(
                description='The events that are delivered. Default: `["game.invited","game.begun","game.your_turn","game.gone","game.vote","game.over","pairing.opened","pairing.table_over","pairing.over"]`.'
            ),
        ]
        | UnsetType
    ) = UNSET


class WrongSealProblem(Struct, kw_only=True):
    """
    A seat of a sealed game comes with a seal and without entropy; a seat of any other game without a seal.
    """

    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["wrong-seal"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class AbortedEvent(Struct, kw_only=True, tag_field="type", tag="aborted"):
    """
    The game is over without a result. `cause` is absent for `left`: the last player left before it began.
    """

    cause: Annotated[Cause, Meta(description='Default: `"left"`.')] | UnsetType = UNSET
    unready: (
        Annotated[
            list[int],
            Meta(
                description="The seats that did not ready, in a sealed game that expired although all seats were taken. Absent otherwise."
            ),
        ]
        | UnsetType
    ) = UNSET


class Advice(Struct, kw_only=True):
    """
    The choice of a house player for a seat, from what that seat sees.
    """

    move: Annotated[GameMove, Meta(description="The move, which can be posted unchanged; null if the seat has no choice now.")] | None
    seat: Annotated[int, Meta(description="The seat that is to choose. Seats are numbered from 0, rising clockwise.")]
    version: Annotated[int, Meta(description="The number of events so far.")]


class Audit(Struct, kw_only=True):
    """
    The result of verifying the stored log with the secret. When the game is over, clients can run the same checks
    with the record.
    """

    checks: Annotated[list[CheckResult], Meta(description="All checks, in the order in which they ran.")]
    head: Annotated[str, Meta(description="The head of the last verified event; null if the log cannot be read.")] | None
    id: Annotated[str, Meta(description="The id of the game.")]
    ok: Annotated[bool, Meta(description="True if every check ran and succeeded.")]
    ruleset: Annotated[str, Meta(description="The name of the ruleset.")]
    version: Annotated[int, Meta(description="The number of verified events.")]


class Blocks(Struct, kw_only=True):
    """
    The players whom the caller has blocked.
    """

    items: Annotated[list[Player], Meta(description="By id. There is one page.")]


class ChangedWebhook(Struct, kw_only=True):
    """
    The fields to change. Another `url` is pinged before it receives events, and so is one that is enabled again.
    """

    after: (
        Annotated[
            int,
            Meta(
                description="Seconds after which `game.your_turn` is delivered, if the player still has the same choice."
            ),
        ]
        | UnsetType
    ) = UNSET
    enabled: Annotated[bool, Meta(description="True: the webhook delivers.")] | UnsetType = UNSET
    types: Annotated[list[WebhookEvent], Meta(description="The events that are delivered.")] | UnsetType = UNSET
    url: (
        Annotated[
            str,
            Meta(
                description="The URL of the receiver: `https`, a public domain name, port 443 or 1024 and higher, no user."
            ),
        ]
        | UnsetType
    ) = UNSET


class Choice(Struct, kw_only=True):
    """
    A choice of a player between several legal moves, weighed in worlds that its seat could imagine.
    """

    as_house: Annotated[bool, Meta(description="The house player might have made the same move.")]
    error: Annotated[
        float, Meta(description="The standard error of `loss`; the range of 95 % is `loss` ± 1.96 times this.")
    ]
    expected: Annotated[float, Meta(description="The result that the seat could expect before, in points ahead.")]
    hinted: Annotated[bool, Meta(description="The player had a hint.")]
    loss: Annotated[
        float,
        Meta(
            description="The points by which that move is better. It may be chance: see `error`. Without `best` it is 0 and was not\nmeasured."
        ),
    ]
    made: GameMove
    refined: Annotated[
        bool,
        Meta(description="The loss was measured in worlds that neither the best move nor the choice was picked by."),
    ]
    round: Annotated[int, Meta(description="Rounds are numbered from 0.")]
    seat: Annotated[int, Meta(description="The seat that chose. Seats are numbered from 0, rising clockwise.")]
    version: Annotated[
        int,
        Meta(description="The version of the first event that it caused. The choice was made at the version before."),
    ]
    worlds: Annotated[int, Meta(description="The number of worlds in which `loss` was measured.")]
    best: GameMove | UnsetType = UNSET
    category: (
        Annotated[
            Category,
            Meta(
                description="The category of the least that the choice has cost with nine chances in ten. Absent: too close to tell."
            ),
        ]
        | UnsetType
    ) = UNSET


class DailyPuzzle(Struct, kw_only=True):
    """
    A position of a finished game whose players agreed, with one move that is clearly the best. It names neither the
    game nor the players.
    """

    day: Annotated[str, Meta(description="The day of the puzzle in UTC, `2026-01-31`. Moves are posted to it.")]
    deck: Annotated[str, Meta(description="The name of the deck.")]
    legal_moves: Annotated[list[GameMove], Meta(description="All legal moves. Each can be posted unchanged.")]
    options: GameOptions
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules.")]
    ruleset: Annotated[str, Meta(description="The name of the ruleset.")]
    seat: Annotated[int, Meta(description="The seat that is to choose. Seats are numbered from 0, rising clockwise.")]
    seats: Annotated[int, Meta(description="The number of seats.")]
    view: GameView


class Description(Struct, kw_only=True):
    """
    The data with which a verifier checks chance and hidden fields without the rules.
    """

    draws: Annotated[
        dict[str, list[Drawing]], Meta(description="By event of the dealer: what is drawn for it, in this order.")
    ]
    events: Annotated[
        dict[str, list[str]], Meta(description="By the type of an event of the ruleset: its fields, sorted.")
    ]
    format: Literal["stammtisch-rules/1"]
    hidden: Annotated[
        dict[str, dict[str, int]],
        Meta(
            description="By event: the fields that a bystander does not see, and the number of nested lists around what is null then."
        ),
    ]
    moves: Annotated[dict[str, list[str]], Meta(description="By the type of a move: its fields, sorted.")]
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules, `NAME/N`.")]
    seats: Annotated[list[int], Meta(description="The smallest and the largest number of seats.")]


class EndedEvent(Struct, kw_only=True, tag_field="type", tag="ended"):
    """
    The game has a result.
    """

    result: Annotated[Result, Meta(description="The final scores and the winners.")]


class Entry(Struct, kw_only=True):
    """
    An event as a record has it: redacted for the viewer, with the hashes of the full event.

    A complete record has no hashes, because they follow from its events and the secret. An *append* is what one command
    added to the log, all or nothing.
    """

    at: Annotated[str, Meta(description="The time of the event (RFC 3339, UTC).")]
    by: Annotated[int, Meta(description="The seat whose choice caused it; null for the dealer and for players without a seat.")] | None
    event: GameEvent
    more: Annotated[int, Meta(description="The number of events that follow in the same append; 0 on its last one.")]
    version: Annotated[int, Meta(description="The number of the event in its game, from 1.")]
    acting: (
        Annotated[
            list[int],
            Meta(description="The seats that have a choice after the event, rising; on the last event of an append."),
        ]
        | UnsetType
    ) = UNSET
    head: (
        Annotated[str, Meta(description="The hash of all events up to this one. 32 bytes in lower-case hex.")]
        | UnsetType
    ) = UNSET
    move: GameMove | UnsetType = UNSET
    public: (
        Annotated[str, Meta(description="The hash of what everybody may see of the event. 32 bytes in lower-case hex.")]
        | UnsetType
    ) = UNSET
    secret: Annotated[str, Meta(description="The hash of the whole event. 32 bytes in lower-case hex.")] | UnsetType = (
        UNSET
    )


class EventItem(Struct, kw_only=True):
    """
    An event in a page or stream.
    """

    at: Annotated[str, Meta(description="The time of the event (RFC 3339, UTC).")]
    by: Annotated[int, Meta(description="The seat whose choice caused it; null for the dealer and for players without a seat.")] | None
    event: GameEvent
    head: Annotated[str, Meta(description="The hash of all events up to this one. 32 bytes in lower-case hex.")]
    more: Annotated[int, Meta(description="The number of events that follow in the same append; 0 on its last one.")]
    public: Annotated[
        str, Meta(description="The hash of what everybody may see of the event. 32 bytes in lower-case hex.")
    ]
    secret: Annotated[str, Meta(description="The hash of the whole event. 32 bytes in lower-case hex.")]
    version: Annotated[int, Meta(description="The number of the event in its game, from 1.")]
    acting: (
        Annotated[
            list[int],
            Meta(description="The seats that have a choice after the event, rising; on the last event of an append."),
        ]
        | UnsetType
    ) = UNSET
    move: GameMove | UnsetType = UNSET
    patch: (
        Annotated[
            list[Patch],
            Meta(
                description="The JSON Patch (RFC 6902), with `with=patch`, from the `view` of the version before to that of this version. Absent otherwise."
            ),
        ]
        | UnsetType
    ) = UNSET
    tally: (
        Annotated[
            Tally,
            Meta(description="The points that the cards count at this version, with `with=tally`, if they differ from those at the version before; null before the game begins. Absent otherwise."),
        ]
        | None
        | UnsetType
    ) = UNSET


class EventItemPage(Struct, kw_only=True):
    """
    A page of a list. `next` is the URL of the next page, or null on the last one.
    """

    items: Annotated[list[EventItem], Meta(description="The items in order.")]
    next: Annotated[str, Meta(description="The URL of the next page; null on the last one.")] | None


class Explained(Struct, kw_only=True):
    """
    The rules of a game for people and for language models, by language.
    """

    de: ExplainedRules
    en: ExplainedRules


class GameClock(Struct, kw_only=True):
    """
    The time for choices, in whole seconds, and what each seat has left. All times are absolute, so they change only
    with the version.
    """

    bank: Annotated[int, Meta(description="The time of a seat at the beginning, and at most.")]
    delay: Annotated[int, Meta(description="Seconds of each choice that take no time.")]
    increment: Annotated[int, Meta(description="Added to the bank after each choice, up to its maximum.")]
    reserve: Annotated[int, Meta(description="Used when the bank is empty, and never refilled by choices.")]
    seats: Annotated[list[SeatClock], Meta(description="By seat, what it has left.")]


class GameRecord(Struct, kw_only=True):
    """
    All events of a game so far, and what a verifier needs.
    """

    commitment: Annotated[str, Meta(description="The hash of the secret that all deals follow from.")]
    deck: GameDeck
    events: Annotated[
        list[Entry],
        Meta(
            description="All events from the first one on, as the perspective sees them. The game's version is their number. In a\ncomplete record, the one with the secret, they have no hashes."
        ),
    ]
    format: Literal["stammtisch-record/1"]
    head: Annotated[str, Meta(description="The hash that covers all events of the record.")]
    id: Annotated[str, Meta(description="The id of the game.")]
    names: Annotated[
        dict[str, str],
        Meta(
            description="The display names of the opener and of the players at the seats, by id, as of the time of the download. Unproven: no hash covers them. Former players have none."
        ),
    ]
    options: GameOptions
    parent: Annotated[Parent, Meta(description="The game that a branch continues; null: it is no branch.")] | None
    result: Annotated[Result, Meta(description="The final scores and the winners; null while the game runs and if it was aborted.")] | None
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules that this game is played by.")]
    ruleset: Annotated[str, Meta(description="The name of the ruleset.")]
    seats: Annotated[list[RecordedSeat], Meta(description="All seats, in their order.")]
    secret: Annotated[str, Meta(description="Null while the game runs, and in redacted records.")] | None


class GameRecordInput(Struct, kw_only=True):
    """
    All events of a game so far, and what a verifier needs.
    """

    commitment: Annotated[str, Meta(description="The hash of the secret that all deals follow from.")]
    deck: GameDeck
    events: Annotated[
        list[Entry],
        Meta(
            description="All events from the first one on, as the perspective sees them. The game's version is their number. In a\ncomplete record, the one with the secret, they have no hashes."
        ),
    ]
    head: Annotated[str, Meta(description="The hash that covers all events of the record.")]
    id: Annotated[str, Meta(description="The id of the game.")]
    names: Annotated[
        dict[str, str],
        Meta(
            description="The display names of the opener and of the players at the seats, by id, as of the time of the download. Unproven: no hash covers them. Former players have none."
        ),
    ]
    options: GameOptions
    parent: Annotated[Parent, Meta(description="The game that a branch continues; null: it is no branch.")] | None
    result: Annotated[Result, Meta(description="The final scores and the winners; null while the game runs and if it was aborted.")] | None
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules that this game is played by.")]
    ruleset: Annotated[str, Meta(description="The name of the ruleset.")]
    seats: Annotated[list[RecordedSeat], Meta(description="All seats, in their order.")]
    secret: Annotated[str, Meta(description="Null while the game runs, and in redacted records.")] | None
    format: (
        Annotated[Literal["stammtisch-record/1"], Meta(description='Default: `"stammtisch-record/1"`.')] | UnsetType
    ) = UNSET


class GameRequest(Struct, kw_only=True):
    """
    The terms of a new game.
    """

    seats: Annotated[
        int | list[str | KeptSeat],
        Meta(
            description="The number of seats, or a list of who each seat is for: `me` (the opener), `open` (anybody), the name of a bot, or another player."
        ),
    ]
    absent: (
        Annotated[
            str,
            Meta(
                description="The bot that goes on when a player leaves the running game, or `abort`, which ends the game. Default: the ruleset's best bot. Not for hotseat games, which nobody can leave."
            ),
        ]
        | UnsetType
    ) = UNSET
    clock: (
        Annotated[
            ClockInput, Meta(description="The time for choices. Default: it is not limited. Not for hotseat games.")
        ]
        | UnsetType
    ) = UNSET
    deck: Annotated[str, Meta(description="The name of a deck. Default: the ruleset's first deck.")] | UnsetType = UNSET
    entropy: (
        Annotated[
            str,
            Meta(
                description='The contribution of a seat to the shuffles: up to 64 printable ASCII characters, public. Default: `""`.'
            ),
        ]
        | UnsetType
    ) = UNSET
    hints: (
        Annotated[
            bool,
            Meta(description="The player can ask for hints. Only if all seats but one are for bots. Default: `false`."),
        ]
        | UnsetType
    ) = UNSET
    hotseat: (
        Annotated[
            bool,
            Meta(description="The opener plays all seats: for pass-and-play, analysis and tests. Default: `false`."),
        ]
        | UnsetType
    ) = UNSET
    options: GameOptions | UnsetType = UNSET
    private: (
        Annotated[
            bool,
            Meta(
                description="Only members and holders of the invite code can see and join the game. Default: `false`."
            ),
        ]
        | UnsetType
    ) = UNSET
    puzzles: (
        Annotated[
            bool,
            Meta(
                description="Positions of the game may become puzzles, without names. Players agree by sitting down. Not for private and hotseat games. Default: `false`."
            ),
        ]
        | UnsetType
    ) = UNSET
    sealed: (
        Annotated[
            bool,
            Meta(
                description="Nobody sees an entropy before all are fixed: players sit down with a `seal`, and open their entropy when all seats are taken. Not for hotseat games, nor together with `entropy`. Default: `false`."
            ),
        ]
        | UnsetType
    ) = UNSET
    sit: (
        Annotated[
            bool,
            Meta(
                description="The opener takes seat 0; with a list of `seats`, the seat `me`. With `false` the opener takes a seat later, or not at all. With a list without `me` the opener does not sit. In a sealed game the seat is kept for the opener, who takes it with a seal. Default: `true`."
            ),
        ]
        | UnsetType
    ) = UNSET
    undo: (
        Annotated[
            Literal["agreed", "free", "none"],
            Meta(
                description="The moves that can be taken back: those that revealed nothing (`free`), also others if all players agree (`agreed`), or none. Default: `free`."
            ),
        ]
        | UnsetType
    ) = UNSET


class Labels(Struct, kw_only=True):
    """
    Everything that a frontend says of a ruleset, in one language.
    """

    bots: Annotated[dict[str, BotLabel], Meta(description="The bots, by their name and version.")]
    cards: Annotated[
        dict[str, str], Meta(description="Kinds of cards; `back` is a face-down card, `hidden` one in a sentence.")
    ]
    choices: Annotated[
        dict[str, str],
        Meta(
            description="A move with its cards, by the move's `type`, in brackets a variant: templates as in `prompts`."
        ),
    ]
    events: Annotated[dict[str, str], Meta(description="The name of an event, by its `type`.")]
    facts: Annotated[dict[str, str], Meta(description="The other fields of the view.")]
    fields: Annotated[dict[str, str], Meta(description="The fields of moves.")]
    moves: Annotated[dict[str, str], Meta(description="The description of a move, by its `type`.")]
    options: Annotated[dict[str, str], Meta(description="The options that a game can be opened with, by field.")]
    options_explained: Annotated[dict[str, str], Meta(description="The effect of each option, by field.")]
    parts: Annotated[dict[str, str], Meta(description="The fields of objects in the view.")]
    phases: Annotated[dict[str, str], Meta(description="The task of a phase, by the `phase` of the view.")]
    places: Annotated[dict[str, PlaceLabel], Meta(description="Indices into zones, by field.")]
    prompts: Annotated[
        dict[str, Prompt],
        Meta(
            description="The question to a player, by state: `phase` or `pending.kind`, `>move` while a move is composed."
        ),
    ]
    quiet: Annotated[
        list[str], Meta(description="The types of events that report nothing that the view does not show, too.")
    ]
    sentences: Annotated[dict[str, str], Meta(description="Sentences about events, by their `type`: templates.")]
    summary: Annotated[str, Meta(description="A description of the game, in a sentence.")]
    title: Annotated[str, Meta(description="The name of the game.")]
    values: Annotated[
        dict[str, dict[str, str]],
        Meta(description="The values of enumerations, and `true` and `false` where they need a name, by field."),
    ]
    zones: Annotated[dict[str, str], Meta(description="The fields of the view that hold cards.")]


class Lesson(Struct, kw_only=True):
    """
    A guided first game. Its cards are known: the deal follows from `id` and `secret`.
    """

    id: Annotated[str, Meta(description="The id of the lesson, a UUID. Its games name it as their `parent`.")]
    seats: Annotated[list[str], Meta(description="The seats with their players. The learner has seat 0.")]
    secret: Annotated[str, Meta(description="The secret that all deals of its games follow from: 32 bytes in hex.")]
    steps: Annotated[list[LessonStep], Meta(description="The steps in order. The last one has no move.")]
    options: (
        Annotated[Any, Meta(description="The options of the game that are not the usual ones. Default: `{}`.")]
        | UnsetType
    ) = UNSET


class LobbySeatAssignment(Struct, kw_only=True):
    """
    A seat, and who sits there.
    """

    player: Annotated[Player, Meta(description="The player; null while the seat is free, or of a bot.")] | None
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    bot: Annotated[str, Meta(description="The bot that plays the seat; absent otherwise.")] | UnsetType = UNSET
    gone: (
        Annotated[
            bool,
            Meta(description="True if the player has left the running game and the bot goes on; absent otherwise."),
        ]
        | UnsetType
    ) = UNSET
    reserved: (
        Annotated[Player, Meta(description="The player for whom the free seat is kept; absent otherwise.")] | UnsetType
    ) = UNSET


class OwnReviews(Struct, kw_only=True):
    """
    The reviews of the caller's choices in their latest games of a ruleset, together. Nobody else can see it.
    """

    finished: Annotated[int, Meta(description="The caller's finished games that count: the latest 50 at most.")]
    pending: Annotated[int, Meta(description="The number of reviews in the queue, those of this request included.")]
    reviewed: Annotated[int, Meta(description="The number of those with a quick review.")]
    ruleset: Annotated[str, Meta(description="The name of the ruleset.")]
    mean: (
        Annotated[
            PlayerMean,
            Meta(description="The mean of those with choices of the caller. Absent if they are fewer than 10."),
        ]
        | UnsetType
    ) = UNSET


class OwnSeat(Struct, kw_only=True):
    """
    The caller's own table.
    """

    game: Annotated[str, Meta(description="The path of the game.")]
    seat: Annotated[int, Meta(description="The caller's seat.")] | None
    status: Annotated[Status, Meta(description="The status of the game; null for a moment while it is opened.")] | None
    row: (
        Annotated[int, Meta(description="The place of the caller's table in the list of a deal of the day, from 0.")]
        | UnsetType
    ) = UNSET
    streak: (
        Annotated[
            int,
            Meta(
                description="The number of days in a row, up to this one, on which the caller has finished the deal of the day."
            ),
        ]
        | UnsetType
    ) = UNSET
    week: Annotated[DealWeek, Meta(description="The seven days up to this one, of a deal of the day.")] | UnsetType = (
        UNSET
    )


class PairedSeat(Struct, kw_only=True):
    """
    A seat of a table, and who it is for.
    """

    player: Annotated[Player, Meta(description="The player who sits there or is invited; null: a bot, or nobody.")] | None
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    sitting: Annotated[bool, Meta(description="True: the player has sat down.")]
    bot: Annotated[str, Meta(description="The bot that plays the seat; absent otherwise.")] | UnsetType = UNSET
    declined: (
        Annotated[
            bool,
            Meta(
                description="True if the player who was invited has declined, or has blocked who opened the pairing; absent otherwise."
            ),
        ]
        | UnsetType
    ) = UNSET


class PairedTable(Struct, kw_only=True):
    """
    A table of a pairing. While the deal is sealed, others see only who sits there until their own table is over.
    """

    number: Annotated[int, Meta(description="The number of the table, from 1.")]
    seats: Annotated[list[PairedSeat], Meta(description="The seats in order, from 0.")]
    cause: Annotated[Cause, Meta(description="The reason why the game was aborted; absent otherwise.")] | UnsetType = (
        UNSET
    )
    compared: (
        Annotated[
            list[Compared],
            Meta(
                description="By seat, with the same deal: the result beside those of the same seat at the other tables of the list."
            ),
        ]
        | UnsetType
    ) = UNSET
    game: Annotated[str, Meta(description="The path of the game.")] | UnsetType = UNSET
    invite: (
        Annotated[str, Meta(description="The invite code, once the deal is over, that shows the game and its film.")]
        | UnsetType
    ) = UNSET
    points: (
        Annotated[
            list[int | None],
            Meta(
                description="By seat: the points, more is better; null for a seat whose player left. Absent without a result."
            ),
        ]
        | UnsetType
    ) = UNSET
    standing: (
        Annotated[DealList, Meta(description="The list in which the table is compared, with the same deal.")]
        | UnsetType
    ) = UNSET
    status: Annotated[Status, Meta(description="The status of the game.")] | UnsetType = UNSET


class PairingChange(Struct, kw_only=True):
    """
    A change of a pairing, in its live stream.
    """

    deal: Annotated[SharedDeal, Meta(description="The deal that all tables have in common; null if each has its own.")] | None
    state: Annotated[State, Meta(description="`planned`, `open`, `over`, or `cancelled`: no further table begins.")]
    tables: Annotated[
        list[PairedTable], Meta(description="The tables that have changed, as the caller may see them now.")
    ]


class PairingResource(Struct, kw_only=True):
    """
    Tables that were opened together, as the caller may see them.
    """

    clock: Annotated[Clock, Meta(description="The time for choices; null if it is not limited.")] | None
    closes_at: Annotated[str, Meta(description="The time from which on no table begins.")]
    code: Annotated[str, Meta(description="The code that shows the pairing to others: `?invite=`. Null of a deal of the day, which everybody sees.")] | None
    count: Annotated[int, Meta(description="The number of tables.")]
    day: Annotated[str, Meta(description="The day of a deal of the day, `2026-01-31`; null for others.")] | None
    deal: Annotated[SharedDeal, Meta(description="The deal that all tables have in common; null if each has its own.")] | None
    deck: Annotated[str, Meta(description="The name of the deck.")]
    groups: Annotated[
        list[PointsGroup],
        Meta(
            description="The numbers of tables of the list by their points at the seat `me`, best first, with the same deal."
        ),
    ]
    id: Annotated[str, Meta(description="The id of the pairing.")]
    listed: Annotated[int, Meta(description="The number of tables in the list of a deal of the day; null while the results are hidden.")] | None
    most: Annotated[int, Meta(description="The largest number of tables; null: any number.")] | None
    name: Annotated[str, Meta(description="The name of the pairing; empty for a deal of the day.")]
    next: Annotated[NextDeal, Meta(description="The next deal of the day. Keep it to check it tomorrow.")] | None
    opens_at: Annotated[str, Meta(description="The time at which tables are opened.")]
    options: GameOptions
    owner: Annotated[Player, Meta(description="The player who opened it; null for a deal of the day.")] | None
    places: Annotated[
        list[str],
        Meta(description="By seat, of a table that players ask for: `me` or a bot. Empty if the tables are fixed."),
    ]
    results: Annotated[int, Meta(description="The number of tables with a result; null while the caller may not see them.")] | None
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules.")]
    ruleset: Annotated[str, Meta(description="The name of the ruleset.")]
    seats: Annotated[int, Meta(description="The number of seats of each table.")]
    sit_until: Annotated[str, Meta(description="The time at which tables that still wait are aborted.")] | None
    standing: Annotated[
        DealList, Meta(description="The list of a deal of the day to which `tables`, `groups` and `listed` belong.")
    ]
    state: Annotated[State, Meta(description="`planned`, `open`, `over`, or `cancelled`: no further table begins.")]
    tables: Annotated[
        list[PairedTable],
        Meta(
            description="The tables, first to last. Of a deal of the day: 50 of the list at most, best first, around the caller's, or\nfrom `?start=` on; only the caller's own while the results are hidden."
        ),
    ]
    until: Annotated[str, Meta(description="The time at which all is over and revealed at the latest, with the same deal.")] | None
    you: Annotated[OwnSeat, Meta(description="The caller's own table; null without one.")] | None


class PairingSummary(Struct, kw_only=True):
    """
    A pairing in a list.
    """

    closes_at: Annotated[str, Meta(description="The time from which on no table begins.")]
    common: Annotated[bool, Meta(description="True: all tables play the same cards.")]
    day: Annotated[str, Meta(description="The day of a deal of the day, `2026-01-31`; null for others.")] | None
    id: Annotated[str, Meta(description="The id of the pairing.")]
    name: Annotated[str, Meta(description="The name of the pairing; empty for a deal of the day.")]
    opens_at: Annotated[str, Meta(description="The time at which tables are opened.")]
    ruleset: Annotated[str, Meta(description="The name of the ruleset.")]
    state: Annotated[State, Meta(description="`planned`, `open`, `over`, or `cancelled`: no further table begins.")]
    status: Annotated[Status, Meta(description="The status of the caller's game; null without one.")] | None
    you: Annotated[str, Meta(description="The path of the caller's game; null without one.")] | None


class PairingSummaryPage(Struct, kw_only=True):
    """
    A page of a list. `next` is the URL of the next page, or null on the last one.
    """

    items: Annotated[list[PairingSummary], Meta(description="The items in order.")]
    next: Annotated[str, Meta(description="The URL of the next page; null on the last one.")] | None


class Played(Struct, kw_only=True):
    """
    The number of a player's games of this ruleset and status.
    """

    games: Annotated[int, Meta(description="The number of these games.")]
    ruleset: Annotated[str, Meta(description="The name of the ruleset.")]
    status: Annotated[Status, Meta(description="The status that the games have now.")]


class Profile(Struct, kw_only=True):
    """
    A player's public profile. `name` is null for a former player.
    """

    games: Annotated[list[Played], Meta(description="The numbers of the games by ruleset and status.")]
    id: Annotated[str, Meta(description="The id of a player: a guest's UUID, or `namespace:sub`.")]
    name: Annotated[str, Meta(description="The display name; null for a former player.")] | None
    results: Annotated[
        list[Results], Meta(description="The results of the games that count in the standings, by ruleset.")
    ]
    bot: Annotated[bool, Meta(description="True if the player is a program; absent otherwise.")] | UnsetType = UNSET
    face: (
        Annotated[
            str,
            Meta(
                description="The face that the player has chosen; a later release can have others. Absent if they have chosen none: show the first letter of the name."
            ),
        ]
        | UnsetType
    ) = UNSET


class Review(Struct, kw_only=True):
    """
    Every choice of a finished game, weighed as far as its seat could know, and where the results come from.
    """

    accounts: Annotated[list[Account], Meta(description="The accounts of the whole game, by seat.")]
    choices: Annotated[
        list[Choice],
        Meta(
            description="The choices of the reviewed seats, in their order. Forced moves and those of house players are left out."
        ),
    ]
    format: Literal["stammtisch-review/1"]
    head: Annotated[
        str,
        Meta(
            description="The head of the record. All random numbers of the review follow from it. 32 bytes in lower-case hex."
        ),
    ]
    house: Annotated[str, Meta(description="The house player that plays on in the imagined worlds.")]
    means: Annotated[list[Mean], Meta(description="By reviewed seat with choices.")]
    plan: Annotated[str, Meta(description="The number of worlds that were imagined: `quick`, `standard` or `full`.")]
    rounds: Annotated[list[ReviewedRound], Meta(description="The rounds in their order.")]
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules.")]
    state: Annotated[
        Literal["final", "first"],
        Meta(description="`first`: accounts are provisional, and no choice has a category yet."),
    ]
    thresholds: Annotated[
        list[float],
        Meta(
            description="The losses, in points, from which on a choice is an inaccuracy, a mistake, a blunder. Empty: not measured yet."
        ),
    ]
    unweighed: Annotated[list[int], Meta(description="The versions of choices for which no world could be imagined.")]


class Ruleset(Struct, kw_only=True):
    """
    A ruleset, with everything that a frontend needs. `schemas` are JSON Schemas.
    """

    bots: Annotated[
        list[str], Meta(description="The bots that can play a seat, the weakest first; described in `labels`.")
    ]
    decks: Annotated[
        list[DeckNamed], Meta(description="The decks that a game can be opened with; the first one is the default.")
    ]
    default_options: Annotated[dict[str, Any], Meta(description="The options of a game that is opened without any.")]
    difficulty: Annotated[Difficulty, Meta(description="The difficulty to learn it.")]
    labels: Annotated[dict[str, Labels], Meta(description="Texts for people, by language: `en` and `de`.")]
    minutes: Annotated[int, Meta(description="The usual length of a game, in minutes, of people who know it.")]
    name: Annotated[str, Meta(description="The name of the ruleset in paths.")]
    rules: Annotated[str, Meta(description="The ruleset and the version of the rules of new games, `NAME/N`.")]
    schemas: Annotated[
        dict[str, Any], Meta(description="JSON Schemas of `options`, `move`, `event`, `view` and `deck`.")
    ]
    seats: SeatRange


class RulesetListed(Struct, kw_only=True):
    """
    A ruleset in the list of rulesets.
    """

    bots: Annotated[list[str], Meta(description="The bots that can play a seat, the weakest first.")]
    default_options: Annotated[dict[str, Any], Meta(description="The options of a game that is opened without any.")]
    difficulty: Annotated[Difficulty, Meta(description="The difficulty to learn it.")]
    href: Annotated[str, Meta(description="The path of everything about the ruleset.")]
    labels: Annotated[dict[str, ListedLabels], Meta(description="Texts for people, by language: `en` and `de`.")]
    lesson: Annotated[bool, Meta(description="True: it has a guided first game.")]
    minutes: Annotated[int, Meta(description="The usual length of a game, in minutes, of people who know it.")]
    name: Annotated[str, Meta(description="The name of the ruleset in paths.")]
    rules: Annotated[str, Meta(description="The ruleset and the version of the rules of new games, `NAME/N`.")]
    seats: SeatRange


class RulesetListedPage(Struct, kw_only=True):
    """
    A page of a list. `next` is the URL of the next page, or null on the last one.
    """

    items: Annotated[list[RulesetListed], Meta(description="The items in order.")]
    next: Annotated[str, Meta(description="The URL of the next page; null on the last one.")] | None


class ScandaroonArea(Struct, kw_only=True):
    """
    The cards that one card reaches, itself never (SD-7).
    """

    direction: Annotated[
        Literal["both", "elsewhere", "left", "right", "table"],
        Meta(description="Cards of the row on that side or on each; all other cards in play; those of other rows."),
    ]
    reach: Annotated[
        int | Literal["all"], Meta(description="The number of cards on each side. `table` and `elsewhere` reach all.")
    ]
    symbols: Annotated[list[ScandaroonSymbol], Meta(description="Only cards that bear one of these.")] | UnsetType = (
        UNSET
    )


class ScandaroonBoostedEvent(Struct, kw_only=True, tag_field="type", tag="boosted"):
    """
    The amount was added to the boost of these cards; `left` more are to be chosen.
    """

    amount: Annotated[int, Meta(description="The points that the cards count more; negative: less.")]
    left: Annotated[int, Meta(description="The number of cards that are still to be chosen.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    spots: Annotated[list[ScandaroonSpot], Meta(description="The places of the cards.")]


class ScandaroonChangeTrump(Struct, kw_only=True, tag_field="kind", tag="set_trump"):
    """
    The trump becomes another one of these.
    """

    values: Annotated[list[ScandaroonTrump], Meta(description="The possible trumps.")]


class ScandaroonEffect(Struct, kw_only=True):
    """
    Holds as long as the card is in play: the amount is added to every card reached.
    """

    amount: Annotated[int, Meta(description="The points that each card reached counts more; negative: less.")]
    direction: Annotated[
        Literal["both", "elsewhere", "left", "right", "table"],
        Meta(description="Cards of the row on that side or on each; all other cards in play; those of other rows."),
    ]
    reach: Annotated[
        int | Literal["all"], Meta(description="The number of cards on each side. `table` and `elsewhere` reach all.")
    ]
    symbols: Annotated[list[ScandaroonSymbol], Meta(description="Only cards that bear one of these.")] | UnsetType = (
        UNSET
    )


class ScandaroonFilter(Struct, kw_only=True):
    """
    The cards that may be chosen: of live rows, unprotected, never the ability card itself, and besides (SD-9).
    """

    compare: Annotated[
        Literal["base", "current"], Meta(description="The value of the card that `min` and `max` are about.")
    ]
    place: Annotated[
        Literal["any", "first", "last"], Meta(description="last, first: only the last, the first card of its row.")
    ]
    rows: Annotated[
        Literal["any", "other", "own"],
        Meta(description="The rows: any, those of the seat that chooses, or those of others."),
    ]
    end: Annotated[bool, Meta(description="True: end cards only. False: no end cards.")] | UnsetType = UNSET
    max: Annotated[ScandaroonLimit, Meta(description="The largest value of the card. Absent: any.")] | UnsetType = UNSET
    min: Annotated[ScandaroonLimit, Meta(description="The smallest value of the card. Absent: any.")] | UnsetType = (
        UNSET
    )
    symbols: Annotated[list[ScandaroonSymbol], Meta(description="The card bears one of these.")] | UnsetType = UNSET


class ScandaroonGameRequest(Struct, kw_only=True):
    """
    The terms of a new game.
    """

    seats: Annotated[
        int | list[ScandaroonOccupant | KeptSeat],
        Meta(
            description="The number of seats, or a list of who each seat is for: `me` (the opener), `open` (anybody), the name of a bot, or another player."
        ),
    ]
    absent: (
        Annotated[
            Literal["abort", "careful/1", "easy/1", "random/1"],
            Meta(
                description="The bot that goes on when a player leaves the running game, or `abort`, which ends the game. Default: the ruleset's best bot. Not for hotseat games, which nobody can leave."
            ),
        ]
        | UnsetType
    ) = UNSET
    clock: (
        Annotated[
            ClockInput, Meta(description="The time for choices. Default: it is not limited. Not for hotseat games.")
        ]
        | UnsetType
    ) = UNSET
    deck: (
        Annotated[
            Literal["reconstruction-1"], Meta(description="The name of a deck. Default: the ruleset's first deck.")
        ]
        | UnsetType
    ) = UNSET
    entropy: (
        Annotated[
            str,
            Meta(
                description='The contribution of a seat to the shuffles: up to 64 printable ASCII characters, public. Default: `""`.'
            ),
        ]
        | UnsetType
    ) = UNSET
    hints: (
        Annotated[
            bool,
            Meta(description="The player can ask for hints. Only if all seats but one are for bots. Default: `false`."),
        ]
        | UnsetType
    ) = UNSET
    hotseat: (
        Annotated[
            bool,
            Meta(description="The opener plays all seats: for pass-and-play, analysis and tests. Default: `false`."),
        ]
        | UnsetType
    ) = UNSET
    options: (
        Annotated[ScandaroonOptionsInput, Meta(description="The options of the game. Default: the ruleset's defaults.")]
        | UnsetType
    ) = UNSET
    private: (
        Annotated[
            bool,
            Meta(
                description="Only members and holders of the invite code can see and join the game. Default: `false`."
            ),
        ]
        | UnsetType
    ) = UNSET
    puzzles: (
        Annotated[
            bool,
            Meta(
                description="Positions of the game may become puzzles, without names. Players agree by sitting down. Not for private and hotseat games. Default: `false`."
            ),
        ]
        | UnsetType
    ) = UNSET
    sealed: (
        Annotated[
            bool,
            Meta(
                description="Nobody sees an entropy before all are fixed: players sit down with a `seal`, and open their entropy when all seats are taken. Not for hotseat games, nor together with `entropy`. Default: `false`."
            ),
        ]
        | UnsetType
    ) = UNSET
    sit: (
        Annotated[
            bool,
            Meta(
                description="The opener takes seat 0; with a list of `seats`, the seat `me`. With `false` the opener takes a seat later, or not at all. With a list without `me` the opener does not sit. In a sealed game the seat is kept for the opener, who takes it with a seal. Default: `true`."
            ),
        ]
        | UnsetType
    ) = UNSET
    undo: (
        Annotated[
            Literal["agreed", "free", "none"],
            Meta(
                description="The moves that can be taken back: those that revealed nothing (`free`), also others if all players agree (`agreed`), or none. Default: `free`."
            ),
        ]
        | UnsetType
    ) = UNSET


class ScandaroonPending(Struct, kw_only=True):
    """
    The decision of the seat on turn before its turn ends (SD-32).
    """

    drawn: Annotated[
        list[str | None], Meta(description="The cards just drawn, of which one may be played; null for the others.")
    ]
    first: Annotated[ScandaroonSpot, Meta(description="The card that is to be swapped or moved.")] | None
    kind: Annotated[
        Literal["ability", "exchange", "may_play", "protect", "steal"],
        Meta(
            description="The decision.\n\n- `ability`: an ability\n- `may_play`: play one of the drawn cards, or none\n- `exchange`: exchange cards\n- `protect`: protect a card\n- `steal`: take a card"
        ),
    ]
    left: Annotated[int, Meta(description="The number of targets still to be chosen.")]
    most: Annotated[
        int,
        Meta(
            description="The maximum number of cards to discard for others; the maximum base value of the stolen card."
        ),
    ]
    out: Annotated[int, Meta(description="The number of cards discarded for others.")]
    position: Annotated[int, Meta(description="The slot of the ability card in the seat's own row.")] | None


class ScandaroonPreparedEvent(Struct, kw_only=True, tag_field="type", tag="prepared"):
    """
    The starting seat was drawn by lot, trump cards and cards were shuffled, the top trump card revealed (SD-60).
    """

    draw: Annotated[
        list[str | None],
        Meta(description="The draw pile; the last card is its top. Null for everybody until the game is over."),
    ]
    starter: Annotated[
        int, Meta(description="The seat that begins the first round. Seats are numbered from 0, rising clockwise.")
    ]
    trump: Annotated[
        ScandaroonSymbol,
        Meta(
            description="- `scimitar`: scimitar\n- `crescent`: crescent\n- `turban`: turban\n- `cross_tile`: cross tile"
        ),
    ]
    trump_cards: Annotated[
        list[ScandaroonSymbol | None],
        Meta(
            description="The cards below it.\n\n- `scimitar`: scimitar\n- `crescent`: crescent\n- `turban`: turban\n- `cross_tile`: cross tile"
        ),
    ]


class ScandaroonProtectedEvent(Struct, kw_only=True, tag_field="type", tag="protected"):
    """
    The seat's action stone lies on the card until the round ends.
    """

    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    spot: ScandaroonSpot


class ScandaroonRemove(Struct, kw_only=True, tag_field="kind", tag="remove"):
    """
    The chosen cards go to the discard pile.
    """

    count: Annotated[int, Meta(description="The number of cards that are chosen.")]
    target: ScandaroonFilter


class ScandaroonRemovedEvent(Struct, kw_only=True, tag_field="type", tag="removed"):
    """
    The card went to the discard pile; `left` more are to be chosen.
    """

    left: Annotated[int, Meta(description="The number of cards that are still to be chosen.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    spot: ScandaroonSpot


class ScandaroonReturn(Struct, kw_only=True, tag_field="kind", tag="return"):
    """
    The chosen cards go to the hand of the user, or of the row's seat.
    """

    count: Annotated[int, Meta(description="The number of cards that are chosen.")]
    target: ScandaroonFilter
    to: Annotated[
        Literal["owner", "user"],
        Meta(description="The hand of the seat that uses the ability, or of the seat that owns the row."),
    ]


class ScandaroonReturnedEvent(Struct, kw_only=True, tag_field="type", tag="returned"):
    """
    The card went to a hand; `left` more are to be chosen.
    """

    left: Annotated[int, Meta(description="The number of cards that are still to be chosen.")]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    spot: ScandaroonSpot
    to: Annotated[
        int, Meta(description="The seat to whose hand the card went. Seats are numbered from 0, rising clockwise.")
    ]


class ScandaroonRoundScoredEvent(Struct, kw_only=True, tag_field="type", tag="round_scored"):
    """
    All have passed: the scores of the round, and the victory points for them (SD-62 to SD-67).

    `points` are those on the rank track. The cards that lay in the slots `taken` went to the score piles of the rows'
    seats. The others are who has, from now on, points for no trump, for the score piles and for the highest score.
    """

    no_trump: Annotated[
        list[int], Meta(description="The seats that have led a round that began or ended without trump.")
    ]
    pile_first: Annotated[list[int], Meta(description="The seats with the highest score pile.")]
    pile_second: Annotated[list[int], Meta(description="The seats with the second score pile.")]
    points: Annotated[list[int], Meta(description="By seat: the victory points for the rank in this round.")]
    record: ScandaroonHighScore
    scores: Annotated[list[int], Meta(description="By seat: what the cards of its row count together.")]
    taken: Annotated[list[ScandaroonSpot], Meta(description="The places of the cards that went to score piles.")]


class ScandaroonSetTrumpMove(Struct, kw_only=True, tag_field="type", tag="set_trump"):
    """
    Change the trump (SD-44).
    """

    trump: Annotated[
        ScandaroonTrump,
        Meta(
            description="- `scimitar`: scimitar\n- `crescent`: crescent\n- `turban`: turban\n- `cross_tile`: cross tile\n- `none`: no trump"
        ),
    ]


class ScandaroonShift(Struct, kw_only=True, tag_field="kind", tag="move"):
    """
    The chosen card takes another occupied slot of its row, or goes to the end of another row.
    """

    target: ScandaroonFilter
    to: Annotated[
        Literal["row_end", "same_row"],
        Meta(description="`same_row`: an occupied slot of its row; `row_end`: the end of another row."),
    ]


class ScandaroonShiftedEvent(Struct, kw_only=True, tag_field="type", tag="shifted"):
    """
    The card took that slot. Within a row the cards between close up, in another row the slot is new (SD-43).
    """

    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    spot: ScandaroonSpot
    to: ScandaroonSpot


class ScandaroonStoneMove(Struct, kw_only=True, tag_field="type", tag="stone"):
    """
    Discard a card of your hand or of your row for your action stone (SD-48).
    """

    symbol: Annotated[
        ScandaroonSymbol,
        Meta(
            description="One that the card bears; any for a card without symbol.\n\n- `scimitar`: scimitar\n- `crescent`: crescent\n- `turban`: turban\n- `cross_tile`: cross tile"
        ),
    ]
    card: Annotated[str, Meta(description="The card, by its `id` in the deck.")] | None | UnsetType = UNSET
    position: (
        Annotated[int, Meta(description="A slot of the row; slots keep their numbers for a whole round.")]
        | None
        | UnsetType
    ) = UNSET


class ScandaroonStonePlayedEvent(Struct, kw_only=True, tag_field="type", tag="stone_played"):
    """
    The card was discarded for the seat's action stone. It came from that slot of its row, or else from its hand.
    """

    card: Annotated[str, Meta(description="The card that was discarded. By its `id` in the deck.")]
    outcome: Annotated[
        ScandaroonOutcome,
        Meta(
            description="- `score_pile`: the stone goes to the score pile\n- `exchange`: exchange cards of the hand\n- `protect`: protect a card\n- `steal`: take a card into the hand"
        ),
    ]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    symbol: Annotated[
        ScandaroonSymbol,
        Meta(
            description="- `scimitar`: scimitar\n- `crescent`: crescent\n- `turban`: turban\n- `cross_tile`: cross tile"
        ),
    ]
    position: (
        Annotated[int, Meta(description="The slot of the card in the seat's row. Absent: the card came from the hand.")]
        | UnsetType
    ) = UNSET


class ScandaroonSwap(Struct, kw_only=True, tag_field="kind", tag="swap"):
    """
    Two cards exchange their slots.
    """

    first: ScandaroonFilter
    max_difference: Annotated[int, Meta(description="The maximum difference of their base values.")] | None
    second: ScandaroonFilter


class ScandaroonView(Struct, kw_only=True):
    """
    The table. The dealer acts in `deal` and `reshuffle`, nobody in `settle` (what a move entails) and `over`.
    """

    deck: Annotated[str, Meta(description="The name of the deck. It selects the deck when a game is opened.")]
    discard: Annotated[list[str], Meta(description="The discard pile, face up; the last card is the top.")]
    draw: Annotated[list[str | None], Meta(description="The draw pile, face down; the last card is the top.")]
    flipped: Annotated[bool, Meta(description="The top trump card lies face down: there is no trump.")]
    hands: Annotated[
        list[list[str | None]],
        Meta(
            description="By seat: the cards in the order of arrival.\n\nCards that the viewer cannot know are null; their number is not hidden."
        ),
    ]
    no_trump: Annotated[
        list[int], Meta(description="The seats that have won a round that began or ended without trump.")
    ]
    options: Annotated[ScandaroonOptions, Meta(description="The options of the game.")]
    passed: Annotated[list[bool], Meta(description="By seat: whether it has passed for the rest of the round.")]
    pending: Annotated[ScandaroonPending, Meta(description="The decision of the seat `turn` before its turn ends; null: there is none.")] | None
    phase: Annotated[
        ScandaroonPhase,
        Meta(
            description="The phase: what the game waits for.\n\n- `deal`: The cards are dealt\n- `turn`: Lay a card, use an ability, play the stone, or pass\n- `settle`: The move is completed\n- `reshuffle`: The cards are shuffled\n- `over`: The game is over"
        ),
    ]
    pile_first: Annotated[
        list[int],
        Meta(description="The seats with the most points on their score piles; each has 3 victory points for it."),
    ]
    pile_second: Annotated[
        list[int],
        Meta(
            description="The seats with the second most points on their score piles; each has 1 victory point for it."
        ),
    ]
    rank_points: Annotated[list[int], Meta(description="By seat: the victory points on the rank track.")]
    record: Annotated[ScandaroonHighScore, Meta(description="The highest score of a round so far.")] | None
    round: Annotated[int, Meta(description="The number of the round, from 1.")]
    rounds: Annotated[list[ScandaroonRound], Meta(description="The scored rounds, first to last.")]
    rows: Annotated[
        list[list[ScandaroonSlot | None]],
        Meta(
            description="By seat: the slots of its row, from left to right. Null: the card is gone, and the slot keeps its number."
        ),
    ]
    score_piles: Annotated[
        list[list[str]], Meta(description="By seat: the cards on its score pile, in the order of arrival.")
    ]
    starter: Annotated[int, Meta(description="The seat that begins the round; null until it is known.")] | None
    stones: Annotated[
        list[ScandaroonStonePlace],
        Meta(
            description="By seat: where its action stone is.\n\n- `ready`: ready\n- `pile`: on the score pile\n- `card`: on a card\n- `gone`: out of the game"
        ),
    ]
    totals: Annotated[list[int], Meta(description="By seat: all victory points; null until the game is over.")] | None
    trump: Annotated[
        ScandaroonTrump,
        Meta(
            description="The current trump.\n\n- `scimitar`: scimitar\n- `crescent`: crescent\n- `turban`: turban\n- `cross_tile`: cross tile\n- `none`: no trump"
        ),
    ]
    trump_at_start: Annotated[
        ScandaroonTrump,
        Meta(
            description="The trump at the start of the round.\n\n- `scimitar`: scimitar\n- `crescent`: crescent\n- `turban`: turban\n- `cross_tile`: cross tile\n- `none`: no trump"
        ),
    ]
    trump_cards: Annotated[
        list[ScandaroonSymbol | None],
        Meta(
            description="The pile of trump cards; the last one is the top and revealed, null is an unrevealed one.\n\n- `scimitar`: scimitar\n- `crescent`: crescent\n- `turban`: turban\n- `cross_tile`: cross tile"
        ),
    ]
    turn: Annotated[int, Meta(description="The seat whose turn it is.")] | None
    winners: Annotated[list[int], Meta(description="The seats that have won; null until the game is over.")] | None


class ScopinionDeck(Struct, kw_only=True):
    """
    The cards in canonical order, as they are shuffled.
    """

    cards: Annotated[list[ScopinionPrintedCard], Meta(description="All cards, each with an id of its own.")]
    name: Annotated[str, Meta(description="It selects the deck when a game is opened.")]
    provenance: Annotated[str, Meta(description="The source of the list of cards.")]
    ruleset: Annotated[str, Meta(description="The ruleset that the deck is for.")]
    licence: (
        Annotated[
            str,
            Meta(
                description="The licence of these data, which records contain: an SPDX expression, `LicenseRef-` for others."
            ),
        ]
        | UnsetType
    ) = UNSET


class ScopinionGameRequest(Struct, kw_only=True):
    """
    The terms of a new game.
    """

    seats: Annotated[
        int | list[ScopinionOccupant | KeptSeat],
        Meta(
            description="The number of seats, or a list of who each seat is for: `me` (the opener), `open` (anybody), the name of a bot, or another player."
        ),
    ]
    absent: (
        Annotated[
            Literal["abort", "careful/1", "easy/1", "random/1"],
            Meta(
                description="The bot that goes on when a player leaves the running game, or `abort`, which ends the game. Default: the ruleset's best bot. Not for hotseat games, which nobody can leave."
            ),
        ]
        | UnsetType
    ) = UNSET
    clock: (
        Annotated[
            ClockInput, Meta(description="The time for choices. Default: it is not limited. Not for hotseat games.")
        ]
        | UnsetType
    ) = UNSET
    deck: (
        Annotated[
            Literal["reconstruction-1"], Meta(description="The name of a deck. Default: the ruleset's first deck.")
        ]
        | UnsetType
    ) = UNSET
    entropy: (
        Annotated[
            str,
            Meta(
                description='The contribution of a seat to the shuffles: up to 64 printable ASCII characters, public. Default: `""`.'
            ),
        ]
        | UnsetType
    ) = UNSET
    hints: (
        Annotated[
            bool,
            Meta(description="The player can ask for hints. Only if all seats but one are for bots. Default: `false`."),
        ]
        | UnsetType
    ) = UNSET
    hotseat: (
        Annotated[
            bool,
            Meta(description="The opener plays all seats: for pass-and-play, analysis and tests. Default: `false`."),
        ]
        | UnsetType
    ) = UNSET
    options: (
        Annotated[ScopinionOptionsInput, Meta(description="The options of the game. Default: the ruleset's defaults.")]
        | UnsetType
    ) = UNSET
    private: (
        Annotated[
            bool,
            Meta(
                description="Only members and holders of the invite code can see and join the game. Default: `false`."
            ),
        ]
        | UnsetType
    ) = UNSET
    puzzles: (
        Annotated[
            bool,
            Meta(
                description="Positions of the game may become puzzles, without names. Players agree by sitting down. Not for private and hotseat games. Default: `false`."
            ),
        ]
        | UnsetType
    ) = UNSET
    sealed: (
        Annotated[
            bool,
            Meta(
                description="Nobody sees an entropy before all are fixed: players sit down with a `seal`, and open their entropy when all seats are taken. Not for hotseat games, nor together with `entropy`. Default: `false`."
            ),
        ]
        | UnsetType
    ) = UNSET
    sit: (
        Annotated[
            bool,
            Meta(
                description="The opener takes seat 0; with a list of `seats`, the seat `me`. With `false` the opener takes a seat later, or not at all. With a list without `me` the opener does not sit. In a sealed game the seat is kept for the opener, who takes it with a seal. Default: `true`."
            ),
        ]
        | UnsetType
    ) = UNSET
    undo: (
        Annotated[
            Literal["agreed", "free", "none"],
            Meta(
                description="The moves that can be taken back: those that revealed nothing (`free`), also others if all players agree (`agreed`), or none. Default: `free`."
            ),
        ]
        | UnsetType
    ) = UNSET


ScopinionMove: TypeAlias = ScopinionBuyMove | ScopinionTripleMove | ScopinionTakeMove | ScopinionDrawOneMove | ScopinionKeepDrawnMove | ScopinionDrawTwoMove | ScopinionTrashMove | ScopinionSecureMove | ScopinionPikOffMove | ScopinionEndTurnMove


class ScopinionOpenedEvent(Struct, kw_only=True, tag_field="type", tag="opened"):
    """
    The terms of the game, and the secret from which all deals follow.
    """

    commitment: Annotated[
        str, Meta(description="The hash of the secret, which all deals follow from. 32 bytes in lower-case hex.")
    ]
    deck: Annotated[ScopinionDeck, Meta(description="The whole deck, so that the record needs nothing else.")]
    description: Annotated[
        str, Meta(description="The hash of the published description of these rules. 32 bytes in lower-case hex.")
    ]
    hotseat: Annotated[bool, Meta(description="True: the opener plays all seats.")]
    opener: Annotated[
        str,
        Meta(
            description="The player who opened the game. They need not have a seat. The id of a player: a guest's UUID, or `namespace:sub`."
        ),
    ]
    options: Annotated[ScopinionOptions, Meta(description="The options of the ruleset, all of them.")]
    private: Annotated[
        bool, Meta(description="True: only players and those who have the invitation code can see the game.")
    ]
    protocol: Annotated[Literal["stammtisch/1"], Meta(description="The fairness protocol that the game follows.")]
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules, `NAME/N`.")]
    ruleset: Annotated[str, Meta(description="The name of the ruleset.")]
    seats: Annotated[int, Meta(description="The number of seats.")]
    secret: Annotated[str, Meta(description="The secret that all deals follow from. Null for everybody until the game is over.")] | None
    absent: (
        Annotated[
            Absent,
            Meta(
                description="The bot that goes on when a player leaves the running game, or `abort`. Absent: they cannot leave."
            ),
        ]
        | UnsetType
    ) = UNSET
    clock: Annotated[Clock, Meta(description="The time for choices. Absent: it is not limited.")] | UnsetType = UNSET
    deal: Annotated[Deal, Meta(description="The deal that the game has in common with others.")] | UnsetType = UNSET
    hints: (
        Annotated[
            bool, Meta(description="True: the player, who is alone with bots, can ask for hints. Absent: nobody can.")
        ]
        | UnsetType
    ) = UNSET
    longest: (
        Annotated[
            int, Meta(description="A game that is not over after this number of events is aborted. Absent: no limit.")
        ]
        | UnsetType
    ) = UNSET
    parent: Parent | UnsetType = UNSET
    places: Annotated[list[SeatTerms], Meta(description="By seat. Absent: all are open.")] | UnsetType = UNSET
    puzzles: (
        Annotated[
            bool,
            Meta(
                description="True: positions of the game may become puzzles, without names. Players agree by sitting down. Absent: they may not."
            ),
        ]
        | UnsetType
    ) = UNSET
    rematch_of: Annotated[str, Meta(description="The id of the game that this one repeats.")] | UnsetType = UNSET
    sealed: Annotated[bool, Meta(description="True: entropies are sealed. Absent: they are not.")] | UnsetType = UNSET
    undo: (
        Annotated[
            Undo,
            Meta(
                description="The moves that can be taken back: those that revealed nothing (`free`), or also others if all players agree (`agreed`). Absent: none."
            ),
        ]
        | UnsetType
    ) = UNSET


class ScopinionSituation(Struct, kw_only=True):
    """
    The choices of the caller in a game now.
    """

    decision: Annotated[int, Meta(description="The version since which the choice of the seat exists; null: it has none.")] | None
    legal_moves: Annotated[list[ScopinionMove], Meta(description="All of them; each can be sent as it is.")]
    result: Annotated[Result, Meta(description="Null until the game is finished.")] | None
    status: Annotated[Status, Meta(description="The status of the game.")]
    to_act: Annotated[list[int], Meta(description="The seats that must act, rising.")]
    version: Annotated[int, Meta(description="The version of the game now.")]
    you: Annotated[int, Meta(description="The seat of the caller, or of their perspective; null: a bystander.")] | None
    cause: Annotated[Cause, Meta(description="The reason why the game was aborted; absent otherwise.")] | UnsetType = (
        UNSET
    )
    clock: GameClock | UnsetType = UNSET
    seats: (
        Annotated[
            list[SeatAssignment],
            Meta(description="The seats with their players. Absent if nothing has changed since the last one."),
        ]
        | UnsetType
    ) = UNSET
    undo: (
        Annotated[
            int,
            Meta(description="The last version of the caller's move that they can take back without asking, or null; absent if the game has no\nundo."),
        ]
        | None
        | UnsetType
    ) = UNSET
    vote: Annotated[Question, Meta(description="The open question. Absent if there is none.")] | UnsetType = UNSET


class ScoutDeck(Struct, kw_only=True):
    """
    The cards in canonical order, as they are shuffled.
    """

    cards: Annotated[list[ScoutPrintedCard], Meta(description="All cards, for every number of seats.")]
    name: Annotated[str, Meta(description="It selects the deck when a game is opened.")]
    provenance: Annotated[str, Meta(description="The source of the list of cards.")]
    ruleset: Annotated[str, Meta(description="The ruleset that the deck is for.")]
    licence: (
        Annotated[
            str,
            Meta(
                description="The licence of these data, which records contain: an SPDX expression, `LicenseRef-` for others."
            ),
        ]
        | UnsetType
    ) = UNSET


class ScoutGameRequest(Struct, kw_only=True):
    """
    The terms of a new game.
    """

    seats: Annotated[
        int | list[ScoutOccupant | KeptSeat],
        Meta(
            description="The number of seats, or a list of who each seat is for: `me` (the opener), `open` (anybody), the name of a bot, or another player."
        ),
    ]
    absent: (
        Annotated[
            Literal["abort", "careful/1", "easy/1", "random/1", "trained/1"],
            Meta(
                description="The bot that goes on when a player leaves the running game, or `abort`, which ends the game. Default: the ruleset's best bot. Not for hotseat games, which nobody can leave."
            ),
        ]
        | UnsetType
    ) = UNSET
    clock: (
        Annotated[
            ClockInput, Meta(description="The time for choices. Default: it is not limited. Not for hotseat games.")
        ]
        | UnsetType
    ) = UNSET
    deck: (
        Annotated[Literal["official"], Meta(description="The name of a deck. Default: the ruleset's first deck.")]
        | UnsetType
    ) = UNSET
    entropy: (
        Annotated[
            str,
            Meta(
                description='The contribution of a seat to the shuffles: up to 64 printable ASCII characters, public. Default: `""`.'
            ),
        ]
        | UnsetType
    ) = UNSET
    hints: (
        Annotated[
            bool,
            Meta(description="The player can ask for hints. Only if all seats but one are for bots. Default: `false`."),
        ]
        | UnsetType
    ) = UNSET
    hotseat: (
        Annotated[
            bool,
            Meta(description="The opener plays all seats: for pass-and-play, analysis and tests. Default: `false`."),
        ]
        | UnsetType
    ) = UNSET
    options: (
        Annotated[ScoutOptionsInput, Meta(description="The options of the game. Default: the ruleset's defaults.")]
        | UnsetType
    ) = UNSET
    private: (
        Annotated[
            bool,
            Meta(
                description="Only members and holders of the invite code can see and join the game. Default: `false`."
            ),
        ]
        | UnsetType
    ) = UNSET
    puzzles: (
        Annotated[
            bool,
            Meta(
                description="Positions of the game may become puzzles, without names. Players agree by sitting down. Not for private and hotseat games. Default: `false`."
            ),
        ]
        | UnsetType
    ) = UNSET
    sealed: (
        Annotated[
            bool,
            Meta(
                description="Nobody sees an entropy before all are fixed: players sit down with a `seal`, and open their entropy when all seats are taken. Not for hotseat games, nor together with `entropy`. Default: `false`."
            ),
        ]
        | UnsetType
    ) = UNSET
    sit: (
        Annotated[
            bool,
            Meta(
                description="The opener takes seat 0; with a list of `seats`, the seat `me`. With `false` the opener takes a seat later, or not at all. With a list without `me` the opener does not sit. In a sealed game the seat is kept for the opener, who takes it with a seal. Default: `true`."
            ),
        ]
        | UnsetType
    ) = UNSET
    undo: (
        Annotated[
            Literal["agreed", "free", "none"],
            Meta(
                description="The moves that can be taken back: those that revealed nothing (`free`), also others if all players agree (`agreed`), or none. Default: `free`."
            ),
        ]
        | UnsetType
    ) = UNSET


ScoutMove: TypeAlias = ScoutKeepMove | ScoutTurnMove | ScoutShowMove | ScoutScoutMove


class ScoutOpenedEvent(Struct, kw_only=True, tag_field="type", tag="opened"):
    """
    The terms of the game, and the secret from which all deals follow.
    """

    commitment: Annotated[
        str, Meta(description="The hash of the secret, which all deals follow from. 32 bytes in lower-case hex.")
    ]
    deck: Annotated[ScoutDeck, Meta(description="The whole deck, so that the record needs nothing else.")]
    description: Annotated[
        str, Meta(description="The hash of the published description of these rules. 32 bytes in lower-case hex.")
    ]
    hotseat: Annotated[bool, Meta(description="True: the opener plays all seats.")]
    opener: Annotated[
        str,
        Meta(
            description="The player who opened the game. They need not have a seat. The id of a player: a guest's UUID, or `namespace:sub`."
        ),
    ]
    options: Annotated[ScoutOptions, Meta(description="The options of the ruleset, all of them.")]
    private: Annotated[
        bool, Meta(description="True: only players and those who have the invitation code can see the game.")
    ]
    protocol: Annotated[Literal["stammtisch/1"], Meta(description="The fairness protocol that the game follows.")]
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules, `NAME/N`.")]
    ruleset: Annotated[str, Meta(description="The name of the ruleset.")]
    seats: Annotated[int, Meta(description="The number of seats.")]
    secret: Annotated[str, Meta(description="The secret that all deals follow from. Null for everybody until the game is over.")] | None
    absent: (
        Annotated[
            Absent,
            Meta(
                description="The bot that goes on when a player leaves the running game, or `abort`. Absent: they cannot leave."
            ),
        ]
        | UnsetType
    ) = UNSET
    clock: Annotated[Clock, Meta(description="The time for choices. Absent: it is not limited.")] | UnsetType = UNSET
    deal: Annotated[Deal, Meta(description="The deal that the game has in common with others.")] | UnsetType = UNSET
    hints: (
        Annotated[
            bool, Meta(description="True: the player, who is alone with bots, can ask for hints. Absent: nobody can.")
        ]
        | UnsetType
    ) = UNSET
    longest: (
        Annotated[
            int, Meta(description="A game that is not over after this number of events is aborted. Absent: no limit.")
        ]
        | UnsetType
    ) = UNSET
    parent: Parent | UnsetType = UNSET
    places: Annotated[list[SeatTerms], Meta(description="By seat. Absent: all are open.")] | UnsetType = UNSET
    puzzles: (
        Annotated[
            bool,
            Meta(
                description="True: positions of the game may become puzzles, without names. Players agree by sitting down. Absent: they may not."
            ),
        ]
        | UnsetType
    ) = UNSET
    rematch_of: Annotated[str, Meta(description="The id of the game that this one repeats.")] | UnsetType = UNSET
    sealed: Annotated[bool, Meta(description="True: entropies are sealed. Absent: they are not.")] | UnsetType = UNSET
    undo: (
        Annotated[
            Undo,
            Meta(
                description="The moves that can be taken back: those that revealed nothing (`free`), or also others if all players agree (`agreed`). Absent: none."
            ),
        ]
        | UnsetType
    ) = UNSET


class ScoutSituation(Struct, kw_only=True):
    """
    The choices of the caller in a game now.
    """

    decision: Annotated[int, Meta(description="The version since which the choice of the seat exists; null: it has none.")] | None
    legal_moves: Annotated[list[ScoutMove], Meta(description="All of them; each can be sent as it is.")]
    result: Annotated[Result, Meta(description="Null until the game is finished.")] | None
    status: Annotated[Status, Meta(description="The status of the game.")]
    to_act: Annotated[list[int], Meta(description="The seats that must act, rising.")]
    version: Annotated[int, Meta(description="The version of the game now.")]
    you: Annotated[int, Meta(description="The seat of the caller, or of their perspective; null: a bystander.")] | None
    cause: Annotated[Cause, Meta(description="The reason why the game was aborted; absent otherwise.")] | UnsetType = (
        UNSET
    )
    clock: GameClock | UnsetType = UNSET
    seats: (
        Annotated[
            list[SeatAssignment],
            Meta(description="The seats with their players. Absent if nothing has changed since the last one."),
        ]
        | UnsetType
    ) = UNSET
    undo: (
        Annotated[
            int,
            Meta(description="The last version of the caller's move that they can take back without asking, or null; absent if the game has no\nundo."),
        ]
        | None
        | UnsetType
    ) = UNSET
    vote: Annotated[Question, Meta(description="The open question. Absent if there is none.")] | UnsetType = UNSET


class SecretWebhook(Struct, kw_only=True):
    """
    A webhook with the secret that signs its deliveries. Only creating and rotating return the secret.
    """

    after: Annotated[
        int, Meta(description="Seconds after which `game.your_turn` is delivered, if the choice still stands.")
    ]
    cause: Annotated[WebhookCause, Meta(description="The reason why it is disabled: its owner wanted it, the address answered 410 (`gone`), all attempts of three days failed, or because the operator has banned the owner.")] | None
    created_at: Annotated[str, Meta(description="The time at which it was created.")]
    failing_since: Annotated[str, Meta(description="The time since which every attempt has failed; null if the last one succeeded.")] | None
    id: Annotated[str, Meta(description="The id of the webhook.")]
    secret: Annotated[str, Meta(description="`whsec_` and base64, as libraries of Standard Webhooks take it.")]
    status: Annotated[
        WebhookStatus,
        Meta(description="`unverified` until the address has answered a ping, then `live`, or `disabled`."),
    ]
    types: Annotated[list[WebhookEvent], Meta(description="The events that are delivered.")]
    url: Annotated[str, Meta(description="The URL to which events are sent.")]


class Situation(Struct, kw_only=True):
    """
    The choices of the caller in a game now.
    """

    decision: Annotated[int, Meta(description="The version since which the choice of the seat exists; null: it has none.")] | None
    legal_moves: Annotated[list[GameMove], Meta(description="All of them; each can be sent as it is.")]
    result: Annotated[Result, Meta(description="Null until the game is finished.")] | None
    status: Annotated[Status, Meta(description="The status of the game.")]
    to_act: Annotated[list[int], Meta(description="The seats that must act, rising.")]
    version: Annotated[int, Meta(description="The version of the game now.")]
    you: Annotated[int, Meta(description="The seat of the caller, or of their perspective; null: a bystander.")] | None
    cause: Annotated[Cause, Meta(description="The reason why the game was aborted; absent otherwise.")] | UnsetType = (
        UNSET
    )
    clock: GameClock | UnsetType = UNSET
    seats: (
        Annotated[
            list[SeatAssignment],
            Meta(description="The seats with their players. Absent if nothing has changed since the last one."),
        ]
        | UnsetType
    ) = UNSET
    undo: (
        Annotated[
            int,
            Meta(description="The last version of the caller's move that they can take back without asking, or null; absent if the game has no\nundo."),
        ]
        | None
        | UnsetType
    ) = UNSET
    vote: Annotated[Question, Meta(description="The open question. Absent if there is none.")] | UnsetType = UNSET


class SkyjoActionActionTakenEvent(Struct, kw_only=True, tag_field="type", tag="action_taken"):
    """
    The action card lies in front of the seat, not to be played before its next turn (SA-24, SA-33).

    `laid` is the top card of their pile, laid open in place of an open card that was taken; none if the pile is empty.
    """

    card: Annotated[SkyjoActionAction, Meta(description="The action card that was taken.")]
    laid: Annotated[
        list[SkyjoActionAction], Meta(description="The action card that lies in its place now; empty if there is none.")
    ]
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]
    source: Annotated[SkyjoActionSource, Meta(description="- `pile`: the top one of the pile")]


class SkyjoActionClearLineMove(Struct, kw_only=True, tag_field="type", tag="clear_line"):
    """
    Clear a line of yours that has a star in it (SA-45).
    """

    line: Annotated[
        SkyjoActionLine,
        Meta(
            description="- `c0`: column 1\n- `c1`: column 2\n- `c2`: column 3\n- `c3`: column 4\n- `r0`: row 1\n- `r1`: row 2\n- `r2`: row 3"
        ),
    ]


class SkyjoActionExchangedEvent(Struct, kw_only=True, tag_field="type", tag="exchanged"):
    """
    The two cards have changed places, each as it lay, face up or face down.
    """

    one: SkyjoActionPlace
    other: SkyjoActionPlace
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class SkyjoActionGameRequest(Struct, kw_only=True):
    """
    The terms of a new game.
    """

    seats: Annotated[
        int | list[SkyjoActionOccupant | KeptSeat],
        Meta(
            description="The number of seats, or a list of who each seat is for: `me` (the opener), `open` (anybody), the name of a bot, or another player."
        ),
    ]
    absent: (
        Annotated[
            Literal["abort", "careful/1", "easy/1", "random/1"],
            Meta(
                description="The bot that goes on when a player leaves the running game, or `abort`, which ends the game. Default: the ruleset's best bot. Not for hotseat games, which nobody can leave."
            ),
        ]
        | UnsetType
    ) = UNSET
    clock: (
        Annotated[
            ClockInput, Meta(description="The time for choices. Default: it is not limited. Not for hotseat games.")
        ]
        | UnsetType
    ) = UNSET
    deck: (
        Annotated[Literal["skyjo_action"], Meta(description="The name of a deck. Default: the ruleset's first deck.")]
        | UnsetType
    ) = UNSET
    entropy: (
        Annotated[
            str,
            Meta(
                description='The contribution of a seat to the shuffles: up to 64 printable ASCII characters, public. Default: `""`.'
            ),
        ]
        | UnsetType
    ) = UNSET
    hints: (
        Annotated[
            bool,
            Meta(description="The player can ask for hints. Only if all seats but one are for bots. Default: `false`."),
        ]
        | UnsetType
    ) = UNSET
    hotseat: (
        Annotated[
            bool,
            Meta(description="The opener plays all seats: for pass-and-play, analysis and tests. Default: `false`."),
        ]
        | UnsetType
    ) = UNSET
    options: (
        Annotated[
            SkyjoActionOptionsInput, Meta(description="The options of the game. Default: the ruleset's defaults.")
        ]
        | UnsetType
    ) = UNSET
    private: (
        Annotated[
            bool,
            Meta(
                description="Only members and holders of the invite code can see and join the game. Default: `false`."
            ),
        ]
        | UnsetType
    ) = UNSET
    puzzles: (
        Annotated[
            bool,
            Meta(
                description="Positions of the game may become puzzles, without names. Players agree by sitting down. Not for private and hotseat games. Default: `false`."
            ),
        ]
        | UnsetType
    ) = UNSET
    sealed: (
        Annotated[
            bool,
            Meta(
                description="Nobody sees an entropy before all are fixed: players sit down with a `seal`, and open their entropy when all seats are taken. Not for hotseat games, nor together with `entropy`. Default: `false`."
            ),
        ]
        | UnsetType
    ) = UNSET
    sit: (
        Annotated[
            bool,
            Meta(
                description="The opener takes seat 0; with a list of `seats`, the seat `me`. With `false` the opener takes a seat later, or not at all. With a list without `me` the opener does not sit. In a sealed game the seat is kept for the opener, who takes it with a seal. Default: `true`."
            ),
        ]
        | UnsetType
    ) = UNSET
    undo: (
        Annotated[
            Literal["agreed", "free", "none"],
            Meta(
                description="The moves that can be taken back: those that revealed nothing (`free`), also others if all players agree (`agreed`), or none. Default: `free`."
            ),
        ]
        | UnsetType
    ) = UNSET


class SkyjoActionLayoutsRevealedEvent(Struct, kw_only=True, tag_field="type", tag="layouts_revealed"):
    """
    The final lap has ended: all face-down cards are turned up (SA-71).
    """

    cards: Annotated[list[SkyjoActionTurnedUp], Meta(description="Each card that lay face down.")]


SkyjoActionMove: TypeAlias = SkyjoActionFlipMove | SkyjoActionDrawMove | SkyjoActionTakeMove | SkyjoActionSwapMove | SkyjoActionTossMove | SkyjoActionTakeActionMove | SkyjoActionSkipActionMove | SkyjoActionPlayMove | SkyjoActionDiscardMove | SkyjoActionPickMove | SkyjoActionLookMove | SkyjoActionKeepMove | SkyjoActionKeepNoneMove | SkyjoActionDropMove | SkyjoActionStealMove | SkyjoActionReplayMove | SkyjoActionClearLineMove | SkyjoActionKeepLinesMove


class SkyjoActionOpenedEvent(Struct, kw_only=True, tag_field="type", tag="opened"):
    """
    The terms of the game, and the secret from which all deals follow.
    """

    commitment: Annotated[
        str, Meta(description="The hash of the secret, which all deals follow from. 32 bytes in lower-case hex.")
    ]
    deck: Annotated[SkyjoActionDeck, Meta(description="The whole deck, so that the record needs nothing else.")]
    description: Annotated[
        str, Meta(description="The hash of the published description of these rules. 32 bytes in lower-case hex.")
    ]
    hotseat: Annotated[bool, Meta(description="True: the opener plays all seats.")]
    opener: Annotated[
        str,
        Meta(
            description="The player who opened the game. They need not have a seat. The id of a player: a guest's UUID, or `namespace:sub`."
        ),
    ]
    options: Annotated[SkyjoActionOptions, Meta(description="The options of the ruleset, all of them.")]
    private: Annotated[
        bool, Meta(description="True: only players and those who have the invitation code can see the game.")
    ]
    protocol: Annotated[Literal["stammtisch/1"], Meta(description="The fairness protocol that the game follows.")]
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules, `NAME/N`.")]
    ruleset: Annotated[str, Meta(description="The name of the ruleset.")]
    seats: Annotated[int, Meta(description="The number of seats.")]
    secret: Annotated[str, Meta(description="The secret that all deals follow from. Null for everybody until the game is over.")] | None
    absent: (
        Annotated[
            Absent,
            Meta(
                description="The bot that goes on when a player leaves the running game, or `abort`. Absent: they cannot leave."
            ),
        ]
        | UnsetType
    ) = UNSET
    clock: Annotated[Clock, Meta(description="The time for choices. Absent: it is not limited.")] | UnsetType = UNSET
    deal: Annotated[Deal, Meta(description="The deal that the game has in common with others.")] | UnsetType = UNSET
    hints: (
        Annotated[
            bool, Meta(description="True: the player, who is alone with bots, can ask for hints. Absent: nobody can.")
        ]
        | UnsetType
    ) = UNSET
    longest: (
        Annotated[
            int, Meta(description="A game that is not over after this number of events is aborted. Absent: no limit.")
        ]
        | UnsetType
    ) = UNSET
    parent: Parent | UnsetType = UNSET
    places: Annotated[list[SeatTerms], Meta(description="By seat. Absent: all are open.")] | UnsetType = UNSET
    puzzles: (
        Annotated[
            bool,
            Meta(
                description="True: positions of the game may become puzzles, without names. Players agree by sitting down. Absent: they may not."
            ),
        ]
        | UnsetType
    ) = UNSET
    rematch_of: Annotated[str, Meta(description="The id of the game that this one repeats.")] | UnsetType = UNSET
    sealed: Annotated[bool, Meta(description="True: entropies are sealed. Absent: they are not.")] | UnsetType = UNSET
    undo: (
        Annotated[
            Undo,
            Meta(
                description="The moves that can be taken back: those that revealed nothing (`free`), or also others if all players agree (`agreed`). Absent: none."
            ),
        ]
        | UnsetType
    ) = UNSET


class SkyjoActionPending(Struct, kw_only=True):
    """
    The open decision of the seat, or what goes on by itself, with the choices already made (SA-20).
    """

    card: Annotated[SkyjoActionAction, Meta(description="The action card that takes effect.")] | None
    kept: Annotated[
        bool,
        Meta(description="One of the three cards was kept, so that nothing is turned up after the others are dropped."),
    ]
    kind: Annotated[
        SkyjoActionKind,
        Meta(
            description="The decision, or what goes on by itself.\n\n- `choose`: make a move\n- `place`: lay the card\n- `flip`: turn up a card\n- `pick`: pick a card\n- `look`: look at a line\n- `steal`: steal an action card\n- `replay`: play a discarded action card\n- `keep`: keep one of the three\n- `slot`: lay the card kept\n- `drop`: put a card onto the discard pile\n- `lines`: clear lines with stars\n- `three`: draw three cards\n- `victims`: the others lose cards\n- `moves`: more moves\n- `end`: the move ends\n- `fill`: the open action cards are filled up"
        ),
    ]
    picked: Annotated[SkyjoActionPlace, Meta(description="The first of two cards to be exchanged.")] | None
    seat: Annotated[
        int,
        Meta(
            description="The seat that decides, or for which it goes on. Seats are numbered from 0, rising clockwise."
        ),
    ]
    victims: Annotated[list[int], Meta(description="The seats that are still to lose a card, next first.")]


class SkyjoActionPickedEvent(Struct, kw_only=True, tag_field="type", tag="picked"):
    """
    The first of the two cards that are to be exchanged (SA-51, SA-56).
    """

    place: SkyjoActionPlace
    seat: Annotated[int, Meta(description="Seats are numbered from 0, rising clockwise.")]


class SkyjoActionSituation(Struct, kw_only=True):
    """
    The choices of the caller in a game now.
    """

    decision: Annotated[int, Meta(description="The version since which the choice of the seat exists; null: it has none.")] | None
    legal_moves: Annotated[list[SkyjoActionMove], Meta(description="All of them; each can be sent as it is.")]
    result: Annotated[Result, Meta(description="Null until the game is finished.")] | None
    status: Annotated[Status, Meta(description="The status of the game.")]
    to_act: Annotated[list[int], Meta(description="The seats that must act, rising.")]
    version: Annotated[int, Meta(description="The version of the game now.")]
    you: Annotated[int, Meta(description="The seat of the caller, or of their perspective; null: a bystander.")] | None
    cause: Annotated[Cause, Meta(description="The reason why the game was aborted; absent otherwise.")] | UnsetType = (
        UNSET
    )
    clock: GameClock | UnsetType = UNSET
    seats: (
        Annotated[
            list[SeatAssignment],
            Meta(description="The seats with their players. Absent if nothing has changed since the last one."),
        ]
        | UnsetType
    ) = UNSET
    undo: (
        Annotated[
            int,
            Meta(description="The last version of the caller's move that they can take back without asking, or null; absent if the game has no\nundo."),
        ]
        | None
        | UnsetType
    ) = UNSET
    vote: Annotated[Question, Meta(description="The open question. Absent if there is none.")] | UnsetType = UNSET


class SkyjoActionView(Struct, kw_only=True):
    """
    The table. Who decides: the dealer while something is `owed` and in the phase `deal`; else the first
    seat of `stars`, if any, takes an action card for a star; else it is the pending seat's, and in `setup` everybody's.
    """

    action_discard: Annotated[
        list[SkyjoActionAction], Meta(description="The discarded action cards, face up; the last card is the top.")
    ]
    action_pile: Annotated[
        list[SkyjoActionAction | None],
        Meta(description="The pile of action cards, face down; the last card is the top."),
    ]
    deck: Annotated[str, Meta(description="The name of the deck. It selects the deck when a game is opened.")]
    discard: Annotated[
        list[SkyjoActionCard | None],
        Meta(
            description="The discard pile; the last card is the top, face up. Null: a card that the viewer has never seen."
        ),
    ]
    draw: Annotated[
        list[SkyjoActionCard | None], Meta(description="The draw pile, face down; the last card is the top.")
    ]
    finisher: Annotated[int, Meta(description="The seat that turned up its last card and so ends the round.")] | None
    hands: Annotated[
        list[list[SkyjoActionActionCard]],
        Meta(
            description="By seat: the action cards in front of it, face up. Each costs 10 points at the end of the round."
        ),
    ]
    held: Annotated[SkyjoActionCard, Meta(description="The playing card in the hand of the seat `turn`. A drawn one is null for the others: see `held_from`.")] | None
    held_from: Annotated[Literal["discard", "draw", "three"], Meta(description="The place that the card in the hand comes from; null: no card is held.\n\n- `draw`: drawn\n- `discard`: taken from the discard pile\n- `three`: one of the three")] | None
    layouts: Annotated[
        list[list[SkyjoActionSlot | None]],
        Meta(
            description="By seat: the twelve places of a layout in columns: index = column * 3 + row.\n\nNull: the card is gone for the round."
        ),
    ]
    moves: Annotated[int, Meta(description="The number of moves that are left in this turn, the current one included.")]
    open: Annotated[
        list[SkyjoActionAction | None], Meta(description="The four open action cards, by place; null is a gap.")
    ]
    options: Annotated[SkyjoActionOptions, Meta(description="The options of the game.")]
    owed: Annotated[SkyjoActionOwed, Meta(description="The card that comes as soon as an empty pile is restocked.")] | None
    pending: Annotated[SkyjoActionPending, Meta(description="The decision that is open, or what goes on by itself; null between turns and in the phase `setup`.")] | None
    phase: Annotated[
        SkyjoActionPhase,
        Meta(
            description="The phase: what the game waits for.\n\n- `deal`: The cards are dealt\n- `setup`: Turn up two of your cards\n- `turn`: A move, or a choice that it brings\n- `reveal`: The final lap has ended, lines may be cleared\n- `over`: The game is over"
        ),
    ]
    round: Annotated[int, Meta(description="The number of the round, from 1; 0 before the first deal.")]
    rounds: Annotated[list[list[int]], Meta(description="The points by seat of each scored round, first to last.")]
    star_bonus: Annotated[
        list[int], Meta(description="By seat: the points for cleared lines of stars in this round, zero or less.")
    ]
    stars: Annotated[
        list[int], Meta(description="The seats that may take an action card for a star, in the order in which they do.")
    ]
    starter: Annotated[int, Meta(description="The seat that begins the round; null until it is known.")] | None
    three: Annotated[
        list[SkyjoActionSlot | None],
        Meta(description="The three drawn cards, by place; null is a place that is empty again."),
    ]
    totals: Annotated[list[int], Meta(description="By seat: the points of all scored rounds.")]
    turn: Annotated[int, Meta(description="The seat whose turn it is.")] | None
    winners: Annotated[list[int], Meta(description="The seats that have won; null until the game is over.")] | None


class SkyjoGameRequest(Struct, kw_only=True):
    """
    The terms of a new game.
    """

    seats: Annotated[
        int | list[SkyjoOccupant | KeptSeat],
        Meta(
            description="The number of seats, or a list of who each seat is for: `me` (the opener), `open` (anybody), the name of a bot, or another player."
        ),
    ]
    absent: (
        Annotated[
            Literal["abort", "careful/1", "easy/1", "random/1"],
            Meta(
                description="The bot that goes on when a player leaves the running game, or `abort`, which ends the game. Default: the ruleset's best bot. Not for hotseat games, which nobody can leave."
            ),
        ]
        | UnsetType
    ) = UNSET
    clock: (
        Annotated[
            ClockInput, Meta(description="The time for choices. Default: it is not limited. Not for hotseat games.")
        ]
        | UnsetType
    ) = UNSET
    deck: (
        Annotated[Literal["skyjo"], Meta(description="The name of a deck. Default: the ruleset's first deck.")]
        | UnsetType
    ) = UNSET
    entropy: (
        Annotated[
            str,
            Meta(
                description='The contribution of a seat to the shuffles: up to 64 printable ASCII characters, public. Default: `""`.'
            ),
        ]
        | UnsetType
    ) = UNSET
    hints: (
        Annotated[
            bool,
            Meta(description="The player can ask for hints. Only if all seats but one are for bots. Default: `false`."),
        ]
        | UnsetType
    ) = UNSET
    hotseat: (
        Annotated[
            bool,
            Meta(description="The opener plays all seats: for pass-and-play, analysis and tests. Default: `false`."),
        ]
        | UnsetType
    ) = UNSET
    options: (
        Annotated[SkyjoOptionsInput, Meta(description="The options of the game. Default: the ruleset's defaults.")]
        | UnsetType
    ) = UNSET
    private: (
        Annotated[
            bool,
            Meta(
                description="Only members and holders of the invite code can see and join the game. Default: `false`."
            ),
        ]
        | UnsetType
    ) = UNSET
    puzzles: (
        Annotated[
            bool,
            Meta(
                description="Positions of the game may become puzzles, without names. Players agree by sitting down. Not for private and hotseat games. Default: `false`."
            ),
        ]
        | UnsetType
    ) = UNSET
    sealed: (
        Annotated[
            bool,
            Meta(
                description="Nobody sees an entropy before all are fixed: players sit down with a `seal`, and open their entropy when all seats are taken. Not for hotseat games, nor together with `entropy`. Default: `false`."
            ),
        ]
        | UnsetType
    ) = UNSET
    sit: (
        Annotated[
            bool,
            Meta(
                description="The opener takes seat 0; with a list of `seats`, the seat `me`. With `false` the opener takes a seat later, or not at all. With a list without `me` the opener does not sit. In a sealed game the seat is kept for the opener, who takes it with a seal. Default: `true`."
            ),
        ]
        | UnsetType
    ) = UNSET
    undo: (
        Annotated[
            Literal["agreed", "free", "none"],
            Meta(
                description="The moves that can be taken back: those that revealed nothing (`free`), also others if all players agree (`agreed`), or none. Default: `free`."
            ),
        ]
        | UnsetType
    ) = UNSET


class SkyjoLayoutsRevealedEvent(Struct, kw_only=True, tag_field="type", tag="layouts_revealed"):
    """
    The round has ended: all face-down cards are turned up (SK-50).
    """

    cards: Annotated[list[SkyjoTurnedUp], Meta(description="Each card that lay face down.")]


SkyjoMove: TypeAlias = SkyjoFlipMove | SkyjoDrawMove | SkyjoTakeMove | SkyjoSwapMove | SkyjoTossMove


class SkyjoOpenedEvent(Struct, kw_only=True, tag_field="type", tag="opened"):
    """
    The terms of the game, and the secret from which all deals follow.
    """

    commitment: Annotated[
        str, Meta(description="The hash of the secret, which all deals follow from. 32 bytes in lower-case hex.")
    ]
    deck: Annotated[SkyjoDeck, Meta(description="The whole deck, so that the record needs nothing else.")]
    description: Annotated[
        str, Meta(description="The hash of the published description of these rules. 32 bytes in lower-case hex.")
    ]
    hotseat: Annotated[bool, Meta(description="True: the opener plays all seats.")]
    opener: Annotated[
        str,
        Meta(
            description="The player who opened the game. They need not have a seat. The id of a player: a guest's UUID, or `namespace:sub`."
        ),
    ]
    options: Annotated[SkyjoOptions, Meta(description="The options of the ruleset, all of them.")]
    private: Annotated[
        bool, Meta(description="True: only players and those who have the invitation code can see the game.")
    ]
    protocol: Annotated[Literal["stammtisch/1"], Meta(description="The fairness protocol that the game follows.")]
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules, `NAME/N`.")]
    ruleset: Annotated[str, Meta(description="The name of the ruleset.")]
    seats: Annotated[int, Meta(description="The number of seats.")]
    secret: Annotated[str, Meta(description="The secret that all deals follow from. Null for everybody until the game is over.")] | None
    absent: (
        Annotated[
            Absent,
            Meta(
                description="The bot that goes on when a player leaves the running game, or `abort`. Absent: they cannot leave."
            ),
        ]
        | UnsetType
    ) = UNSET
    clock: Annotated[Clock, Meta(description="The time for choices. Absent: it is not limited.")] | UnsetType = UNSET
    deal: Annotated[Deal, Meta(description="The deal that the game has in common with others.")] | UnsetType = UNSET
    hints: (
        Annotated[
            bool, Meta(description="True: the player, who is alone with bots, can ask for hints. Absent: nobody can.")
        ]
        | UnsetType
    ) = UNSET
    longest: (
        Annotated[
            int, Meta(description="A game that is not over after this number of events is aborted. Absent: no limit.")
        ]
        | UnsetType
    ) = UNSET
    parent: Parent | UnsetType = UNSET
    places: Annotated[list[SeatTerms], Meta(description="By seat. Absent: all are open.")] | UnsetType = UNSET
    puzzles: (
        Annotated[
            bool,
            Meta(
                description="True: positions of the game may become puzzles, without names. Players agree by sitting down. Absent: they may not."
            ),
        ]
        | UnsetType
    ) = UNSET
    rematch_of: Annotated[str, Meta(description="The id of the game that this one repeats.")] | UnsetType = UNSET
    sealed: Annotated[bool, Meta(description="True: entropies are sealed. Absent: they are not.")] | UnsetType = UNSET
    undo: (
        Annotated[
            Undo,
            Meta(
                description="The moves that can be taken back: those that revealed nothing (`free`), or also others if all players agree (`agreed`). Absent: none."
            ),
        ]
        | UnsetType
    ) = UNSET


class SkyjoSituation(Struct, kw_only=True):
    """
    The choices of the caller in a game now.
    """

    decision: Annotated[int, Meta(description="The version since which the choice of the seat exists; null: it has none.")] | None
    legal_moves: Annotated[list[SkyjoMove], Meta(description="All of them; each can be sent as it is.")]
    result: Annotated[Result, Meta(description="Null until the game is finished.")] | None
    status: Annotated[Status, Meta(description="The status of the game.")]
    to_act: Annotated[list[int], Meta(description="The seats that must act, rising.")]
    version: Annotated[int, Meta(description="The version of the game now.")]
    you: Annotated[int, Meta(description="The seat of the caller, or of their perspective; null: a bystander.")] | None
    cause: Annotated[Cause, Meta(description="The reason why the game was aborted; absent otherwise.")] | UnsetType = (
        UNSET
    )
    clock: GameClock | UnsetType = UNSET
    seats: (
        Annotated[
            list[SeatAssignment],
            Meta(description="The seats with their players. Absent if nothing has changed since the last one."),
        ]
        | UnsetType
    ) = UNSET
    undo: (
        Annotated[
            int,
            Meta(description="The last version of the caller's move that they can take back without asking, or null; absent if the game has no\nundo."),
        ]
        | None
        | UnsetType
    ) = UNSET
    vote: Annotated[Question, Meta(description="The open question. Absent if there is none.")] | UnsetType = UNSET


class Step(Struct, kw_only=True):
    """
    An event of the record, as it looks from a perspective.
    """

    patch: Annotated[
        list[Patch], Meta(description="JSON Patch (RFC 6902) from the view before the event to the one after.")
    ]
    event: GameEvent | UnsetType = UNSET
    tally: (
        Annotated[
            Tally,
            Meta(description="The points that the cards count after the event. Absent if it has not changed."),
        ]
        | None
        | UnsetType
    ) = UNSET


class Webhook(Struct, kw_only=True):
    """
    A webhook of the caller, or of the integrating site.
    """

    after: Annotated[
        int, Meta(description="Seconds after which `game.your_turn` is delivered, if the choice still stands.")
    ]
    cause: Annotated[WebhookCause, Meta(description="The reason why it is disabled: its owner wanted it, the address answered 410 (`gone`), all attempts of three days failed, or because the operator has banned the owner.")] | None
    created_at: Annotated[str, Meta(description="The time at which it was created.")]
    failing_since: Annotated[str, Meta(description="The time since which every attempt has failed; null if the last one succeeded.")] | None
    id: Annotated[str, Meta(description="The id of the webhook.")]
    status: Annotated[
        WebhookStatus,
        Meta(description="`unverified` until the address has answered a ping, then `live`, or `disabled`."),
    ]
    types: Annotated[list[WebhookEvent], Meta(description="The events that are delivered.")]
    url: Annotated[str, Meta(description="The URL to which events are sent.")]


class WebhookPage(Struct, kw_only=True):
    """
    A page of a list. `next` is the URL of the next page, or null on the last one.
    """

    items: Annotated[list[Webhook], Meta(description="The items in order.")]
    next: Annotated[str, Meta(description="The URL of the next page; null on the last one.")] | None


class Film(Struct, kw_only=True):
    """
    A finished game with its views from every perspective, for programs that know no rules.

    Only the record is proven by its hashes. The rest follows from the record by the rules.
    """

    captions: Annotated[Captions, Meta(description="The effects of the cards of the deck.")]
    format: Literal["stammtisch-film/1"]
    perspectives: Annotated[
        dict[str, list[Step]],
        Meta(
            description="By perspective (`all`, `bystander`, and the number of each seat), one step for each event of the record. Before the first step the view is null."
        ),
    ]
    record: Annotated[GameRecord, Meta(description="The record that the film was made of.")]
    ruleset: Annotated[
        Ruleset,
        Meta(description="The ruleset as `GET /v1/rulesets/NAME` describes it, so that the film needs no service."),
    ]


class Game(Struct, kw_only=True):
    """
    A game as the caller may see it. `view` is null before the game begins; hidden cards in it are null.
    """

    commitment: Annotated[str, Meta(description="The hash of the secret from which all deals are derived.")]
    created_at: Annotated[str, Meta(description="The time at which the game was opened (RFC 3339, UTC).")]
    decision: Annotated[int, Meta(description="The version since which the caller's current choice exists.")] | None
    deck: Annotated[DeckNamed, Meta(description="The deck of the game.")]
    head: Annotated[str, Meta(description="The hash of all events up to this version.")]
    hotseat: Annotated[bool, Meta(description="One player has all seats.")]
    id: Annotated[str, Meta(description="The id of the game.")]
    legal_moves: Annotated[
        list[GameMove], Meta(description="All legal moves of the caller. Each can be posted unchanged.")
    ]
    links: Annotated[GameLinks, Meta(description="URLs of the parts of the game.")]
    options: GameOptions
    private: Annotated[bool, Meta(description="Only members and holders of the invite see the game.")]
    result: Annotated[Result, Meta(description="The result; null until the game is finished.")] | None
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules, such as `name/1`.")]
    ruleset: Annotated[str, Meta(description="The name of the ruleset.")]
    seats: Annotated[list[SeatAssignment], Meta(description="The seats in order, from 0.")]
    status: Annotated[
        Status,
        Meta(description="`waiting` for players, `running`, `finished` with a result, or `aborted` without one."),
    ]
    to_act: Annotated[list[int], Meta(description="The seats that must act now.")]
    version: Annotated[int, Meta(description="The number of events so far.")]
    view: Annotated[GameView, Meta(description="The table as this perspective may see it; null before the game begins.")] | None
    you: Annotated[int, Meta(description="The caller's seat.")] | None
    absent: (
        Annotated[
            Absent,
            Meta(
                description="The bot that goes on when a player leaves the running game, or `abort`. Absent if they cannot leave."
            ),
        ]
        | UnsetType
    ) = UNSET
    cause: Annotated[Cause, Meta(description="The reason why the game was aborted. Absent otherwise.")] | UnsetType = (
        UNSET
    )
    clock: Annotated[GameClock, Meta(description="The time for choices. Absent: it is not limited.")] | UnsetType = (
        UNSET
    )
    deal: (
        Annotated[
            Deal,
            Meta(
                description="The deal that the game has in common with others. Absent once its secret is revealed: until then the cards stay\nhidden, also when the game is over."
            ),
        ]
        | UnsetType
    ) = UNSET
    hints: (
        Annotated[
            bool, Meta(description="True: the player, who is alone with bots, can ask for hints. Absent otherwise.")
        ]
        | UnsetType
    ) = UNSET
    imported: (
        Annotated[bool, Meta(description="True if the game was imported from a record. Absent otherwise.")] | UnsetType
    ) = UNSET
    invite: (
        Annotated[str, Meta(description="The code for others to see and join a private game. For members only.")]
        | UnsetType
    ) = UNSET
    parent: (
        Annotated[Parent, Meta(description="The game that this branch continues. Absent in other games.")] | UnsetType
    ) = UNSET
    puzzles: (
        Annotated[
            bool,
            Meta(
                description="True: positions of the game may become puzzles, without names; sitting down agrees to it. Absent otherwise."
            ),
        ]
        | UnsetType
    ) = UNSET
    rematch_of: (
        Annotated[str, Meta(description="The id of the game that this one repeats. Absent in other games.")] | UnsetType
    ) = UNSET
    sealed: (
        Annotated[
            bool,
            Meta(
                description="True: players seal their entropies, and open them when all seats are taken. Absent otherwise."
            ),
        ]
        | UnsetType
    ) = UNSET
    tally: (
        Annotated[
            Tally,
            Meta(description="The points that the cards count now, with `with=tally`; null before the game begins. Absent otherwise."),
        ]
        | None
        | UnsetType
    ) = UNSET
    undo: (
        Annotated[
            int,
            Meta(description="The last version of the caller's move that they can take back without asking, or null. Absent if no move can be taken back in this game."),
        ]
        | None
        | UnsetType
    ) = UNSET
    undo_mode: (
        Annotated[
            Undo,
            Meta(
                description="The moves that can be taken back: those that revealed nothing, or also others by agreement. Absent: none."
            ),
        ]
        | UnsetType
    ) = UNSET
    vote: Annotated[Question, Meta(description="The open question. Absent if there is none.")] | UnsetType = UNSET


class LobbyGame(Struct, kw_only=True):
    """
    A game in the lobby. Times are RFC 3339 in UTC; `finished_at` is when the game ended or was aborted.
    """

    created_at: Annotated[str, Meta(description="The time at which the game was opened.")]
    deck: Annotated[str, Meta(description="The name of the deck.")]
    finished_at: Annotated[str, Meta(description="The time at which the game ended or was aborted; null before.")] | None
    hotseat: Annotated[bool, Meta(description="One player has all seats.")]
    id: Annotated[str, Meta(description="The id of the game.")]
    open: Annotated[int, Meta(description="Number of seats that anybody can take.")]
    opener: Annotated[str, Meta(description="The id of the player who opened the game.")]
    options: Annotated[dict[str, Any], Meta(description="The options of the game.")]
    private: Annotated[bool, Meta(description="Only members and holders of the invite see the game.")]
    result: Annotated[Result, Meta(description="The result; null until the game is finished.")] | None
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules.")]
    ruleset: Annotated[str, Meta(description="The name of the ruleset.")]
    seats: Annotated[list[LobbySeatAssignment], Meta(description="The seats in order, from 0.")]
    status: Annotated[
        Status,
        Meta(description="`waiting` for players, `running`, `finished` with a result, or `aborted` without one."),
    ]
    cause: Annotated[Cause, Meta(description="The reason why the game was aborted; absent otherwise.")] | UnsetType = (
        UNSET
    )
    changed_at: Annotated[str, Meta(description="The time of the latest event; only with `acting=me`.")] | UnsetType = (
        UNSET
    )
    clock: Annotated[Clock, Meta(description="The time for choices; absent if it is not limited.")] | UnsetType = UNSET
    deal: (
        Annotated[
            str,
            Meta(
                description="The id of the deal that the game has in common with others, until its cards are revealed; absent otherwise."
            ),
        ]
        | UnsetType
    ) = UNSET
    imported: (
        Annotated[bool, Meta(description="True if the game was imported from a record; absent otherwise.")] | UnsetType
    ) = UNSET
    parent: (
        Annotated[
            str, Meta(description="The id of the game, or of the lesson, that this branch continues; absent otherwise.")
        ]
        | UnsetType
    ) = UNSET
    puzzles: (
        Annotated[
            bool,
            Meta(
                description="True: positions of the game may become puzzles, without names; sitting down agrees to it. Absent otherwise."
            ),
        ]
        | UnsetType
    ) = UNSET
    runs_out: (
        Annotated[
            str,
            Meta(
                description="The time at which the caller's time runs out; only with `acting=me` in games with a clock."
            ),
        ]
        | UnsetType
    ) = UNSET
    to_act: (
        Annotated[list[int], Meta(description="The seats that must act now; only with `acting=me`.")] | UnsetType
    ) = UNSET


class LobbyGamePage(Struct, kw_only=True):
    """
    A page of a list. `next` is the URL of the next page, or null on the last one.
    """

    items: Annotated[list[LobbyGame], Meta(description="The items in order.")]
    next: Annotated[str, Meta(description="The URL of the next page; null on the last one.")] | None


class Moved(Struct, kw_only=True):
    """
    The result of a move: its events as the mover may see them, and the game after it unless `Prefer: return=minimal`
    was sent.
    """

    events: Annotated[list[Hashed], Meta(description="The events of the move, as the mover may see them.")]
    head: Annotated[str, Meta(description="The hash of all events up to this version. 32 bytes in lower-case hex.")]
    version: Annotated[int, Meta(description="The number of events after the move.")]
    game: (
        Annotated[Game, Meta(description="The game after the move. Absent with `Prefer: return=minimal`.")] | UnsetType
    ) = UNSET


class OutOfTimeProblem(Struct, kw_only=True):
    """
    The caller ran out of time, so the move came too late. A bot plays on at the seat, or the game was aborted.

    If `can_return` is true, the caller takes the `seat` again with `POST .../seats`. `game` is the game as it is now;
    absent in the channel and with `Prefer: return=minimal`.
    """

    can_return: Annotated[bool, Meta(description="True: the caller can take the seat again.")]
    seat: Annotated[
        int, Meta(description="The seat that the caller has lost. Seats are numbered from 0, rising clockwise.")
    ]
    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["out-of-time"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET
    game: Game | UnsetType = UNSET


class ScandaroonBoost(Struct, kw_only=True, tag_field="kind", tag="boost"):
    """
    The amount is added to the boost of the chosen cards, or of every card in the area.
    """

    amount: Annotated[int, Meta(description="The points that each card counts more; negative: less.")]
    count: Annotated[int, Meta(description="The number of cards that are chosen.")]
    area: ScandaroonArea | UnsetType = UNSET
    target: ScandaroonFilter | UnsetType = UNSET


ScandaroonFaceAbility: TypeAlias = ScandaroonRemove | ScandaroonBoost | ScandaroonSwap | ScandaroonChangeTrump | ScandaroonShift | ScandaroonDraw | ScandaroonReturn


ScandaroonMove: TypeAlias = ScandaroonPlayMove | ScandaroonUseMove | ScandaroonTargetMove | ScandaroonPlaceMove | ScandaroonSetTrumpMove | ScandaroonStoneMove | ScandaroonExchangeMove | ScandaroonStopMove | ScandaroonPassMove


class ScandaroonSituation(Struct, kw_only=True):
    """
    The choices of the caller in a game now.
    """

    decision: Annotated[int, Meta(description="The version since which the choice of the seat exists; null: it has none.")] | None
    legal_moves: Annotated[list[ScandaroonMove], Meta(description="All of them; each can be sent as it is.")]
    result: Annotated[Result, Meta(description="Null until the game is finished.")] | None
    status: Annotated[Status, Meta(description="The status of the game.")]
    to_act: Annotated[list[int], Meta(description="The seats that must act, rising.")]
    version: Annotated[int, Meta(description="The version of the game now.")]
    you: Annotated[int, Meta(description="The seat of the caller, or of their perspective; null: a bystander.")] | None
    cause: Annotated[Cause, Meta(description="The reason why the game was aborted; absent otherwise.")] | UnsetType = (
        UNSET
    )
    clock: GameClock | UnsetType = UNSET
    seats: (
        Annotated[
            list[SeatAssignment],
            Meta(description="The seats with their players. Absent if nothing has changed since the last one."),
        ]
        | UnsetType
    ) = UNSET
    undo: (
        Annotated[
            int,
            Meta(description="The last version of the caller's move that they can take back without asking, or null; absent if the game has no\nundo."),
        ]
        | None
        | UnsetType
    ) = UNSET
    vote: Annotated[Question, Meta(description="The open question. Absent if there is none.")] | UnsetType = UNSET


class ScopinionAdvice(Struct, kw_only=True):
    """
    The choice of a house player for a seat, from what that seat sees.
    """

    move: Annotated[ScopinionMove, Meta(description="The move, which can be posted unchanged; null if the seat has no choice now.")] | None
    seat: Annotated[int, Meta(description="The seat that is to choose. Seats are numbered from 0, rising clockwise.")]
    version: Annotated[int, Meta(description="The number of events so far.")]


class ScopinionChoice(Struct, kw_only=True):
    """
    A choice of a player between several legal moves, weighed in worlds that its seat could imagine.
    """

    as_house: Annotated[bool, Meta(description="The house player might have made the same move.")]
    error: Annotated[
        float, Meta(description="The standard error of `loss`; the range of 95 % is `loss` ± 1.96 times this.")
    ]
    expected: Annotated[float, Meta(description="The result that the seat could expect before, in points ahead.")]
    hinted: Annotated[bool, Meta(description="The player had a hint.")]
    loss: Annotated[
        float,
        Meta(
            description="The points by which that move is better. It may be chance: see `error`. Without `best` it is 0 and was not\nmeasured."
        ),
    ]
    made: Annotated[ScopinionMove, Meta(description="The move that was made.")]
    refined: Annotated[
        bool,
        Meta(description="The loss was measured in worlds that neither the best move nor the choice was picked by."),
    ]
    round: Annotated[int, Meta(description="Rounds are numbered from 0.")]
    seat: Annotated[int, Meta(description="The seat that chose. Seats are numbered from 0, rising clockwise.")]
    version: Annotated[
        int,
        Meta(description="The version of the first event that it caused. The choice was made at the version before."),
    ]
    worlds: Annotated[int, Meta(description="The number of worlds in which `loss` was measured.")]
    best: (
        Annotated[
            ScopinionMove,
            Meta(
                description="The move that seems to be better. Absent: none was found among the moves and worlds that were tried; this does\nnot show that there is none."
            ),
        ]
        | UnsetType
    ) = UNSET
    category: (
        Annotated[
            Category,
            Meta(
                description="The category of the least that the choice has cost with nine chances in ten. Absent: too close to tell."
            ),
        ]
        | UnsetType
    ) = UNSET


ScopinionEvent: TypeAlias = ScopinionOpenedEvent | JoinedEvent | LeftEvent | DeclinedEvent | ReadiedEvent | BegunEvent | GoneEvent | RejoinedEvent | GrantedEvent | ResumedEvent | VotedEvent | TakenBackEvent | HintedEvent | EndedEvent | AbortedEvent | RevealedEvent | ScopinionDealtEvent | ScopinionTurnBeganEvent | ScopinionBoughtEvent | ScopinionPlayedEvent | ScopinionDrawnAsideEvent | ScopinionKeptEvent | ScopinionRejectedEvent | ScopinionDrawnEvent | ScopinionShuffledEvent | ScopinionTrashedEvent | ScopinionSecuredEvent | ScopinionPikOffMadeEvent | ScopinionEndTriggeredEvent | ScopinionTurnEndedEvent | ScopinionCardsRevealedEvent | ScopinionScoredEvent | ScopinionWonEvent


class ScopinionEventItem(Struct, kw_only=True):
    """
    An event in a page or stream.
    """

    at: Annotated[str, Meta(description="The time of the event (RFC 3339, UTC).")]
    by: Annotated[int, Meta(description="The seat whose choice caused it; null for the dealer and for players without a seat.")] | None
    event: Annotated[ScopinionEvent, Meta(description="The event, redacted for the viewer.")]
    head: Annotated[str, Meta(description="The hash of all events up to this one. 32 bytes in lower-case hex.")]
    more: Annotated[int, Meta(description="The number of events that follow in the same append; 0 on its last one.")]
    public: Annotated[
        str, Meta(description="The hash of what everybody may see of the event. 32 bytes in lower-case hex.")
    ]
    secret: Annotated[str, Meta(description="The hash of the whole event. 32 bytes in lower-case hex.")]
    version: Annotated[int, Meta(description="The number of the event in its game, from 1.")]
    acting: (
        Annotated[
            list[int],
            Meta(description="The seats that have a choice after the event, rising; on the last event of an append."),
        ]
        | UnsetType
    ) = UNSET
    move: (
        Annotated[
            ScopinionMove,
            Meta(
                description="The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it."
            ),
        ]
        | UnsetType
    ) = UNSET
    patch: (
        Annotated[
            list[Patch],
            Meta(
                description="The JSON Patch (RFC 6902), with `with=patch`, from the `view` of the version before to that of this version. Absent otherwise."
            ),
        ]
        | UnsetType
    ) = UNSET
    tally: (
        Annotated[
            Tally,
            Meta(description="The points that the cards count at this version, with `with=tally`, if they differ from those at the version before; null before the game begins. Absent otherwise."),
        ]
        | None
        | UnsetType
    ) = UNSET


class ScopinionEventItemPage(Struct, kw_only=True):
    """
    A page of a list. `next` is the URL of the next page, or null on the last one.
    """

    items: Annotated[list[ScopinionEventItem], Meta(description="The items in order.")]
    next: Annotated[str, Meta(description="The URL of the next page; null on the last one.")] | None


class ScopinionGame(Struct, kw_only=True):
    """
    A game as the caller may see it. `view` is null before the game begins; hidden cards in it are null.
    """

    commitment: Annotated[str, Meta(description="The hash of the secret from which all deals are derived.")]
    created_at: Annotated[str, Meta(description="The time at which the game was opened (RFC 3339, UTC).")]
    decision: Annotated[int, Meta(description="The version since which the caller's current choice exists.")] | None
    deck: Annotated[DeckNamed, Meta(description="The deck of the game.")]
    head: Annotated[str, Meta(description="The hash of all events up to this version.")]
    hotseat: Annotated[bool, Meta(description="One player has all seats.")]
    id: Annotated[str, Meta(description="The id of the game.")]
    legal_moves: Annotated[
        list[ScopinionMove], Meta(description="All legal moves of the caller. Each can be posted unchanged.")
    ]
    links: Annotated[GameLinks, Meta(description="URLs of the parts of the game.")]
    options: Annotated[ScopinionOptions, Meta(description="The options of the game.")]
    private: Annotated[bool, Meta(description="Only members and holders of the invite see the game.")]
    result: Annotated[Result, Meta(description="The result; null until the game is finished.")] | None
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules, such as `name/1`.")]
    ruleset: Annotated[str, Meta(description="The name of the ruleset.")]
    seats: Annotated[list[SeatAssignment], Meta(description="The seats in order, from 0.")]
    status: Annotated[
        Status,
        Meta(description="`waiting` for players, `running`, `finished` with a result, or `aborted` without one."),
    ]
    to_act: Annotated[list[int], Meta(description="The seats that must act now.")]
    version: Annotated[int, Meta(description="The number of events so far.")]
    view: Annotated[ScopinionView, Meta(description="The table as this perspective may see it; null before the game begins.")] | None
    you: Annotated[int, Meta(description="The caller's seat.")] | None
    absent: (
        Annotated[
            Absent,
            Meta(
                description="The bot that goes on when a player leaves the running game, or `abort`. Absent if they cannot leave."
            ),
        ]
        | UnsetType
    ) = UNSET
    cause: Annotated[Cause, Meta(description="The reason why the game was aborted. Absent otherwise.")] | UnsetType = (
        UNSET
    )
    clock: Annotated[GameClock, Meta(description="The time for choices. Absent: it is not limited.")] | UnsetType = (
        UNSET
    )
    deal: (
        Annotated[
            Deal,
            Meta(
                description="The deal that the game has in common with others. Absent once its secret is revealed: until then the cards stay\nhidden, also when the game is over."
            ),
        ]
        | UnsetType
    ) = UNSET
    hints: (
        Annotated[
            bool, Meta(description="True: the player, who is alone with bots, can ask for hints. Absent otherwise.")
        ]
        | UnsetType
    ) = UNSET
    imported: (
        Annotated[bool, Meta(description="True if the game was imported from a record. Absent otherwise.")] | UnsetType
    ) = UNSET
    invite: (
        Annotated[str, Meta(description="The code for others to see and join a private game. For members only.")]
        | UnsetType
    ) = UNSET
    parent: (
        Annotated[Parent, Meta(description="The game that this branch continues. Absent in other games.")] | UnsetType
    ) = UNSET
    puzzles: (
        Annotated[
            bool,
            Meta(
                description="True: positions of the game may become puzzles, without names; sitting down agrees to it. Absent otherwise."
            ),
        ]
        | UnsetType
    ) = UNSET
    rematch_of: (
        Annotated[str, Meta(description="The id of the game that this one repeats. Absent in other games.")] | UnsetType
    ) = UNSET
    sealed: (
        Annotated[
            bool,
            Meta(
                description="True: players seal their entropies, and open them when all seats are taken. Absent otherwise."
            ),
        ]
        | UnsetType
    ) = UNSET
    tally: (
        Annotated[
            Tally,
            Meta(description="The points that the cards count now, with `with=tally`; null before the game begins. Absent otherwise."),
        ]
        | None
        | UnsetType
    ) = UNSET
    undo: (
        Annotated[
            int,
            Meta(description="The last version of the caller's move that they can take back without asking, or null. Absent if no move can be taken back in this game."),
        ]
        | None
        | UnsetType
    ) = UNSET
    undo_mode: (
        Annotated[
            Undo,
            Meta(
                description="The moves that can be taken back: those that revealed nothing, or also others by agreement. Absent: none."
            ),
        ]
        | UnsetType
    ) = UNSET
    vote: Annotated[Question, Meta(description="The open question. Absent if there is none.")] | UnsetType = UNSET


class ScopinionHashed(Struct, kw_only=True):
    """
    An event as it is served: redacted for the viewer, with the hashes of the full event.
    """

    at: Annotated[str, Meta(description="The time of the event (RFC 3339, UTC).")]
    by: Annotated[int, Meta(description="The seat whose choice caused it; null for the dealer and for players without a seat.")] | None
    event: Annotated[ScopinionEvent, Meta(description="The event, redacted for the viewer.")]
    head: Annotated[str, Meta(description="The hash of all events up to this one. 32 bytes in lower-case hex.")]
    more: Annotated[int, Meta(description="The number of events that follow in the same append; 0 on its last one.")]
    public: Annotated[
        str, Meta(description="The hash of what everybody may see of the event. 32 bytes in lower-case hex.")
    ]
    secret: Annotated[str, Meta(description="The hash of the whole event. 32 bytes in lower-case hex.")]
    version: Annotated[int, Meta(description="The number of the event in its game, from 1.")]
    acting: (
        Annotated[
            list[int],
            Meta(description="The seats that have a choice after the event, rising; on the last event of an append."),
        ]
        | UnsetType
    ) = UNSET
    move: (
        Annotated[
            ScopinionMove,
            Meta(
                description="The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it."
            ),
        ]
        | UnsetType
    ) = UNSET


class ScopinionHint(Struct, kw_only=True):
    """
    The moves that nothing speaks against, in worlds that the seat can imagine.
    """

    ahead: Annotated[
        float,
        Meta(description="The points by which the first one is better than `against`. It may be chance: see `error`."),
    ]
    error: Annotated[
        float, Meta(description="The standard error of `ahead`; the range of 95 % is `ahead` ± 1.96 times this.")
    ]
    moves: Annotated[
        list[ScopinionMove], Meta(description="The best first. The others of them are too close to it to tell.")
    ]
    seat: Annotated[int, Meta(description="The seat that asked. Seats are numbered from 0, rising clockwise.")]
    version: Annotated[
        int,
        Meta(
            description="The version of the table that it is about: that of the last event of the ruleset that stands."
        ),
    ]
    worlds: Annotated[
        int,
        Meta(description="The number of worlds in which `ahead` was measured. None of the moves was picked by them."),
    ]
    against: (
        Annotated[
            ScopinionMove,
            Meta(
                description="The move that the first one is compared with. Absent: it is the only legal move, or that of the house player,\nbecause no world could be imagined."
            ),
        ]
        | UnsetType
    ) = UNSET


class ScopinionIllegalMoveProblem(Struct, kw_only=True):
    """
    The rules do not allow this move now. `legal_moves` lists the legal moves of the caller.
    """

    decision: Annotated[int, Meta(description="The version since which the current choice exists; null without a choice.")] | None
    legal_moves: Annotated[list[ScopinionMove], Meta(description="All legal moves of the caller.")]
    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["illegal-move"]
    version: Annotated[int, Meta(description="The number of events so far.")]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class ScopinionListedMoves(Struct, kw_only=True):
    """
    All legal moves of a seat.
    """

    decision: Annotated[int, Meta(description="The version since which the current choice exists; null without a choice.")] | None
    legal_moves: Annotated[list[ScopinionMove], Meta(description="All legal moves. Each can be posted unchanged.")]
    seat: Annotated[
        int, Meta(description="The seat that has these moves. Seats are numbered from 0, rising clockwise.")
    ]
    version: Annotated[int, Meta(description="The number of events so far.")]


class ScopinionMoved(Struct, kw_only=True):
    """
    The result of a move: its events as the mover may see them, and the game after it unless `Prefer: return=minimal`
    was sent.
    """

    events: Annotated[list[ScopinionHashed], Meta(description="The events of the move, as the mover may see them.")]
    head: Annotated[str, Meta(description="The hash of all events up to this version. 32 bytes in lower-case hex.")]
    version: Annotated[int, Meta(description="The number of events after the move.")]
    game: (
        Annotated[ScopinionGame, Meta(description="The game after the move. Absent with `Prefer: return=minimal`.")]
        | UnsetType
    ) = UNSET


class ScopinionOutOfTimeProblem(Struct, kw_only=True):
    """
    The caller ran out of time, so the move came too late. A bot plays on at the seat, or the game was aborted.

    If `can_return` is true, the caller takes the `seat` again with `POST .../seats`. `game` is the game as it is now;
    absent in the channel and with `Prefer: return=minimal`.
    """

    can_return: Annotated[bool, Meta(description="True: the caller can take the seat again.")]
    seat: Annotated[
        int, Meta(description="The seat that the caller has lost. Seats are numbered from 0, rising clockwise.")
    ]
    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["out-of-time"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET
    game: ScopinionGame | UnsetType = UNSET


class ScopinionReview(Struct, kw_only=True):
    """
    Every choice of a finished game, weighed as far as its seat could know, and where the results come from.
    """

    accounts: Annotated[list[Account], Meta(description="The accounts of the whole game, by seat.")]
    choices: Annotated[
        list[ScopinionChoice],
        Meta(
            description="The choices of the reviewed seats, in their order. Forced moves and those of house players are left out."
        ),
    ]
    format: Literal["stammtisch-review/1"]
    head: Annotated[
        str,
        Meta(
            description="The head of the record. All random numbers of the review follow from it. 32 bytes in lower-case hex."
        ),
    ]
    house: Annotated[str, Meta(description="The house player that plays on in the imagined worlds.")]
    means: Annotated[list[Mean], Meta(description="By reviewed seat with choices.")]
    plan: Annotated[str, Meta(description="The number of worlds that were imagined: `quick`, `standard` or `full`.")]
    rounds: Annotated[list[ReviewedRound], Meta(description="The rounds in their order.")]
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules.")]
    state: Annotated[
        Literal["final", "first"],
        Meta(description="`first`: accounts are provisional, and no choice has a category yet."),
    ]
    thresholds: Annotated[
        list[float],
        Meta(
            description="The losses, in points, from which on a choice is an inaccuracy, a mistake, a blunder. Empty: not measured yet."
        ),
    ]
    unweighed: Annotated[list[int], Meta(description="The versions of choices for which no world could be imagined.")]


class ScopinionStaleDecisionProblem(Struct, kw_only=True):
    """
    The caller's choice has changed since the version in `If-Match`. `missed` lists the first
    events since that version, at most 32.
    """

    missed: Annotated[
        list[ScopinionHashed],
        Meta(
            description="The first events since the version in `If-Match`, at most 32. `GET .../events` has the others."
        ),
    ]
    status: Annotated[Literal[412], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["stale-decision"]
    version: Annotated[int, Meta(description="The number of events so far.")]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class ScopinionStep(Struct, kw_only=True):
    """
    An event of the record, as it looks from a perspective.
    """

    patch: Annotated[
        list[Patch], Meta(description="JSON Patch (RFC 6902) from the view before the event to the one after.")
    ]
    event: (
        Annotated[
            ScopinionEvent,
            Meta(
                description="The event as the perspective sees it. Absent if that is the whole event, as in the record."
            ),
        ]
        | UnsetType
    ) = UNSET
    tally: (
        Annotated[
            Tally,
            Meta(description="The points that the cards count after the event. Absent if it has not changed."),
        ]
        | None
        | UnsetType
    ) = UNSET


class ScoutAdvice(Struct, kw_only=True):
    """
    The choice of a house player for a seat, from what that seat sees.
    """

    move: Annotated[ScoutMove, Meta(description="The move, which can be posted unchanged; null if the seat has no choice now.")] | None
    seat: Annotated[int, Meta(description="The seat that is to choose. Seats are numbered from 0, rising clockwise.")]
    version: Annotated[int, Meta(description="The number of events so far.")]


class ScoutChoice(Struct, kw_only=True):
    """
    A choice of a player between several legal moves, weighed in worlds that its seat could imagine.
    """

    as_house: Annotated[bool, Meta(description="The house player might have made the same move.")]
    error: Annotated[
        float, Meta(description="The standard error of `loss`; the range of 95 % is `loss` ± 1.96 times this.")
    ]
    expected: Annotated[float, Meta(description="The result that the seat could expect before, in points ahead.")]
    hinted: Annotated[bool, Meta(description="The player had a hint.")]
    loss: Annotated[
        float,
        Meta(
            description="The points by which that move is better. It may be chance: see `error`. Without `best` it is 0 and was not\nmeasured."
        ),
    ]
    made: Annotated[ScoutMove, Meta(description="The move that was made.")]
    refined: Annotated[
        bool,
        Meta(description="The loss was measured in worlds that neither the best move nor the choice was picked by."),
    ]
    round: Annotated[int, Meta(description="Rounds are numbered from 0.")]
    seat: Annotated[int, Meta(description="The seat that chose. Seats are numbered from 0, rising clockwise.")]
    version: Annotated[
        int,
        Meta(description="The version of the first event that it caused. The choice was made at the version before."),
    ]
    worlds: Annotated[int, Meta(description="The number of worlds in which `loss` was measured.")]
    best: (
        Annotated[
            ScoutMove,
            Meta(
                description="The move that seems to be better. Absent: none was found among the moves and worlds that were tried; this does\nnot show that there is none."
            ),
        ]
        | UnsetType
    ) = UNSET
    category: (
        Annotated[
            Category,
            Meta(
                description="The category of the least that the choice has cost with nine chances in ten. Absent: too close to tell."
            ),
        ]
        | UnsetType
    ) = UNSET


ScoutEvent: TypeAlias = ScoutOpenedEvent | JoinedEvent | LeftEvent | DeclinedEvent | ReadiedEvent | BegunEvent | GoneEvent | RejoinedEvent | GrantedEvent | ResumedEvent | VotedEvent | TakenBackEvent | HintedEvent | EndedEvent | AbortedEvent | RevealedEvent | ScoutLotDrawnEvent | ScoutDealtEvent | ScoutOrientedEvent | ScoutTurnBeganEvent | ScoutShownEvent | ScoutScoutedEvent | ScoutStuckEvent | ScoutRoundScoredEvent | ScoutWonEvent


class ScoutEventItem(Struct, kw_only=True):
    """
    An event in a page or stream.
    """

    at: Annotated[str, Meta(description="The time of the event (RFC 3339, UTC).")]
    by: Annotated[int, Meta(description="The seat whose choice caused it; null for the dealer and for players without a seat.")] | None
    event: Annotated[ScoutEvent, Meta(description="The event, redacted for the viewer.")]
    head: Annotated[str, Meta(description="The hash of all events up to this one. 32 bytes in lower-case hex.")]
    more: Annotated[int, Meta(description="The number of events that follow in the same append; 0 on its last one.")]
    public: Annotated[
        str, Meta(description="The hash of what everybody may see of the event. 32 bytes in lower-case hex.")
    ]
    secret: Annotated[str, Meta(description="The hash of the whole event. 32 bytes in lower-case hex.")]
    version: Annotated[int, Meta(description="The number of the event in its game, from 1.")]
    acting: (
        Annotated[
            list[int],
            Meta(description="The seats that have a choice after the event, rising; on the last event of an append."),
        ]
        | UnsetType
    ) = UNSET
    move: (
        Annotated[
            ScoutMove,
            Meta(
                description="The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it."
            ),
        ]
        | UnsetType
    ) = UNSET
    patch: (
        Annotated[
            list[Patch],
            Meta(
                description="The JSON Patch (RFC 6902), with `with=patch`, from the `view` of the version before to that of this version. Absent otherwise."
            ),
        ]
        | UnsetType
    ) = UNSET
    tally: (
        Annotated[
            Tally,
            Meta(description="The points that the cards count at this version, with `with=tally`, if they differ from those at the version before; null before the game begins. Absent otherwise."),
        ]
        | None
        | UnsetType
    ) = UNSET


class ScoutEventItemPage(Struct, kw_only=True):
    """
    A page of a list. `next` is the URL of the next page, or null on the last one.
    """

    items: Annotated[list[ScoutEventItem], Meta(description="The items in order.")]
    next: Annotated[str, Meta(description="The URL of the next page; null on the last one.")] | None


class ScoutGame(Struct, kw_only=True):
    """
    A game as the caller may see it. `view` is null before the game begins; hidden cards in it are null.
    """

    commitment: Annotated[str, Meta(description="The hash of the secret from which all deals are derived.")]
    created_at: Annotated[str, Meta(description="The time at which the game was opened (RFC 3339, UTC).")]
    decision: Annotated[int, Meta(description="The version since which the caller's current choice exists.")] | None
    deck: Annotated[DeckNamed, Meta(description="The deck of the game.")]
    head: Annotated[str, Meta(description="The hash of all events up to this version.")]
    hotseat: Annotated[bool, Meta(description="One player has all seats.")]
    id: Annotated[str, Meta(description="The id of the game.")]
    legal_moves: Annotated[
        list[ScoutMove], Meta(description="All legal moves of the caller. Each can be posted unchanged.")
    ]
    links: Annotated[GameLinks, Meta(description="URLs of the parts of the game.")]
    options: Annotated[ScoutOptions, Meta(description="The options of the game.")]
    private: Annotated[bool, Meta(description="Only members and holders of the invite see the game.")]
    result: Annotated[Result, Meta(description="The result; null until the game is finished.")] | None
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules, such as `name/1`.")]
    ruleset: Annotated[str, Meta(description="The name of the ruleset.")]
    seats: Annotated[list[SeatAssignment], Meta(description="The seats in order, from 0.")]
    status: Annotated[
        Status,
        Meta(description="`waiting` for players, `running`, `finished` with a result, or `aborted` without one."),
    ]
    to_act: Annotated[list[int], Meta(description="The seats that must act now.")]
    version: Annotated[int, Meta(description="The number of events so far.")]
    view: Annotated[ScoutView, Meta(description="The table as this perspective may see it; null before the game begins.")] | None
    you: Annotated[int, Meta(description="The caller's seat.")] | None
    absent: (
        Annotated[
            Absent,
            Meta(
                description="The bot that goes on when a player leaves the running game, or `abort`. Absent if they cannot leave."
            ),
        ]
        | UnsetType
    ) = UNSET
    cause: Annotated[Cause, Meta(description="The reason why the game was aborted. Absent otherwise.")] | UnsetType = (
        UNSET
    )
    clock: Annotated[GameClock, Meta(description="The time for choices. Absent: it is not limited.")] | UnsetType = (
        UNSET
    )
    deal: (
        Annotated[
            Deal,
            Meta(
                description="The deal that the game has in common with others. Absent once its secret is revealed: until then the cards stay\nhidden, also when the game is over."
            ),
        ]
        | UnsetType
    ) = UNSET
    hints: (
        Annotated[
            bool, Meta(description="True: the player, who is alone with bots, can ask for hints. Absent otherwise.")
        ]
        | UnsetType
    ) = UNSET
    imported: (
        Annotated[bool, Meta(description="True if the game was imported from a record. Absent otherwise.")] | UnsetType
    ) = UNSET
    invite: (
        Annotated[str, Meta(description="The code for others to see and join a private game. For members only.")]
        | UnsetType
    ) = UNSET
    parent: (
        Annotated[Parent, Meta(description="The game that this branch continues. Absent in other games.")] | UnsetType
    ) = UNSET
    puzzles: (
        Annotated[
            bool,
            Meta(
                description="True: positions of the game may become puzzles, without names; sitting down agrees to it. Absent otherwise."
            ),
        ]
        | UnsetType
    ) = UNSET
    rematch_of: (
        Annotated[str, Meta(description="The id of the game that this one repeats. Absent in other games.")] | UnsetType
    ) = UNSET
    sealed: (
        Annotated[
            bool,
            Meta(
                description="True: players seal their entropies, and open them when all seats are taken. Absent otherwise."
            ),
        ]
        | UnsetType
    ) = UNSET
    tally: (
        Annotated[
            Tally,
            Meta(description="The points that the cards count now, with `with=tally`; null before the game begins. Absent otherwise."),
        ]
        | None
        | UnsetType
    ) = UNSET
    undo: (
        Annotated[
            int,
            Meta(description="The last version of the caller's move that they can take back without asking, or null. Absent if no move can be taken back in this game."),
        ]
        | None
        | UnsetType
    ) = UNSET
    undo_mode: (
        Annotated[
            Undo,
            Meta(
                description="The moves that can be taken back: those that revealed nothing, or also others by agreement. Absent: none."
            ),
        ]
        | UnsetType
    ) = UNSET
    vote: Annotated[Question, Meta(description="The open question. Absent if there is none.")] | UnsetType = UNSET


class ScoutHashed(Struct, kw_only=True):
    """
    An event as it is served: redacted for the viewer, with the hashes of the full event.
    """

    at: Annotated[str, Meta(description="The time of the event (RFC 3339, UTC).")]
    by: Annotated[int, Meta(description="The seat whose choice caused it; null for the dealer and for players without a seat.")] | None
    event: Annotated[ScoutEvent, Meta(description="The event, redacted for the viewer.")]
    head: Annotated[str, Meta(description="The hash of all events up to this one. 32 bytes in lower-case hex.")]
    more: Annotated[int, Meta(description="The number of events that follow in the same append; 0 on its last one.")]
    public: Annotated[
        str, Meta(description="The hash of what everybody may see of the event. 32 bytes in lower-case hex.")
    ]
    secret: Annotated[str, Meta(description="The hash of the whole event. 32 bytes in lower-case hex.")]
    version: Annotated[int, Meta(description="The number of the event in its game, from 1.")]
    acting: (
        Annotated[
            list[int],
            Meta(description="The seats that have a choice after the event, rising; on the last event of an append."),
        ]
        | UnsetType
    ) = UNSET
    move: (
        Annotated[
            ScoutMove,
            Meta(
                description="The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it."
            ),
        ]
        | UnsetType
    ) = UNSET


class ScoutHint(Struct, kw_only=True):
    """
    The moves that nothing speaks against, in worlds that the seat can imagine.
    """

    ahead: Annotated[
        float,
        Meta(description="The points by which the first one is better than `against`. It may be chance: see `error`."),
    ]
    error: Annotated[
        float, Meta(description="The standard error of `ahead`; the range of 95 % is `ahead` ± 1.96 times this.")
    ]
    moves: Annotated[
        list[ScoutMove], Meta(description="The best first. The others of them are too close to it to tell.")
    ]
    seat: Annotated[int, Meta(description="The seat that asked. Seats are numbered from 0, rising clockwise.")]
    version: Annotated[
        int,
        Meta(
            description="The version of the table that it is about: that of the last event of the ruleset that stands."
        ),
    ]
    worlds: Annotated[
        int,
        Meta(description="The number of worlds in which `ahead` was measured. None of the moves was picked by them."),
    ]
    against: (
        Annotated[
            ScoutMove,
            Meta(
                description="The move that the first one is compared with. Absent: it is the only legal move, or that of the house player,\nbecause no world could be imagined."
            ),
        ]
        | UnsetType
    ) = UNSET


class ScoutIllegalMoveProblem(Struct, kw_only=True):
    """
    The rules do not allow this move now. `legal_moves` lists the legal moves of the caller.
    """

    decision: Annotated[int, Meta(description="The version since which the current choice exists; null without a choice.")] | None
    legal_moves: Annotated[list[ScoutMove], Meta(description="All legal moves of the caller.")]
    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["illegal-move"]
    version: Annotated[int, Meta(description="The number of events so far.")]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class ScoutListedMoves(Struct, kw_only=True):
    """
    All legal moves of a seat.
    """

    decision: Annotated[int, Meta(description="The version since which the current choice exists; null without a choice.")] | None
    legal_moves: Annotated[list[ScoutMove], Meta(description="All legal moves. Each can be posted unchanged.")]
    seat: Annotated[
        int, Meta(description="The seat that has these moves. Seats are numbered from 0, rising clockwise.")
    ]
    version: Annotated[int, Meta(description="The number of events so far.")]


class ScoutMoved(Struct, kw_only=True):
    """
    The result of a move: its events as the mover may see them, and the game after it unless `Prefer: return=minimal`
    was sent.
    """

    events: Annotated[list[ScoutHashed], Meta(description="The events of the move, as the mover may see them.")]
    head: Annotated[str, Meta(description="The hash of all events up to this version. 32 bytes in lower-case hex.")]
    version: Annotated[int, Meta(description="The number of events after the move.")]
    game: (
        Annotated[ScoutGame, Meta(description="The game after the move. Absent with `Prefer: return=minimal`.")]
        | UnsetType
    ) = UNSET


class ScoutOutOfTimeProblem(Struct, kw_only=True):
    """
    The caller ran out of time, so the move came too late. A bot plays on at the seat, or the game was aborted.

    If `can_return` is true, the caller takes the `seat` again with `POST .../seats`. `game` is the game as it is now;
    absent in the channel and with `Prefer: return=minimal`.
    """

    can_return: Annotated[bool, Meta(description="True: the caller can take the seat again.")]
    seat: Annotated[
        int, Meta(description="The seat that the caller has lost. Seats are numbered from 0, rising clockwise.")
    ]
    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["out-of-time"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET
    game: ScoutGame | UnsetType = UNSET


class ScoutReview(Struct, kw_only=True):
    """
    Every choice of a finished game, weighed as far as its seat could know, and where the results come from.
    """

    accounts: Annotated[list[Account], Meta(description="The accounts of the whole game, by seat.")]
    choices: Annotated[
        list[ScoutChoice],
        Meta(
            description="The choices of the reviewed seats, in their order. Forced moves and those of house players are left out."
        ),
    ]
    format: Literal["stammtisch-review/1"]
    head: Annotated[
        str,
        Meta(
            description="The head of the record. All random numbers of the review follow from it. 32 bytes in lower-case hex."
        ),
    ]
    house: Annotated[str, Meta(description="The house player that plays on in the imagined worlds.")]
    means: Annotated[list[Mean], Meta(description="By reviewed seat with choices.")]
    plan: Annotated[str, Meta(description="The number of worlds that were imagined: `quick`, `standard` or `full`.")]
    rounds: Annotated[list[ReviewedRound], Meta(description="The rounds in their order.")]
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules.")]
    state: Annotated[
        Literal["final", "first"],
        Meta(description="`first`: accounts are provisional, and no choice has a category yet."),
    ]
    thresholds: Annotated[
        list[float],
        Meta(
            description="The losses, in points, from which on a choice is an inaccuracy, a mistake, a blunder. Empty: not measured yet."
        ),
    ]
    unweighed: Annotated[list[int], Meta(description="The versions of choices for which no world could be imagined.")]


class ScoutStaleDecisionProblem(Struct, kw_only=True):
    """
    The caller's choice has changed since the version in `If-Match`. `missed` lists the first
    events since that version, at most 32.
    """

    missed: Annotated[
        list[ScoutHashed],
        Meta(
            description="The first events since the version in `If-Match`, at most 32. `GET .../events` has the others."
        ),
    ]
    status: Annotated[Literal[412], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["stale-decision"]
    version: Annotated[int, Meta(description="The number of events so far.")]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class ScoutStep(Struct, kw_only=True):
    """
    An event of the record, as it looks from a perspective.
    """

    patch: Annotated[
        list[Patch], Meta(description="JSON Patch (RFC 6902) from the view before the event to the one after.")
    ]
    event: (
        Annotated[
            ScoutEvent,
            Meta(
                description="The event as the perspective sees it. Absent if that is the whole event, as in the record."
            ),
        ]
        | UnsetType
    ) = UNSET
    tally: (
        Annotated[
            Tally,
            Meta(description="The points that the cards count after the event. Absent if it has not changed."),
        ]
        | None
        | UnsetType
    ) = UNSET


class SkyjoActionAdvice(Struct, kw_only=True):
    """
    The choice of a house player for a seat, from what that seat sees.
    """

    move: Annotated[SkyjoActionMove, Meta(description="The move, which can be posted unchanged; null if the seat has no choice now.")] | None
    seat: Annotated[int, Meta(description="The seat that is to choose. Seats are numbered from 0, rising clockwise.")]
    version: Annotated[int, Meta(description="The number of events so far.")]


class SkyjoActionChoice(Struct, kw_only=True):
    """
    A choice of a player between several legal moves, weighed in worlds that its seat could imagine.
    """

    as_house: Annotated[bool, Meta(description="The house player might have made the same move.")]
    error: Annotated[
        float, Meta(description="The standard error of `loss`; the range of 95 % is `loss` ± 1.96 times this.")
    ]
    expected: Annotated[float, Meta(description="The result that the seat could expect before, in points ahead.")]
    hinted: Annotated[bool, Meta(description="The player had a hint.")]
    loss: Annotated[
        float,
        Meta(
            description="The points by which that move is better. It may be chance: see `error`. Without `best` it is 0 and was not\nmeasured."
        ),
    ]
    made: Annotated[SkyjoActionMove, Meta(description="The move that was made.")]
    refined: Annotated[
        bool,
        Meta(description="The loss was measured in worlds that neither the best move nor the choice was picked by."),
    ]
    round: Annotated[int, Meta(description="Rounds are numbered from 0.")]
    seat: Annotated[int, Meta(description="The seat that chose. Seats are numbered from 0, rising clockwise.")]
    version: Annotated[
        int,
        Meta(description="The version of the first event that it caused. The choice was made at the version before."),
    ]
    worlds: Annotated[int, Meta(description="The number of worlds in which `loss` was measured.")]
    best: (
        Annotated[
            SkyjoActionMove,
            Meta(
                description="The move that seems to be better. Absent: none was found among the moves and worlds that were tried; this does\nnot show that there is none."
            ),
        ]
        | UnsetType
    ) = UNSET
    category: (
        Annotated[
            Category,
            Meta(
                description="The category of the least that the choice has cost with nine chances in ten. Absent: too close to tell."
            ),
        ]
        | UnsetType
    ) = UNSET


SkyjoActionEvent: TypeAlias = SkyjoActionOpenedEvent | JoinedEvent | LeftEvent | DeclinedEvent | ReadiedEvent | BegunEvent | GoneEvent | RejoinedEvent | GrantedEvent | ResumedEvent | VotedEvent | TakenBackEvent | HintedEvent | EndedEvent | AbortedEvent | RevealedEvent | SkyjoActionDealtEvent | SkyjoActionFlippedEvent | SkyjoActionStarterFoundEvent | SkyjoActionPicksGrantedEvent | SkyjoActionPickSkippedEvent | SkyjoActionTurnBeganEvent | SkyjoActionMoveBeganEvent | SkyjoActionRanOutEvent | SkyjoActionRestockedEvent | SkyjoActionActionsRestockedEvent | SkyjoActionDrawnEvent | SkyjoActionTakenEvent | SkyjoActionSwappedEvent | SkyjoActionTossedEvent | SkyjoActionActionTakenEvent | SkyjoActionActionLaidOpenEvent | SkyjoActionPlayedEvent | SkyjoActionDiscardedEvent | SkyjoActionDrawnAsideEvent | SkyjoActionLineLookedEvent | SkyjoActionEffectLapsedEvent | SkyjoActionMovesAddedEvent | SkyjoActionKeptEvent | SkyjoActionKeptNoneEvent | SkyjoActionDroppedEvent | SkyjoActionVictimsNamedEvent | SkyjoActionPickedEvent | SkyjoActionExchangedEvent | SkyjoActionRemovedEvent | SkyjoActionReplacedEvent | SkyjoActionBlockedEvent | SkyjoActionStolenEvent | SkyjoActionReplayedEvent | SkyjoActionLineClearedEvent | SkyjoActionLinesOfferedEvent | SkyjoActionLinesKeptEvent | SkyjoActionFinalLapBeganEvent | SkyjoActionLayoutsRevealedEvent | SkyjoActionRoundScoredEvent | SkyjoActionWonEvent


class SkyjoActionEventItem(Struct, kw_only=True):
    """
    An event in a page or stream.
    """

    at: Annotated[str, Meta(description="The time of the event (RFC 3339, UTC).")]
    by: Annotated[int, Meta(description="The seat whose choice caused it; null for the dealer and for players without a seat.")] | None
    event: Annotated[SkyjoActionEvent, Meta(description="The event, redacted for the viewer.")]
    head: Annotated[str, Meta(description="The hash of all events up to this one. 32 bytes in lower-case hex.")]
    more: Annotated[int, Meta(description="The number of events that follow in the same append; 0 on its last one.")]
    public: Annotated[
        str, Meta(description="The hash of what everybody may see of the event. 32 bytes in lower-case hex.")
    ]
    secret: Annotated[str, Meta(description="The hash of the whole event. 32 bytes in lower-case hex.")]
    version: Annotated[int, Meta(description="The number of the event in its game, from 1.")]
    acting: (
        Annotated[
            list[int],
            Meta(description="The seats that have a choice after the event, rising; on the last event of an append."),
        ]
        | UnsetType
    ) = UNSET
    move: (
        Annotated[
            SkyjoActionMove,
            Meta(
                description="The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it."
            ),
        ]
        | UnsetType
    ) = UNSET
    patch: (
        Annotated[
            list[Patch],
            Meta(
                description="The JSON Patch (RFC 6902), with `with=patch`, from the `view` of the version before to that of this version. Absent otherwise."
            ),
        ]
        | UnsetType
    ) = UNSET
    tally: (
        Annotated[
            Tally,
            Meta(description="The points that the cards count at this version, with `with=tally`, if they differ from those at the version before; null before the game begins. Absent otherwise."),
        ]
        | None
        | UnsetType
    ) = UNSET


class SkyjoActionEventItemPage(Struct, kw_only=True):
    """
    A page of a list. `next` is the URL of the next page, or null on the last one.
    """

    items: Annotated[list[SkyjoActionEventItem], Meta(description="The items in order.")]
    next: Annotated[str, Meta(description="The URL of the next page; null on the last one.")] | None


class SkyjoActionGame(Struct, kw_only=True):
    """
    A game as the caller may see it. `view` is null before the game begins; hidden cards in it are null.
    """

    commitment: Annotated[str, Meta(description="The hash of the secret from which all deals are derived.")]
    created_at: Annotated[str, Meta(description="The time at which the game was opened (RFC 3339, UTC).")]
    decision: Annotated[int, Meta(description="The version since which the caller's current choice exists.")] | None
    deck: Annotated[DeckNamed, Meta(description="The deck of the game.")]
    head: Annotated[str, Meta(description="The hash of all events up to this version.")]
    hotseat: Annotated[bool, Meta(description="One player has all seats.")]
    id: Annotated[str, Meta(description="The id of the game.")]
    legal_moves: Annotated[
        list[SkyjoActionMove], Meta(description="All legal moves of the caller. Each can be posted unchanged.")
    ]
    links: Annotated[GameLinks, Meta(description="URLs of the parts of the game.")]
    options: Annotated[SkyjoActionOptions, Meta(description="The options of the game.")]
    private: Annotated[bool, Meta(description="Only members and holders of the invite see the game.")]
    result: Annotated[Result, Meta(description="The result; null until the game is finished.")] | None
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules, such as `name/1`.")]
    ruleset: Annotated[str, Meta(description="The name of the ruleset.")]
    seats: Annotated[list[SeatAssignment], Meta(description="The seats in order, from 0.")]
    status: Annotated[
        Status,
        Meta(description="`waiting` for players, `running`, `finished` with a result, or `aborted` without one."),
    ]
    to_act: Annotated[list[int], Meta(description="The seats that must act now.")]
    version: Annotated[int, Meta(description="The number of events so far.")]
    view: Annotated[SkyjoActionView, Meta(description="The table as this perspective may see it; null before the game begins.")] | None
    you: Annotated[int, Meta(description="The caller's seat.")] | None
    absent: (
        Annotated[
            Absent,
            Meta(
                description="The bot that goes on when a player leaves the running game, or `abort`. Absent if they cannot leave."
            ),
        ]
        | UnsetType
    ) = UNSET
    cause: Annotated[Cause, Meta(description="The reason why the game was aborted. Absent otherwise.")] | UnsetType = (
        UNSET
    )
    clock: Annotated[GameClock, Meta(description="The time for choices. Absent: it is not limited.")] | UnsetType = (
        UNSET
    )
    deal: (
        Annotated[
            Deal,
            Meta(
                description="The deal that the game has in common with others. Absent once its secret is revealed: until then the cards stay\nhidden, also when the game is over."
            ),
        ]
        | UnsetType
    ) = UNSET
    hints: (
        Annotated[
            bool, Meta(description="True: the player, who is alone with bots, can ask for hints. Absent otherwise.")
        ]
        | UnsetType
    ) = UNSET
    imported: (
        Annotated[bool, Meta(description="True if the game was imported from a record. Absent otherwise.")] | UnsetType
    ) = UNSET
    invite: (
        Annotated[str, Meta(description="The code for others to see and join a private game. For members only.")]
        | UnsetType
    ) = UNSET
    parent: (
        Annotated[Parent, Meta(description="The game that this branch continues. Absent in other games.")] | UnsetType
    ) = UNSET
    puzzles: (
        Annotated[
            bool,
            Meta(
                description="True: positions of the game may become puzzles, without names; sitting down agrees to it. Absent otherwise."
            ),
        ]
        | UnsetType
    ) = UNSET
    rematch_of: (
        Annotated[str, Meta(description="The id of the game that this one repeats. Absent in other games.")] | UnsetType
    ) = UNSET
    sealed: (
        Annotated[
            bool,
            Meta(
                description="True: players seal their entropies, and open them when all seats are taken. Absent otherwise."
            ),
        ]
        | UnsetType
    ) = UNSET
    tally: (
        Annotated[
            Tally,
            Meta(description="The points that the cards count now, with `with=tally`; null before the game begins. Absent otherwise."),
        ]
        | None
        | UnsetType
    ) = UNSET
    undo: (
        Annotated[
            int,
            Meta(description="The last version of the caller's move that they can take back without asking, or null. Absent if no move can be taken back in this game."),
        ]
        | None
        | UnsetType
    ) = UNSET
    undo_mode: (
        Annotated[
            Undo,
            Meta(
                description="The moves that can be taken back: those that revealed nothing, or also others by agreement. Absent: none."
            ),
        ]
        | UnsetType
    ) = UNSET
    vote: Annotated[Question, Meta(description="The open question. Absent if there is none.")] | UnsetType = UNSET


class SkyjoActionHashed(Struct, kw_only=True):
    """
    An event as it is served: redacted for the viewer, with the hashes of the full event.
    """

    at: Annotated[str, Meta(description="The time of the event (RFC 3339, UTC).")]
    by: Annotated[int, Meta(description="The seat whose choice caused it; null for the dealer and for players without a seat.")] | None
    event: Annotated[SkyjoActionEvent, Meta(description="The event, redacted for the viewer.")]
    head: Annotated[str, Meta(description="The hash of all events up to this one. 32 bytes in lower-case hex.")]
    more: Annotated[int, Meta(description="The number of events that follow in the same append; 0 on its last one.")]
    public: Annotated[
        str, Meta(description="The hash of what everybody may see of the event. 32 bytes in lower-case hex.")
    ]
    secret: Annotated[str, Meta(description="The hash of the whole event. 32 bytes in lower-case hex.")]
    version: Annotated[int, Meta(description="The number of the event in its game, from 1.")]
    acting: (
        Annotated[
            list[int],
            Meta(description="The seats that have a choice after the event, rising; on the last event of an append."),
        ]
        | UnsetType
    ) = UNSET
    move: (
        Annotated[
            SkyjoActionMove,
            Meta(
                description="The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it."
            ),
        ]
        | UnsetType
    ) = UNSET


class SkyjoActionHint(Struct, kw_only=True):
    """
    The moves that nothing speaks against, in worlds that the seat can imagine.
    """

    ahead: Annotated[
        float,
        Meta(description="The points by which the first one is better than `against`. It may be chance: see `error`."),
    ]
    error: Annotated[
        float, Meta(description="The standard error of `ahead`; the range of 95 % is `ahead` ± 1.96 times this.")
    ]
    moves: Annotated[
        list[SkyjoActionMove], Meta(description="The best first. The others of them are too close to it to tell.")
    ]
    seat: Annotated[int, Meta(description="The seat that asked. Seats are numbered from 0, rising clockwise.")]
    version: Annotated[
        int,
        Meta(
            description="The version of the table that it is about: that of the last event of the ruleset that stands."
        ),
    ]
    worlds: Annotated[
        int,
        Meta(description="The number of worlds in which `ahead` was measured. None of the moves was picked by them."),
    ]
    against: (
        Annotated[
            SkyjoActionMove,
            Meta(
                description="The move that the first one is compared with. Absent: it is the only legal move, or that of the house player,\nbecause no world could be imagined."
            ),
        ]
        | UnsetType
    ) = UNSET


class SkyjoActionIllegalMoveProblem(Struct, kw_only=True):
    """
    The rules do not allow this move now. `legal_moves` lists the legal moves of the caller.
    """

    decision: Annotated[int, Meta(description="The version since which the current choice exists; null without a choice.")] | None
    legal_moves: Annotated[list[SkyjoActionMove], Meta(description="All legal moves of the caller.")]
    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["illegal-move"]
    version: Annotated[int, Meta(description="The number of events so far.")]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class SkyjoActionListedMoves(Struct, kw_only=True):
    """
    All legal moves of a seat.
    """

    decision: Annotated[int, Meta(description="The version since which the current choice exists; null without a choice.")] | None
    legal_moves: Annotated[list[SkyjoActionMove], Meta(description="All legal moves. Each can be posted unchanged.")]
    seat: Annotated[
        int, Meta(description="The seat that has these moves. Seats are numbered from 0, rising clockwise.")
    ]
    version: Annotated[int, Meta(description="The number of events so far.")]


class SkyjoActionMoved(Struct, kw_only=True):
    """
    The result of a move: its events as the mover may see them, and the game after it unless `Prefer: return=minimal`
    was sent.
    """

    events: Annotated[list[SkyjoActionHashed], Meta(description="The events of the move, as the mover may see them.")]
    head: Annotated[str, Meta(description="The hash of all events up to this version. 32 bytes in lower-case hex.")]
    version: Annotated[int, Meta(description="The number of events after the move.")]
    game: (
        Annotated[SkyjoActionGame, Meta(description="The game after the move. Absent with `Prefer: return=minimal`.")]
        | UnsetType
    ) = UNSET


class SkyjoActionOutOfTimeProblem(Struct, kw_only=True):
    """
    The caller ran out of time, so the move came too late. A bot plays on at the seat, or the game was aborted.

    If `can_return` is true, the caller takes the `seat` again with `POST .../seats`. `game` is the game as it is now;
    absent in the channel and with `Prefer: return=minimal`.
    """

    can_return: Annotated[bool, Meta(description="True: the caller can take the seat again.")]
    seat: Annotated[
        int, Meta(description="The seat that the caller has lost. Seats are numbered from 0, rising clockwise.")
    ]
    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["out-of-time"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET
    game: SkyjoActionGame | UnsetType = UNSET


class SkyjoActionReview(Struct, kw_only=True):
    """
    Every choice of a finished game, weighed as far as its seat could know, and where the results come from.
    """

    accounts: Annotated[list[Account], Meta(description="The accounts of the whole game, by seat.")]
    choices: Annotated[
        list[SkyjoActionChoice],
        Meta(
            description="The choices of the reviewed seats, in their order. Forced moves and those of house players are left out."
        ),
    ]
    format: Literal["stammtisch-review/1"]
    head: Annotated[
        str,
        Meta(
            description="The head of the record. All random numbers of the review follow from it. 32 bytes in lower-case hex."
        ),
    ]
    house: Annotated[str, Meta(description="The house player that plays on in the imagined worlds.")]
    means: Annotated[list[Mean], Meta(description="By reviewed seat with choices.")]
    plan: Annotated[str, Meta(description="The number of worlds that were imagined: `quick`, `standard` or `full`.")]
    rounds: Annotated[list[ReviewedRound], Meta(description="The rounds in their order.")]
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules.")]
    state: Annotated[
        Literal["final", "first"],
        Meta(description="`first`: accounts are provisional, and no choice has a category yet."),
    ]
    thresholds: Annotated[
        list[float],
        Meta(
            description="The losses, in points, from which on a choice is an inaccuracy, a mistake, a blunder. Empty: not measured yet."
        ),
    ]
    unweighed: Annotated[list[int], Meta(description="The versions of choices for which no world could be imagined.")]


class SkyjoActionStaleDecisionProblem(Struct, kw_only=True):
    """
    The caller's choice has changed since the version in `If-Match`. `missed` lists the first
    events since that version, at most 32.
    """

    missed: Annotated[
        list[SkyjoActionHashed],
        Meta(
            description="The first events since the version in `If-Match`, at most 32. `GET .../events` has the others."
        ),
    ]
    status: Annotated[Literal[412], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["stale-decision"]
    version: Annotated[int, Meta(description="The number of events so far.")]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class SkyjoActionStep(Struct, kw_only=True):
    """
    An event of the record, as it looks from a perspective.
    """

    patch: Annotated[
        list[Patch], Meta(description="JSON Patch (RFC 6902) from the view before the event to the one after.")
    ]
    event: (
        Annotated[
            SkyjoActionEvent,
            Meta(
                description="The event as the perspective sees it. Absent if that is the whole event, as in the record."
            ),
        ]
        | UnsetType
    ) = UNSET
    tally: (
        Annotated[
            Tally,
            Meta(description="The points that the cards count after the event. Absent if it has not changed."),
        ]
        | None
        | UnsetType
    ) = UNSET


class SkyjoAdvice(Struct, kw_only=True):
    """
    The choice of a house player for a seat, from what that seat sees.
    """

    move: Annotated[SkyjoMove, Meta(description="The move, which can be posted unchanged; null if the seat has no choice now.")] | None
    seat: Annotated[int, Meta(description="The seat that is to choose. Seats are numbered from 0, rising clockwise.")]
    version: Annotated[int, Meta(description="The number of events so far.")]


class SkyjoChoice(Struct, kw_only=True):
    """
    A choice of a player between several legal moves, weighed in worlds that its seat could imagine.
    """

    as_house: Annotated[bool, Meta(description="The house player might have made the same move.")]
    error: Annotated[
        float, Meta(description="The standard error of `loss`; the range of 95 % is `loss` ± 1.96 times this.")
    ]
    expected: Annotated[float, Meta(description="The result that the seat could expect before, in points ahead.")]
    hinted: Annotated[bool, Meta(description="The player had a hint.")]
    loss: Annotated[
        float,
        Meta(
            description="The points by which that move is better. It may be chance: see `error`. Without `best` it is 0 and was not\nmeasured."
        ),
    ]
    made: Annotated[SkyjoMove, Meta(description="The move that was made.")]
    refined: Annotated[
        bool,
        Meta(description="The loss was measured in worlds that neither the best move nor the choice was picked by."),
    ]
    round: Annotated[int, Meta(description="Rounds are numbered from 0.")]
    seat: Annotated[int, Meta(description="The seat that chose. Seats are numbered from 0, rising clockwise.")]
    version: Annotated[
        int,
        Meta(description="The version of the first event that it caused. The choice was made at the version before."),
    ]
    worlds: Annotated[int, Meta(description="The number of worlds in which `loss` was measured.")]
    best: (
        Annotated[
            SkyjoMove,
            Meta(
                description="The move that seems to be better. Absent: none was found among the moves and worlds that were tried; this does\nnot show that there is none."
            ),
        ]
        | UnsetType
    ) = UNSET
    category: (
        Annotated[
            Category,
            Meta(
                description="The category of the least that the choice has cost with nine chances in ten. Absent: too close to tell."
            ),
        ]
        | UnsetType
    ) = UNSET


SkyjoEvent: TypeAlias = SkyjoOpenedEvent | JoinedEvent | LeftEvent | DeclinedEvent | ReadiedEvent | BegunEvent | GoneEvent | RejoinedEvent | GrantedEvent | ResumedEvent | VotedEvent | TakenBackEvent | HintedEvent | EndedEvent | AbortedEvent | RevealedEvent | SkyjoDealtEvent | SkyjoFlippedEvent | SkyjoTurnBeganEvent | SkyjoRanOutEvent | SkyjoRestockedEvent | SkyjoDrawnEvent | SkyjoTakenEvent | SkyjoSwappedEvent | SkyjoTossedEvent | SkyjoColumnClearedEvent | SkyjoFinalLapBeganEvent | SkyjoLayoutsRevealedEvent | SkyjoRoundScoredEvent | SkyjoWonEvent


class SkyjoEventItem(Struct, kw_only=True):
    """
    An event in a page or stream.
    """

    at: Annotated[str, Meta(description="The time of the event (RFC 3339, UTC).")]
    by: Annotated[int, Meta(description="The seat whose choice caused it; null for the dealer and for players without a seat.")] | None
    event: Annotated[SkyjoEvent, Meta(description="The event, redacted for the viewer.")]
    head: Annotated[str, Meta(description="The hash of all events up to this one. 32 bytes in lower-case hex.")]
    more: Annotated[int, Meta(description="The number of events that follow in the same append; 0 on its last one.")]
    public: Annotated[
        str, Meta(description="The hash of what everybody may see of the event. 32 bytes in lower-case hex.")
    ]
    secret: Annotated[str, Meta(description="The hash of the whole event. 32 bytes in lower-case hex.")]
    version: Annotated[int, Meta(description="The number of the event in its game, from 1.")]
    acting: (
        Annotated[
            list[int],
            Meta(description="The seats that have a choice after the event, rising; on the last event of an append."),
        ]
        | UnsetType
    ) = UNSET
    move: (
        Annotated[
            SkyjoMove,
            Meta(
                description="The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it."
            ),
        ]
        | UnsetType
    ) = UNSET
    patch: (
        Annotated[
            list[Patch],
            Meta(
                description="The JSON Patch (RFC 6902), with `with=patch`, from the `view` of the version before to that of this version. Absent otherwise."
            ),
        ]
        | UnsetType
    ) = UNSET
    tally: (
        Annotated[
            Tally,
            Meta(description="The points that the cards count at this version, with `with=tally`, if they differ from those at the version before; null before the game begins. Absent otherwise."),
        ]
        | None
        | UnsetType
    ) = UNSET


class SkyjoEventItemPage(Struct, kw_only=True):
    """
    A page of a list. `next` is the URL of the next page, or null on the last one.
    """

    items: Annotated[list[SkyjoEventItem], Meta(description="The items in order.")]
    next: Annotated[str, Meta(description="The URL of the next page; null on the last one.")] | None


class SkyjoGame(Struct, kw_only=True):
    """
    A game as the caller may see it. `view` is null before the game begins; hidden cards in it are null.
    """

    commitment: Annotated[str, Meta(description="The hash of the secret from which all deals are derived.")]
    created_at: Annotated[str, Meta(description="The time at which the game was opened (RFC 3339, UTC).")]
    decision: Annotated[int, Meta(description="The version since which the caller's current choice exists.")] | None
    deck: Annotated[DeckNamed, Meta(description="The deck of the game.")]
    head: Annotated[str, Meta(description="The hash of all events up to this version.")]
    hotseat: Annotated[bool, Meta(description="One player has all seats.")]
    id: Annotated[str, Meta(description="The id of the game.")]
    legal_moves: Annotated[
        list[SkyjoMove], Meta(description="All legal moves of the caller. Each can be posted unchanged.")
    ]
    links: Annotated[GameLinks, Meta(description="URLs of the parts of the game.")]
    options: Annotated[SkyjoOptions, Meta(description="The options of the game.")]
    private: Annotated[bool, Meta(description="Only members and holders of the invite see the game.")]
    result: Annotated[Result, Meta(description="The result; null until the game is finished.")] | None
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules, such as `name/1`.")]
    ruleset: Annotated[str, Meta(description="The name of the ruleset.")]
    seats: Annotated[list[SeatAssignment], Meta(description="The seats in order, from 0.")]
    status: Annotated[
        Status,
        Meta(description="`waiting` for players, `running`, `finished` with a result, or `aborted` without one."),
    ]
    to_act: Annotated[list[int], Meta(description="The seats that must act now.")]
    version: Annotated[int, Meta(description="The number of events so far.")]
    view: Annotated[SkyjoView, Meta(description="The table as this perspective may see it; null before the game begins.")] | None
    you: Annotated[int, Meta(description="The caller's seat.")] | None
    absent: (
        Annotated[
            Absent,
            Meta(
                description="The bot that goes on when a player leaves the running game, or `abort`. Absent if they cannot leave."
            ),
        ]
        | UnsetType
    ) = UNSET
    cause: Annotated[Cause, Meta(description="The reason why the game was aborted. Absent otherwise.")] | UnsetType = (
        UNSET
    )
    clock: Annotated[GameClock, Meta(description="The time for choices. Absent: it is not limited.")] | UnsetType = (
        UNSET
    )
    deal: (
        Annotated[
            Deal,
            Meta(
                description="The deal that the game has in common with others. Absent once its secret is revealed: until then the cards stay\nhidden, also when the game is over."
            ),
        ]
        | UnsetType
    ) = UNSET
    hints: (
        Annotated[
            bool, Meta(description="True: the player, who is alone with bots, can ask for hints. Absent otherwise.")
        ]
        | UnsetType
    ) = UNSET
    imported: (
        Annotated[bool, Meta(description="True if the game was imported from a record. Absent otherwise.")] | UnsetType
    ) = UNSET
    invite: (
        Annotated[str, Meta(description="The code for others to see and join a private game. For members only.")]
        | UnsetType
    ) = UNSET
    parent: (
        Annotated[Parent, Meta(description="The game that this branch continues. Absent in other games.")] | UnsetType
    ) = UNSET
    puzzles: (
        Annotated[
            bool,
            Meta(
                description="True: positions of the game may become puzzles, without names; sitting down agrees to it. Absent otherwise."
            ),
        ]
        | UnsetType
    ) = UNSET
    rematch_of: (
        Annotated[str, Meta(description="The id of the game that this one repeats. Absent in other games.")] | UnsetType
    ) = UNSET
    sealed: (
        Annotated[
            bool,
            Meta(
                description="True: players seal their entropies, and open them when all seats are taken. Absent otherwise."
            ),
        ]
        | UnsetType
    ) = UNSET
    tally: (
        Annotated[
            Tally,
            Meta(description="The points that the cards count now, with `with=tally`; null before the game begins. Absent otherwise."),
        ]
        | None
        | UnsetType
    ) = UNSET
    undo: (
        Annotated[
            int,
            Meta(description="The last version of the caller's move that they can take back without asking, or null. Absent if no move can be taken back in this game."),
        ]
        | None
        | UnsetType
    ) = UNSET
    undo_mode: (
        Annotated[
            Undo,
            Meta(
                description="The moves that can be taken back: those that revealed nothing, or also others by agreement. Absent: none."
            ),
        ]
        | UnsetType
    ) = UNSET
    vote: Annotated[Question, Meta(description="The open question. Absent if there is none.")] | UnsetType = UNSET


class SkyjoHashed(Struct, kw_only=True):
    """
    An event as it is served: redacted for the viewer, with the hashes of the full event.
    """

    at: Annotated[str, Meta(description="The time of the event (RFC 3339, UTC).")]
    by: Annotated[int, Meta(description="The seat whose choice caused it; null for the dealer and for players without a seat.")] | None
    event: Annotated[SkyjoEvent, Meta(description="The event, redacted for the viewer.")]
    head: Annotated[str, Meta(description="The hash of all events up to this one. 32 bytes in lower-case hex.")]
    more: Annotated[int, Meta(description="The number of events that follow in the same append; 0 on its last one.")]
    public: Annotated[
        str, Meta(description="The hash of what everybody may see of the event. 32 bytes in lower-case hex.")
    ]
    secret: Annotated[str, Meta(description="The hash of the whole event. 32 bytes in lower-case hex.")]
    version: Annotated[int, Meta(description="The number of the event in its game, from 1.")]
    acting: (
        Annotated[
            list[int],
            Meta(description="The seats that have a choice after the event, rising; on the last event of an append."),
        ]
        | UnsetType
    ) = UNSET
    move: (
        Annotated[
            SkyjoMove,
            Meta(
                description="The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it."
            ),
        ]
        | UnsetType
    ) = UNSET


class SkyjoHint(Struct, kw_only=True):
    """
    The moves that nothing speaks against, in worlds that the seat can imagine.
    """

    ahead: Annotated[
        float,
        Meta(description="The points by which the first one is better than `against`. It may be chance: see `error`."),
    ]
    error: Annotated[
        float, Meta(description="The standard error of `ahead`; the range of 95 % is `ahead` ± 1.96 times this.")
    ]
    moves: Annotated[
        list[SkyjoMove], Meta(description="The best first. The others of them are too close to it to tell.")
    ]
    seat: Annotated[int, Meta(description="The seat that asked. Seats are numbered from 0, rising clockwise.")]
    version: Annotated[
        int,
        Meta(
            description="The version of the table that it is about: that of the last event of the ruleset that stands."
        ),
    ]
    worlds: Annotated[
        int,
        Meta(description="The number of worlds in which `ahead` was measured. None of the moves was picked by them."),
    ]
    against: (
        Annotated[
            SkyjoMove,
            Meta(
                description="The move that the first one is compared with. Absent: it is the only legal move, or that of the house player,\nbecause no world could be imagined."
            ),
        ]
        | UnsetType
    ) = UNSET


class SkyjoIllegalMoveProblem(Struct, kw_only=True):
    """
    The rules do not allow this move now. `legal_moves` lists the legal moves of the caller.
    """

    decision: Annotated[int, Meta(description="The version since which the current choice exists; null without a choice.")] | None
    legal_moves: Annotated[list[SkyjoMove], Meta(description="All legal moves of the caller.")]
    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["illegal-move"]
    version: Annotated[int, Meta(description="The number of events so far.")]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class SkyjoListedMoves(Struct, kw_only=True):
    """
    All legal moves of a seat.
    """

    decision: Annotated[int, Meta(description="The version since which the current choice exists; null without a choice.")] | None
    legal_moves: Annotated[list[SkyjoMove], Meta(description="All legal moves. Each can be posted unchanged.")]
    seat: Annotated[
        int, Meta(description="The seat that has these moves. Seats are numbered from 0, rising clockwise.")
    ]
    version: Annotated[int, Meta(description="The number of events so far.")]


class SkyjoMoved(Struct, kw_only=True):
    """
    The result of a move: its events as the mover may see them, and the game after it unless `Prefer: return=minimal`
    was sent.
    """

    events: Annotated[list[SkyjoHashed], Meta(description="The events of the move, as the mover may see them.")]
    head: Annotated[str, Meta(description="The hash of all events up to this version. 32 bytes in lower-case hex.")]
    version: Annotated[int, Meta(description="The number of events after the move.")]
    game: (
        Annotated[SkyjoGame, Meta(description="The game after the move. Absent with `Prefer: return=minimal`.")]
        | UnsetType
    ) = UNSET


class SkyjoOutOfTimeProblem(Struct, kw_only=True):
    """
    The caller ran out of time, so the move came too late. A bot plays on at the seat, or the game was aborted.

    If `can_return` is true, the caller takes the `seat` again with `POST .../seats`. `game` is the game as it is now;
    absent in the channel and with `Prefer: return=minimal`.
    """

    can_return: Annotated[bool, Meta(description="True: the caller can take the seat again.")]
    seat: Annotated[
        int, Meta(description="The seat that the caller has lost. Seats are numbered from 0, rising clockwise.")
    ]
    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["out-of-time"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET
    game: SkyjoGame | UnsetType = UNSET


class SkyjoReview(Struct, kw_only=True):
    """
    Every choice of a finished game, weighed as far as its seat could know, and where the results come from.
    """

    accounts: Annotated[list[Account], Meta(description="The accounts of the whole game, by seat.")]
    choices: Annotated[
        list[SkyjoChoice],
        Meta(
            description="The choices of the reviewed seats, in their order. Forced moves and those of house players are left out."
        ),
    ]
    format: Literal["stammtisch-review/1"]
    head: Annotated[
        str,
        Meta(
            description="The head of the record. All random numbers of the review follow from it. 32 bytes in lower-case hex."
        ),
    ]
    house: Annotated[str, Meta(description="The house player that plays on in the imagined worlds.")]
    means: Annotated[list[Mean], Meta(description="By reviewed seat with choices.")]
    plan: Annotated[str, Meta(description="The number of worlds that were imagined: `quick`, `standard` or `full`.")]
    rounds: Annotated[list[ReviewedRound], Meta(description="The rounds in their order.")]
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules.")]
    state: Annotated[
        Literal["final", "first"],
        Meta(description="`first`: accounts are provisional, and no choice has a category yet."),
    ]
    thresholds: Annotated[
        list[float],
        Meta(
            description="The losses, in points, from which on a choice is an inaccuracy, a mistake, a blunder. Empty: not measured yet."
        ),
    ]
    unweighed: Annotated[list[int], Meta(description="The versions of choices for which no world could be imagined.")]


class SkyjoStaleDecisionProblem(Struct, kw_only=True):
    """
    The caller's choice has changed since the version in `If-Match`. `missed` lists the first
    events since that version, at most 32.
    """

    missed: Annotated[
        list[SkyjoHashed],
        Meta(
            description="The first events since the version in `If-Match`, at most 32. `GET .../events` has the others."
        ),
    ]
    status: Annotated[Literal[412], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["stale-decision"]
    version: Annotated[int, Meta(description="The number of events so far.")]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class SkyjoStep(Struct, kw_only=True):
    """
    An event of the record, as it looks from a perspective.
    """

    patch: Annotated[
        list[Patch], Meta(description="JSON Patch (RFC 6902) from the view before the event to the one after.")
    ]
    event: (
        Annotated[
            SkyjoEvent,
            Meta(
                description="The event as the perspective sees it. Absent if that is the whole event, as in the record."
            ),
        ]
        | UnsetType
    ) = UNSET
    tally: (
        Annotated[
            Tally,
            Meta(description="The points that the cards count after the event. Absent if it has not changed."),
        ]
        | None
        | UnsetType
    ) = UNSET


class ScandaroonAdvice(Struct, kw_only=True):
    """
    The choice of a house player for a seat, from what that seat sees.
    """

    move: Annotated[ScandaroonMove, Meta(description="The move, which can be posted unchanged; null if the seat has no choice now.")] | None
    seat: Annotated[int, Meta(description="The seat that is to choose. Seats are numbered from 0, rising clockwise.")]
    version: Annotated[int, Meta(description="The number of events so far.")]


class ScandaroonChoice(Struct, kw_only=True):
    """
    A choice of a player between several legal moves, weighed in worlds that its seat could imagine.
    """

    as_house: Annotated[bool, Meta(description="The house player might have made the same move.")]
    error: Annotated[
        float, Meta(description="The standard error of `loss`; the range of 95 % is `loss` ± 1.96 times this.")
    ]
    expected: Annotated[float, Meta(description="The result that the seat could expect before, in points ahead.")]
    hinted: Annotated[bool, Meta(description="The player had a hint.")]
    loss: Annotated[
        float,
        Meta(
            description="The points by which that move is better. It may be chance: see `error`. Without `best` it is 0 and was not\nmeasured."
        ),
    ]
    made: Annotated[ScandaroonMove, Meta(description="The move that was made.")]
    refined: Annotated[
        bool,
        Meta(description="The loss was measured in worlds that neither the best move nor the choice was picked by."),
    ]
    round: Annotated[int, Meta(description="Rounds are numbered from 0.")]
    seat: Annotated[int, Meta(description="The seat that chose. Seats are numbered from 0, rising clockwise.")]
    version: Annotated[
        int,
        Meta(description="The version of the first event that it caused. The choice was made at the version before."),
    ]
    worlds: Annotated[int, Meta(description="The number of worlds in which `loss` was measured.")]
    best: (
        Annotated[
            ScandaroonMove,
            Meta(
                description="The move that seems to be better. Absent: none was found among the moves and worlds that were tried; this does\nnot show that there is none."
            ),
        ]
        | UnsetType
    ) = UNSET
    category: (
        Annotated[
            Category,
            Meta(
                description="The category of the least that the choice has cost with nine chances in ten. Absent: too close to tell."
            ),
        ]
        | UnsetType
    ) = UNSET


class ScandaroonFace(Struct, kw_only=True):
    """
    A card as the deck file lists it (SD-6).
    """

    ability: Annotated[ScandaroonFaceAbility, Meta(description="The use of the card; null: it has none.")] | None
    base: Annotated[int, Meta(description="The printed value.")]
    effect: Annotated[list[ScandaroonEffect], Meta(description="The effects that hold while the card is in play; null: none.")] | None
    end: Annotated[bool, Meta(description="Nothing is laid to its right while it is the last card.")]
    id: Annotated[str, Meta(description="The card, by its `id` in the deck.")]
    play_anywhere: Annotated[bool, Meta(description="May be laid at any seat's row.")]
    symbols: Annotated[list[ScandaroonSymbol], Meta(description="The card counts as each of them.")]


class ScandaroonGame(Struct, kw_only=True):
    """
    A game as the caller may see it. `view` is null before the game begins; hidden cards in it are null.
    """

    commitment: Annotated[str, Meta(description="The hash of the secret from which all deals are derived.")]
    created_at: Annotated[str, Meta(description="The time at which the game was opened (RFC 3339, UTC).")]
    decision: Annotated[int, Meta(description="The version since which the caller's current choice exists.")] | None
    deck: Annotated[DeckNamed, Meta(description="The deck of the game.")]
    head: Annotated[str, Meta(description="The hash of all events up to this version.")]
    hotseat: Annotated[bool, Meta(description="One player has all seats.")]
    id: Annotated[str, Meta(description="The id of the game.")]
    legal_moves: Annotated[
        list[ScandaroonMove], Meta(description="All legal moves of the caller. Each can be posted unchanged.")
    ]
    links: Annotated[GameLinks, Meta(description="URLs of the parts of the game.")]
    options: Annotated[ScandaroonOptions, Meta(description="The options of the game.")]
    private: Annotated[bool, Meta(description="Only members and holders of the invite see the game.")]
    result: Annotated[Result, Meta(description="The result; null until the game is finished.")] | None
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules, such as `name/1`.")]
    ruleset: Annotated[str, Meta(description="The name of the ruleset.")]
    seats: Annotated[list[SeatAssignment], Meta(description="The seats in order, from 0.")]
    status: Annotated[
        Status,
        Meta(description="`waiting` for players, `running`, `finished` with a result, or `aborted` without one."),
    ]
    to_act: Annotated[list[int], Meta(description="The seats that must act now.")]
    version: Annotated[int, Meta(description="The number of events so far.")]
    view: Annotated[ScandaroonView, Meta(description="The table as this perspective may see it; null before the game begins.")] | None
    you: Annotated[int, Meta(description="The caller's seat.")] | None
    absent: (
        Annotated[
            Absent,
            Meta(
                description="The bot that goes on when a player leaves the running game, or `abort`. Absent if they cannot leave."
            ),
        ]
        | UnsetType
    ) = UNSET
    cause: Annotated[Cause, Meta(description="The reason why the game was aborted. Absent otherwise.")] | UnsetType = (
        UNSET
    )
    clock: Annotated[GameClock, Meta(description="The time for choices. Absent: it is not limited.")] | UnsetType = (
        UNSET
    )
    deal: (
        Annotated[
            Deal,
            Meta(
                description="The deal that the game has in common with others. Absent once its secret is revealed: until then the cards stay\nhidden, also when the game is over."
            ),
        ]
        | UnsetType
    ) = UNSET
    hints: (
        Annotated[
            bool, Meta(description="True: the player, who is alone with bots, can ask for hints. Absent otherwise.")
        ]
        | UnsetType
    ) = UNSET
    imported: (
        Annotated[bool, Meta(description="True if the game was imported from a record. Absent otherwise.")] | UnsetType
    ) = UNSET
    invite: (
        Annotated[str, Meta(description="The code for others to see and join a private game. For members only.")]
        | UnsetType
    ) = UNSET
    parent: (
        Annotated[Parent, Meta(description="The game that this branch continues. Absent in other games.")] | UnsetType
    ) = UNSET
    puzzles: (
        Annotated[
            bool,
            Meta(
                description="True: positions of the game may become puzzles, without names; sitting down agrees to it. Absent otherwise."
            ),
        ]
        | UnsetType
    ) = UNSET
    rematch_of: (
        Annotated[str, Meta(description="The id of the game that this one repeats. Absent in other games.")] | UnsetType
    ) = UNSET
    sealed: (
        Annotated[
            bool,
            Meta(
                description="True: players seal their entropies, and open them when all seats are taken. Absent otherwise."
            ),
        ]
        | UnsetType
    ) = UNSET
    tally: (
        Annotated[
            Tally,
            Meta(description="The points that the cards count now, with `with=tally`; null before the game begins. Absent otherwise."),
        ]
        | None
        | UnsetType
    ) = UNSET
    undo: (
        Annotated[
            int,
            Meta(description="The last version of the caller's move that they can take back without asking, or null. Absent if no move can be taken back in this game."),
        ]
        | None
        | UnsetType
    ) = UNSET
    undo_mode: (
        Annotated[
            Undo,
            Meta(
                description="The moves that can be taken back: those that revealed nothing, or also others by agreement. Absent: none."
            ),
        ]
        | UnsetType
    ) = UNSET
    vote: Annotated[Question, Meta(description="The open question. Absent if there is none.")] | UnsetType = UNSET


class ScandaroonHint(Struct, kw_only=True):
    """
    The moves that nothing speaks against, in worlds that the seat can imagine.
    """

    ahead: Annotated[
        float,
        Meta(description="The points by which the first one is better than `against`. It may be chance: see `error`."),
    ]
    error: Annotated[
        float, Meta(description="The standard error of `ahead`; the range of 95 % is `ahead` ± 1.96 times this.")
    ]
    moves: Annotated[
        list[ScandaroonMove], Meta(description="The best first. The others of them are too close to it to tell.")
    ]
    seat: Annotated[int, Meta(description="The seat that asked. Seats are numbered from 0, rising clockwise.")]
    version: Annotated[
        int,
        Meta(
            description="The version of the table that it is about: that of the last event of the ruleset that stands."
        ),
    ]
    worlds: Annotated[
        int,
        Meta(description="The number of worlds in which `ahead` was measured. None of the moves was picked by them."),
    ]
    against: (
        Annotated[
            ScandaroonMove,
            Meta(
                description="The move that the first one is compared with. Absent: it is the only legal move, or that of the house player,\nbecause no world could be imagined."
            ),
        ]
        | UnsetType
    ) = UNSET


class ScandaroonIllegalMoveProblem(Struct, kw_only=True):
    """
    The rules do not allow this move now. `legal_moves` lists the legal moves of the caller.
    """

    decision: Annotated[int, Meta(description="The version since which the current choice exists; null without a choice.")] | None
    legal_moves: Annotated[list[ScandaroonMove], Meta(description="All legal moves of the caller.")]
    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["illegal-move"]
    version: Annotated[int, Meta(description="The number of events so far.")]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class ScandaroonListedMoves(Struct, kw_only=True):
    """
    All legal moves of a seat.
    """

    decision: Annotated[int, Meta(description="The version since which the current choice exists; null without a choice.")] | None
    legal_moves: Annotated[list[ScandaroonMove], Meta(description="All legal moves. Each can be posted unchanged.")]
    seat: Annotated[
        int, Meta(description="The seat that has these moves. Seats are numbered from 0, rising clockwise.")
    ]
    version: Annotated[int, Meta(description="The number of events so far.")]


class ScandaroonOutOfTimeProblem(Struct, kw_only=True):
    """
    The caller ran out of time, so the move came too late. A bot plays on at the seat, or the game was aborted.

    If `can_return` is true, the caller takes the `seat` again with `POST .../seats`. `game` is the game as it is now;
    absent in the channel and with `Prefer: return=minimal`.
    """

    can_return: Annotated[bool, Meta(description="True: the caller can take the seat again.")]
    seat: Annotated[
        int, Meta(description="The seat that the caller has lost. Seats are numbered from 0, rising clockwise.")
    ]
    status: Annotated[Literal[409], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["out-of-time"]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET
    game: ScandaroonGame | UnsetType = UNSET


class ScandaroonReview(Struct, kw_only=True):
    """
    Every choice of a finished game, weighed as far as its seat could know, and where the results come from.
    """

    accounts: Annotated[list[Account], Meta(description="The accounts of the whole game, by seat.")]
    choices: Annotated[
        list[ScandaroonChoice],
        Meta(
            description="The choices of the reviewed seats, in their order. Forced moves and those of house players are left out."
        ),
    ]
    format: Literal["stammtisch-review/1"]
    head: Annotated[
        str,
        Meta(
            description="The head of the record. All random numbers of the review follow from it. 32 bytes in lower-case hex."
        ),
    ]
    house: Annotated[str, Meta(description="The house player that plays on in the imagined worlds.")]
    means: Annotated[list[Mean], Meta(description="By reviewed seat with choices.")]
    plan: Annotated[str, Meta(description="The number of worlds that were imagined: `quick`, `standard` or `full`.")]
    rounds: Annotated[list[ReviewedRound], Meta(description="The rounds in their order.")]
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules.")]
    state: Annotated[
        Literal["final", "first"],
        Meta(description="`first`: accounts are provisional, and no choice has a category yet."),
    ]
    thresholds: Annotated[
        list[float],
        Meta(
            description="The losses, in points, from which on a choice is an inaccuracy, a mistake, a blunder. Empty: not measured yet."
        ),
    ]
    unweighed: Annotated[list[int], Meta(description="The versions of choices for which no world could be imagined.")]


class ScopinionEntry(Struct, kw_only=True):
    """
    An event as a record has it: redacted for the viewer, with the hashes of the full event.

    A complete record has no hashes, because they follow from its events and the secret. An *append* is what one command
    added to the log, all or nothing.
    """

    at: Annotated[str, Meta(description="The time of the event (RFC 3339, UTC).")]
    by: Annotated[int, Meta(description="The seat whose choice caused it; null for the dealer and for players without a seat.")] | None
    event: Annotated[ScopinionEvent, Meta(description="The event, redacted for the viewer.")]
    more: Annotated[int, Meta(description="The number of events that follow in the same append; 0 on its last one.")]
    version: Annotated[int, Meta(description="The number of the event in its game, from 1.")]
    acting: (
        Annotated[
            list[int],
            Meta(description="The seats that have a choice after the event, rising; on the last event of an append."),
        ]
        | UnsetType
    ) = UNSET
    head: (
        Annotated[str, Meta(description="The hash of all events up to this one. 32 bytes in lower-case hex.")]
        | UnsetType
    ) = UNSET
    move: (
        Annotated[
            ScopinionMove,
            Meta(
                description="The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it."
            ),
        ]
        | UnsetType
    ) = UNSET
    public: (
        Annotated[str, Meta(description="The hash of what everybody may see of the event. 32 bytes in lower-case hex.")]
        | UnsetType
    ) = UNSET
    secret: Annotated[str, Meta(description="The hash of the whole event. 32 bytes in lower-case hex.")] | UnsetType = (
        UNSET
    )


class ScopinionGameRecord(Struct, kw_only=True):
    """
    All events of a game so far, and what a verifier needs.
    """

    commitment: Annotated[str, Meta(description="The hash of the secret that all deals follow from.")]
    deck: ScopinionDeck
    events: Annotated[
        list[ScopinionEntry],
        Meta(
            description="All events from the first one on, as the perspective sees them. The game's version is their number. In a\ncomplete record, the one with the secret, they have no hashes."
        ),
    ]
    format: Literal["stammtisch-record/1"]
    head: Annotated[str, Meta(description="The hash that covers all events of the record.")]
    id: Annotated[str, Meta(description="The id of the game.")]
    names: Annotated[
        dict[str, str],
        Meta(
            description="The display names of the opener and of the players at the seats, by id, as of the time of the download. Unproven: no hash covers them. Former players have none."
        ),
    ]
    options: ScopinionOptions
    parent: Annotated[Parent, Meta(description="The game that a branch continues; null: it is no branch.")] | None
    result: Annotated[Result, Meta(description="The final scores and the winners; null while the game runs and if it was aborted.")] | None
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules that this game is played by.")]
    ruleset: Annotated[str, Meta(description="The name of the ruleset.")]
    seats: Annotated[list[RecordedSeat], Meta(description="All seats, in their order.")]
    secret: Annotated[str, Meta(description="Null while the game runs, and in redacted records.")] | None


class ScoutEntry(Struct, kw_only=True):
    """
    An event as a record has it: redacted for the viewer, with the hashes of the full event.

    A complete record has no hashes, because they follow from its events and the secret. An *append* is what one command
    added to the log, all or nothing.
    """

    at: Annotated[str, Meta(description="The time of the event (RFC 3339, UTC).")]
    by: Annotated[int, Meta(description="The seat whose choice caused it; null for the dealer and for players without a seat.")] | None
    event: Annotated[ScoutEvent, Meta(description="The event, redacted for the viewer.")]
    more: Annotated[int, Meta(description="The number of events that follow in the same append; 0 on its last one.")]
    version: Annotated[int, Meta(description="The number of the event in its game, from 1.")]
    acting: (
        Annotated[
            list[int],
            Meta(description="The seats that have a choice after the event, rising; on the last event of an append."),
        ]
        | UnsetType
    ) = UNSET
    head: (
        Annotated[str, Meta(description="The hash of all events up to this one. 32 bytes in lower-case hex.")]
        | UnsetType
    ) = UNSET
    move: (
        Annotated[
            ScoutMove,
            Meta(
                description="The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it."
            ),
        ]
        | UnsetType
    ) = UNSET
    public: (
        Annotated[str, Meta(description="The hash of what everybody may see of the event. 32 bytes in lower-case hex.")]
        | UnsetType
    ) = UNSET
    secret: Annotated[str, Meta(description="The hash of the whole event. 32 bytes in lower-case hex.")] | UnsetType = (
        UNSET
    )


class ScoutGameRecord(Struct, kw_only=True):
    """
    All events of a game so far, and what a verifier needs.
    """

    commitment: Annotated[str, Meta(description="The hash of the secret that all deals follow from.")]
    deck: ScoutDeck
    events: Annotated[
        list[ScoutEntry],
        Meta(
            description="All events from the first one on, as the perspective sees them. The game's version is their number. In a\ncomplete record, the one with the secret, they have no hashes."
        ),
    ]
    format: Literal["stammtisch-record/1"]
    head: Annotated[str, Meta(description="The hash that covers all events of the record.")]
    id: Annotated[str, Meta(description="The id of the game.")]
    names: Annotated[
        dict[str, str],
        Meta(
            description="The display names of the opener and of the players at the seats, by id, as of the time of the download. Unproven: no hash covers them. Former players have none."
        ),
    ]
    options: ScoutOptions
    parent: Annotated[Parent, Meta(description="The game that a branch continues; null: it is no branch.")] | None
    result: Annotated[Result, Meta(description="The final scores and the winners; null while the game runs and if it was aborted.")] | None
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules that this game is played by.")]
    ruleset: Annotated[str, Meta(description="The name of the ruleset.")]
    seats: Annotated[list[RecordedSeat], Meta(description="All seats, in their order.")]
    secret: Annotated[str, Meta(description="Null while the game runs, and in redacted records.")] | None


class SkyjoActionEntry(Struct, kw_only=True):
    """
    An event as a record has it: redacted for the viewer, with the hashes of the full event.

    A complete record has no hashes, because they follow from its events and the secret. An *append* is what one command
    added to the log, all or nothing.
    """

    at: Annotated[str, Meta(description="The time of the event (RFC 3339, UTC).")]
    by: Annotated[int, Meta(description="The seat whose choice caused it; null for the dealer and for players without a seat.")] | None
    event: Annotated[SkyjoActionEvent, Meta(description="The event, redacted for the viewer.")]
    more: Annotated[int, Meta(description="The number of events that follow in the same append; 0 on its last one.")]
    version: Annotated[int, Meta(description="The number of the event in its game, from 1.")]
    acting: (
        Annotated[
            list[int],
            Meta(description="The seats that have a choice after the event, rising; on the last event of an append."),
        ]
        | UnsetType
    ) = UNSET
    head: (
        Annotated[str, Meta(description="The hash of all events up to this one. 32 bytes in lower-case hex.")]
        | UnsetType
    ) = UNSET
    move: (
        Annotated[
            SkyjoActionMove,
            Meta(
                description="The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it."
            ),
        ]
        | UnsetType
    ) = UNSET
    public: (
        Annotated[str, Meta(description="The hash of what everybody may see of the event. 32 bytes in lower-case hex.")]
        | UnsetType
    ) = UNSET
    secret: Annotated[str, Meta(description="The hash of the whole event. 32 bytes in lower-case hex.")] | UnsetType = (
        UNSET
    )


class SkyjoActionGameRecord(Struct, kw_only=True):
    """
    All events of a game so far, and what a verifier needs.
    """

    commitment: Annotated[str, Meta(description="The hash of the secret that all deals follow from.")]
    deck: SkyjoActionDeck
    events: Annotated[
        list[SkyjoActionEntry],
        Meta(
            description="All events from the first one on, as the perspective sees them. The game's version is their number. In a\ncomplete record, the one with the secret, they have no hashes."
        ),
    ]
    format: Literal["stammtisch-record/1"]
    head: Annotated[str, Meta(description="The hash that covers all events of the record.")]
    id: Annotated[str, Meta(description="The id of the game.")]
    names: Annotated[
        dict[str, str],
        Meta(
            description="The display names of the opener and of the players at the seats, by id, as of the time of the download. Unproven: no hash covers them. Former players have none."
        ),
    ]
    options: SkyjoActionOptions
    parent: Annotated[Parent, Meta(description="The game that a branch continues; null: it is no branch.")] | None
    result: Annotated[Result, Meta(description="The final scores and the winners; null while the game runs and if it was aborted.")] | None
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules that this game is played by.")]
    ruleset: Annotated[str, Meta(description="The name of the ruleset.")]
    seats: Annotated[list[RecordedSeat], Meta(description="All seats, in their order.")]
    secret: Annotated[str, Meta(description="Null while the game runs, and in redacted records.")] | None


class SkyjoEntry(Struct, kw_only=True):
    """
    An event as a record has it: redacted for the viewer, with the hashes of the full event.

    A complete record has no hashes, because they follow from its events and the secret. An *append* is what one command
    added to the log, all or nothing.
    """

    at: Annotated[str, Meta(description="The time of the event (RFC 3339, UTC).")]
    by: Annotated[int, Meta(description="The seat whose choice caused it; null for the dealer and for players without a seat.")] | None
    event: Annotated[SkyjoEvent, Meta(description="The event, redacted for the viewer.")]
    more: Annotated[int, Meta(description="The number of events that follow in the same append; 0 on its last one.")]
    version: Annotated[int, Meta(description="The number of the event in its game, from 1.")]
    acting: (
        Annotated[
            list[int],
            Meta(description="The seats that have a choice after the event, rising; on the last event of an append."),
        ]
        | UnsetType
    ) = UNSET
    head: (
        Annotated[str, Meta(description="The hash of all events up to this one. 32 bytes in lower-case hex.")]
        | UnsetType
    ) = UNSET
    move: (
        Annotated[
            SkyjoMove,
            Meta(
                description="The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it."
            ),
        ]
        | UnsetType
    ) = UNSET
    public: (
        Annotated[str, Meta(description="The hash of what everybody may see of the event. 32 bytes in lower-case hex.")]
        | UnsetType
    ) = UNSET
    secret: Annotated[str, Meta(description="The hash of the whole event. 32 bytes in lower-case hex.")] | UnsetType = (
        UNSET
    )


class SkyjoGameRecord(Struct, kw_only=True):
    """
    All events of a game so far, and what a verifier needs.
    """

    commitment: Annotated[str, Meta(description="The hash of the secret that all deals follow from.")]
    deck: SkyjoDeck
    events: Annotated[
        list[SkyjoEntry],
        Meta(
            description="All events from the first one on, as the perspective sees them. The game's version is their number. In a\ncomplete record, the one with the secret, they have no hashes."
        ),
    ]
    format: Literal["stammtisch-record/1"]
    head: Annotated[str, Meta(description="The hash that covers all events of the record.")]
    id: Annotated[str, Meta(description="The id of the game.")]
    names: Annotated[
        dict[str, str],
        Meta(
            description="The display names of the opener and of the players at the seats, by id, as of the time of the download. Unproven: no hash covers them. Former players have none."
        ),
    ]
    options: SkyjoOptions
    parent: Annotated[Parent, Meta(description="The game that a branch continues; null: it is no branch.")] | None
    result: Annotated[Result, Meta(description="The final scores and the winners; null while the game runs and if it was aborted.")] | None
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules that this game is played by.")]
    ruleset: Annotated[str, Meta(description="The name of the ruleset.")]
    seats: Annotated[list[RecordedSeat], Meta(description="All seats, in their order.")]
    secret: Annotated[str, Meta(description="Null while the game runs, and in redacted records.")] | None


class ScandaroonDeck(Struct, kw_only=True):
    """
    The cards in the canonical order, and the outcome of an action stone for each symbol.
    """

    cards: Annotated[list[ScandaroonFace], Meta(description="All cards, each with an id of its own.")]
    name: Annotated[str, Meta(description="It selects the deck when a game is opened.")]
    provenance: Annotated[str, Meta(description="The source of the list of cards.")]
    ruleset: Annotated[str, Meta(description="The ruleset that the deck is for.")]
    stone: Annotated[
        dict[str, ScandaroonOutcome],
        Meta(description="The effect of an action stone, by the symbol of the discarded card."),
    ]
    licence: (
        Annotated[
            str,
            Meta(
                description="The licence of these data, which records contain: an SPDX expression, `LicenseRef-` for others."
            ),
        ]
        | UnsetType
    ) = UNSET


class ScandaroonOpenedEvent(Struct, kw_only=True, tag_field="type", tag="opened"):
    """
    The terms of the game, and the secret from which all deals follow.
    """

    commitment: Annotated[
        str, Meta(description="The hash of the secret, which all deals follow from. 32 bytes in lower-case hex.")
    ]
    deck: Annotated[ScandaroonDeck, Meta(description="The whole deck, so that the record needs nothing else.")]
    description: Annotated[
        str, Meta(description="The hash of the published description of these rules. 32 bytes in lower-case hex.")
    ]
    hotseat: Annotated[bool, Meta(description="True: the opener plays all seats.")]
    opener: Annotated[
        str,
        Meta(
            description="The player who opened the game. They need not have a seat. The id of a player: a guest's UUID, or `namespace:sub`."
        ),
    ]
    options: Annotated[ScandaroonOptions, Meta(description="The options of the ruleset, all of them.")]
    private: Annotated[
        bool, Meta(description="True: only players and those who have the invitation code can see the game.")
    ]
    protocol: Annotated[Literal["stammtisch/1"], Meta(description="The fairness protocol that the game follows.")]
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules, `NAME/N`.")]
    ruleset: Annotated[str, Meta(description="The name of the ruleset.")]
    seats: Annotated[int, Meta(description="The number of seats.")]
    secret: Annotated[str, Meta(description="The secret that all deals follow from. Null for everybody until the game is over.")] | None
    absent: (
        Annotated[
            Absent,
            Meta(
                description="The bot that goes on when a player leaves the running game, or `abort`. Absent: they cannot leave."
            ),
        ]
        | UnsetType
    ) = UNSET
    clock: Annotated[Clock, Meta(description="The time for choices. Absent: it is not limited.")] | UnsetType = UNSET
    deal: Annotated[Deal, Meta(description="The deal that the game has in common with others.")] | UnsetType = UNSET
    hints: (
        Annotated[
            bool, Meta(description="True: the player, who is alone with bots, can ask for hints. Absent: nobody can.")
        ]
        | UnsetType
    ) = UNSET
    longest: (
        Annotated[
            int, Meta(description="A game that is not over after this number of events is aborted. Absent: no limit.")
        ]
        | UnsetType
    ) = UNSET
    parent: Parent | UnsetType = UNSET
    places: Annotated[list[SeatTerms], Meta(description="By seat. Absent: all are open.")] | UnsetType = UNSET
    puzzles: (
        Annotated[
            bool,
            Meta(
                description="True: positions of the game may become puzzles, without names. Players agree by sitting down. Absent: they may not."
            ),
        ]
        | UnsetType
    ) = UNSET
    rematch_of: Annotated[str, Meta(description="The id of the game that this one repeats.")] | UnsetType = UNSET
    sealed: Annotated[bool, Meta(description="True: entropies are sealed. Absent: they are not.")] | UnsetType = UNSET
    undo: (
        Annotated[
            Undo,
            Meta(
                description="The moves that can be taken back: those that revealed nothing (`free`), or also others if all players agree (`agreed`). Absent: none."
            ),
        ]
        | UnsetType
    ) = UNSET


class ScopinionFilm(Struct, kw_only=True):
    """
    A finished game with its views from every perspective, for programs that know no rules.

    Only the record is proven by its hashes. The rest follows from the record by the rules.
    """

    captions: Annotated[Captions, Meta(description="The effects of the cards of the deck.")]
    format: Literal["stammtisch-film/1"]
    perspectives: Annotated[
        dict[str, list[ScopinionStep]],
        Meta(
            description="By perspective (`all`, `bystander`, and the number of each seat), one step for each event of the record. Before the first step the view is null."
        ),
    ]
    record: Annotated[ScopinionGameRecord, Meta(description="The record that the film was made of.")]
    ruleset: Annotated[
        Ruleset,
        Meta(description="The ruleset as `GET /v1/rulesets/NAME` describes it, so that the film needs no service."),
    ]


class ScoutFilm(Struct, kw_only=True):
    """
    A finished game with its views from every perspective, for programs that know no rules.

    Only the record is proven by its hashes. The rest follows from the record by the rules.
    """

    captions: Annotated[Captions, Meta(description="The effects of the cards of the deck.")]
    format: Literal["stammtisch-film/1"]
    perspectives: Annotated[
        dict[str, list[ScoutStep]],
        Meta(
            description="By perspective (`all`, `bystander`, and the number of each seat), one step for each event of the record. Before the first step the view is null."
        ),
    ]
    record: Annotated[ScoutGameRecord, Meta(description="The record that the film was made of.")]
    ruleset: Annotated[
        Ruleset,
        Meta(description="The ruleset as `GET /v1/rulesets/NAME` describes it, so that the film needs no service."),
    ]


class SkyjoActionFilm(Struct, kw_only=True):
    """
    A finished game with its views from every perspective, for programs that know no rules.

    Only the record is proven by its hashes. The rest follows from the record by the rules.
    """

    captions: Annotated[Captions, Meta(description="The effects of the cards of the deck.")]
    format: Literal["stammtisch-film/1"]
    perspectives: Annotated[
        dict[str, list[SkyjoActionStep]],
        Meta(
            description="By perspective (`all`, `bystander`, and the number of each seat), one step for each event of the record. Before the first step the view is null."
        ),
    ]
    record: Annotated[SkyjoActionGameRecord, Meta(description="The record that the film was made of.")]
    ruleset: Annotated[
        Ruleset,
        Meta(description="The ruleset as `GET /v1/rulesets/NAME` describes it, so that the film needs no service."),
    ]


class SkyjoFilm(Struct, kw_only=True):
    """
    A finished game with its views from every perspective, for programs that know no rules.

    Only the record is proven by its hashes. The rest follows from the record by the rules.
    """

    captions: Annotated[Captions, Meta(description="The effects of the cards of the deck.")]
    format: Literal["stammtisch-film/1"]
    perspectives: Annotated[
        dict[str, list[SkyjoStep]],
        Meta(
            description="By perspective (`all`, `bystander`, and the number of each seat), one step for each event of the record. Before the first step the view is null."
        ),
    ]
    record: Annotated[SkyjoGameRecord, Meta(description="The record that the film was made of.")]
    ruleset: Annotated[
        Ruleset,
        Meta(description="The ruleset as `GET /v1/rulesets/NAME` describes it, so that the film needs no service."),
    ]


ScandaroonEvent: TypeAlias = ScandaroonOpenedEvent | JoinedEvent | LeftEvent | DeclinedEvent | ReadiedEvent | BegunEvent | GoneEvent | RejoinedEvent | GrantedEvent | ResumedEvent | VotedEvent | TakenBackEvent | HintedEvent | EndedEvent | AbortedEvent | RevealedEvent | ScandaroonPreparedEvent | ScandaroonReshuffledEvent | ScandaroonHandsDealtEvent | ScandaroonTrumpRevealedEvent | ScandaroonTrumpFlippedEvent | ScandaroonTurnBeganEvent | ScandaroonPlayedEvent | ScandaroonUsedEvent | ScandaroonTargetedEvent | ScandaroonRemovedEvent | ScandaroonBoostedEvent | ScandaroonSwappedEvent | ScandaroonShiftedEvent | ScandaroonTrumpChangedEvent | ScandaroonDrawnEvent | ScandaroonReturnedEvent | ScandaroonSpentEvent | ScandaroonStonePlayedEvent | ScandaroonExchangedEvent | ScandaroonProtectedEvent | ScandaroonStolenEvent | ScandaroonPassedEvent | ScandaroonRoundScoredEvent | ScandaroonTableClearedEvent | ScandaroonWonEvent


class ScandaroonEventItem(Struct, kw_only=True):
    """
    An event in a page or stream.
    """

    at: Annotated[str, Meta(description="The time of the event (RFC 3339, UTC).")]
    by: Annotated[int, Meta(description="The seat whose choice caused it; null for the dealer and for players without a seat.")] | None
    event: Annotated[ScandaroonEvent, Meta(description="The event, redacted for the viewer.")]
    head: Annotated[str, Meta(description="The hash of all events up to this one. 32 bytes in lower-case hex.")]
    more: Annotated[int, Meta(description="The number of events that follow in the same append; 0 on its last one.")]
    public: Annotated[
        str, Meta(description="The hash of what everybody may see of the event. 32 bytes in lower-case hex.")
    ]
    secret: Annotated[str, Meta(description="The hash of the whole event. 32 bytes in lower-case hex.")]
    version: Annotated[int, Meta(description="The number of the event in its game, from 1.")]
    acting: (
        Annotated[
            list[int],
            Meta(description="The seats that have a choice after the event, rising; on the last event of an append."),
        ]
        | UnsetType
    ) = UNSET
    move: (
        Annotated[
            ScandaroonMove,
            Meta(
                description="The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it."
            ),
        ]
        | UnsetType
    ) = UNSET
    patch: (
        Annotated[
            list[Patch],
            Meta(
                description="The JSON Patch (RFC 6902), with `with=patch`, from the `view` of the version before to that of this version. Absent otherwise."
            ),
        ]
        | UnsetType
    ) = UNSET
    tally: (
        Annotated[
            Tally,
            Meta(description="The points that the cards count at this version, with `with=tally`, if they differ from those at the version before; null before the game begins. Absent otherwise."),
        ]
        | None
        | UnsetType
    ) = UNSET


class ScandaroonEventItemPage(Struct, kw_only=True):
    """
    A page of a list. `next` is the URL of the next page, or null on the last one.
    """

    items: Annotated[list[ScandaroonEventItem], Meta(description="The items in order.")]
    next: Annotated[str, Meta(description="The URL of the next page; null on the last one.")] | None


class ScandaroonHashed(Struct, kw_only=True):
    """
    An event as it is served: redacted for the viewer, with the hashes of the full event.
    """

    at: Annotated[str, Meta(description="The time of the event (RFC 3339, UTC).")]
    by: Annotated[int, Meta(description="The seat whose choice caused it; null for the dealer and for players without a seat.")] | None
    event: Annotated[ScandaroonEvent, Meta(description="The event, redacted for the viewer.")]
    head: Annotated[str, Meta(description="The hash of all events up to this one. 32 bytes in lower-case hex.")]
    more: Annotated[int, Meta(description="The number of events that follow in the same append; 0 on its last one.")]
    public: Annotated[
        str, Meta(description="The hash of what everybody may see of the event. 32 bytes in lower-case hex.")
    ]
    secret: Annotated[str, Meta(description="The hash of the whole event. 32 bytes in lower-case hex.")]
    version: Annotated[int, Meta(description="The number of the event in its game, from 1.")]
    acting: (
        Annotated[
            list[int],
            Meta(description="The seats that have a choice after the event, rising; on the last event of an append."),
        ]
        | UnsetType
    ) = UNSET
    move: (
        Annotated[
            ScandaroonMove,
            Meta(
                description="The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it."
            ),
        ]
        | UnsetType
    ) = UNSET


class ScandaroonMoved(Struct, kw_only=True):
    """
    The result of a move: its events as the mover may see them, and the game after it unless `Prefer: return=minimal`
    was sent.
    """

    events: Annotated[list[ScandaroonHashed], Meta(description="The events of the move, as the mover may see them.")]
    head: Annotated[str, Meta(description="The hash of all events up to this version. 32 bytes in lower-case hex.")]
    version: Annotated[int, Meta(description="The number of events after the move.")]
    game: (
        Annotated[ScandaroonGame, Meta(description="The game after the move. Absent with `Prefer: return=minimal`.")]
        | UnsetType
    ) = UNSET


class ScandaroonStaleDecisionProblem(Struct, kw_only=True):
    """
    The caller's choice has changed since the version in `If-Match`. `missed` lists the first
    events since that version, at most 32.
    """

    missed: Annotated[
        list[ScandaroonHashed],
        Meta(
            description="The first events since the version in `If-Match`, at most 32. `GET .../events` has the others."
        ),
    ]
    status: Annotated[Literal[412], Meta(description="The status code of the response.")]
    title: Annotated[str, Meta(description="A title, the same for every problem of this type.")]
    type: Literal["stale-decision"]
    version: Annotated[int, Meta(description="The number of events so far.")]
    detail: Annotated[str, Meta(description="An explanation of this case.")] | UnsetType = UNSET


class ScandaroonStep(Struct, kw_only=True):
    """
    An event of the record, as it looks from a perspective.
    """

    patch: Annotated[
        list[Patch], Meta(description="JSON Patch (RFC 6902) from the view before the event to the one after.")
    ]
    event: (
        Annotated[
            ScandaroonEvent,
            Meta(
                description="The event as the perspective sees it. Absent if that is the whole event, as in the record."
            ),
        ]
        | UnsetType
    ) = UNSET
    tally: (
        Annotated[
            Tally,
            Meta(description="The points that the cards count after the event. Absent if it has not changed."),
        ]
        | None
        | UnsetType
    ) = UNSET


class ScandaroonEntry(Struct, kw_only=True):
    """
    An event as a record has it: redacted for the viewer, with the hashes of the full event.

    A complete record has no hashes, because they follow from its events and the secret. An *append* is what one command
    added to the log, all or nothing.
    """

    at: Annotated[str, Meta(description="The time of the event (RFC 3339, UTC).")]
    by: Annotated[int, Meta(description="The seat whose choice caused it; null for the dealer and for players without a seat.")] | None
    event: Annotated[ScandaroonEvent, Meta(description="The event, redacted for the viewer.")]
    more: Annotated[int, Meta(description="The number of events that follow in the same append; 0 on its last one.")]
    version: Annotated[int, Meta(description="The number of the event in its game, from 1.")]
    acting: (
        Annotated[
            list[int],
            Meta(description="The seats that have a choice after the event, rising; on the last event of an append."),
        ]
        | UnsetType
    ) = UNSET
    head: (
        Annotated[str, Meta(description="The hash of all events up to this one. 32 bytes in lower-case hex.")]
        | UnsetType
    ) = UNSET
    move: (
        Annotated[
            ScandaroonMove,
            Meta(
                description="The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it."
            ),
        ]
        | UnsetType
    ) = UNSET
    public: (
        Annotated[str, Meta(description="The hash of what everybody may see of the event. 32 bytes in lower-case hex.")]
        | UnsetType
    ) = UNSET
    secret: Annotated[str, Meta(description="The hash of the whole event. 32 bytes in lower-case hex.")] | UnsetType = (
        UNSET
    )


class ScandaroonGameRecord(Struct, kw_only=True):
    """
    All events of a game so far, and what a verifier needs.
    """

    commitment: Annotated[str, Meta(description="The hash of the secret that all deals follow from.")]
    deck: ScandaroonDeck
    events: Annotated[
        list[ScandaroonEntry],
        Meta(
            description="All events from the first one on, as the perspective sees them. The game's version is their number. In a\ncomplete record, the one with the secret, they have no hashes."
        ),
    ]
    format: Literal["stammtisch-record/1"]
    head: Annotated[str, Meta(description="The hash that covers all events of the record.")]
    id: Annotated[str, Meta(description="The id of the game.")]
    names: Annotated[
        dict[str, str],
        Meta(
            description="The display names of the opener and of the players at the seats, by id, as of the time of the download. Unproven: no hash covers them. Former players have none."
        ),
    ]
    options: ScandaroonOptions
    parent: Annotated[Parent, Meta(description="The game that a branch continues; null: it is no branch.")] | None
    result: Annotated[Result, Meta(description="The final scores and the winners; null while the game runs and if it was aborted.")] | None
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules that this game is played by.")]
    ruleset: Annotated[str, Meta(description="The name of the ruleset.")]
    seats: Annotated[list[RecordedSeat], Meta(description="All seats, in their order.")]
    secret: Annotated[str, Meta(description="Null while the game runs, and in redacted records.")] | None


class ScandaroonFilm(Struct, kw_only=True):
    """
    A finished game with its views from every perspective, for programs that know no rules.

    Only the record is proven by its hashes. The rest follows from the record by the rules.
    """

    captions: Annotated[Captions, Meta(description="The effects of the cards of the deck.")]
    format: Literal["stammtisch-film/1"]
    perspectives: Annotated[
        dict[str, list[ScandaroonStep]],
        Meta(
            description="By perspective (`all`, `bystander`, and the number of each seat), one step for each event of the record. Before the first step the view is null."
        ),
    ]
    record: Annotated[ScandaroonGameRecord, Meta(description="The record that the film was made of.")]
    ruleset: Annotated[
        Ruleset,
        Meta(description="The ruleset as `GET /v1/rulesets/NAME` describes it, so that the film needs no service."),
    ]
