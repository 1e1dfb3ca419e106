// Generated from openapi/openapi.json by `python -m clients.build`. Do not edit.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The game is over without a result. `cause` is absent for `left`: the last player left before it began. */
        AbortedEvent: {
            /** @description Default: `"left"`. */
            cause?: components["schemas"]["Cause"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "aborted";
            /** @description The seats that did not ready, in a sealed game that expired although all seats were taken. Absent otherwise. */
            unready?: number[];
        };
        Absent: string | "abort";
        /**
         * @description The points of a seat by their causes, in a round or in the game: `result = luck + errors + finds + others`.
         *
         *     All in points ahead of the mean of the other seats, in tenths that add up.
         */
        Account: {
            /** @description The standard error of `luck`, of the effects that count: smaller ones, which may be chance, stay in luck. */
            error: number;
            /** @description Own choices that are worse than those of the house player. */
            errors: number;
            /** @description Own choices that are better than those of the house player. */
            finds: number;
            /** @description Deals and draws. */
            luck: number;
            /** @description The choices of others. */
            others: number;
            /** @description The points ahead of the mean of the other seats. */
            result: number;
        };
        /**
         * @description Insert the value into the array at `path`, before the item that has this index now. `path` ends with the index,
         *     which may be the length of the array.
         */
        AddOperation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            op: "add";
            /** @description A JSON Pointer into the view; empty: the whole view. */
            path: string;
            /** @description The new item. */
            value: unknown;
        };
        /** @description The choice of a house player for a seat, from what that seat sees. */
        Advice: {
            /** @description The move, which can be posted unchanged; null if the seat has no choice now. */
            move: components["schemas"]["GameMove"] | null;
            /** @description The seat that is to choose. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The number of events so far. */
            version: number;
        };
        /** @description The caller already has a seat in this game. */
        AlreadySeatedProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "already-seated";
        };
        /**
         * @description The result of verifying the stored log with the secret. When the game is over, clients can run the same checks
         *     with the record.
         */
        Audit: {
            /** @description All checks, in the order in which they ran. */
            checks: components["schemas"]["CheckResult"][];
            /** @description The head of the last verified event; null if the log cannot be read. */
            head: string | null;
            /** @description The id of the game. */
            id: string;
            /** @description True if every check ran and succeeded. */
            ok: boolean;
            /** @description The name of the ruleset. */
            ruleset: string;
            /** @description The number of verified events. */
            version: number;
        };
        /** @description The operator of the service has banned the player of the token. */
        BannedProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 403;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "banned";
        };
        /** @description All seats are taken; the game begins. */
        BegunEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "begun";
        };
        /** @description A player at this table has blocked the caller. */
        BlockedByPlayerProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 403;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "blocked-by-player";
        };
        /** @description The players whom the caller has blocked. */
        Blocks: {
            /** @description By id. There is one page. */
            items: components["schemas"]["Player"][];
        };
        /** @description The name of a bot, and a description of its play. */
        BotLabel: {
            /** @description A description of its play, in a sentence or two. */
            about: string;
            /** @description The bot's name in this language. */
            title: string;
        };
        /** @description The version of a finished game from which a branch continues. */
        BranchRequest: {
            /** @description A version of the finished game. If it lies within a move, the branch starts after that move. */
            at: number;
        };
        /** @description The game has no clock, or the seat cannot be given this time. `most` is what it can be given now, in seconds. */
        CannotGiveTimeProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /** @description The time that the seat can be given now, in seconds; 0 without a clock. */
            most: number;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "cannot-give-time";
        };
        /** @description The game is not sealed, a seat is free, the caller is ready, or the entropy is not the one that they sealed. */
        CannotReadyProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "cannot-ready";
        };
        /** @description The caller has left the seat for good: it is too often to come back. */
        CannotReturnProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "cannot-return";
        };
        /** @description Another question is open, there is none, or the caller has agreed or asked often enough. `detail` says which. */
        CannotVoteProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "cannot-vote";
        };
        /** @description The effects of cards, in each language by the card as views name it. Cards that need no words are left out. */
        Captions: {
            /** @description Texts in German, by card. */
            de: {
                [key: string]: string;
            };
            /** @description Texts in English, by card. */
            en: {
                [key: string]: string;
            };
        };
        /** @enum {string} */
        Category: "blunder" | "inaccuracy" | "mistake";
        /** @enum {string} */
        Cause: "absent" | "agreed" | "cancelled" | "expired" | "left" | "longest" | "operator";
        /** @description The fields to change. Another `url` is pinged before it receives events, and so is one that is enabled again. */
        ChangedWebhook: {
            /** @description Seconds after which `game.your_turn` is delivered, if the player still has the same choice. */
            after?: number;
            /** @description True: the webhook delivers. */
            enabled?: boolean;
            /** @description The events that are delivered. */
            types?: components["schemas"]["WebhookEvent"][];
            /** @description The URL of the receiver: `https`, a public domain name, port 443 or 1024 and higher, no user. */
            url?: string;
        };
        /** @description The result of one check. `ok` is null if it could not run; `version` is the first version with an error. */
        CheckResult: {
            /** @description Details of the result. Present only when the game is over. */
            detail?: string;
            /** @description The name of the check, as in the table of the documentation. */
            name: string;
            /** @description True: the check succeeded; null: it could not run. */
            ok: boolean | null;
            /** @description The version of the first event with an error; null if there is none, or if no event is to blame. */
            version: number | null;
        };
        /** @description A choice of a player between several legal moves, weighed in worlds that its seat could imagine. */
        Choice: {
            /** @description The house player might have made the same move. */
            as_house: boolean;
            best?: components["schemas"]["GameMove"];
            /** @description The category of the least that the choice has cost with nine chances in ten. Absent: too close to tell. */
            category?: components["schemas"]["Category"];
            /** @description The standard error of `loss`; the range of 95 % is `loss` ± 1.96 times this. */
            error: number;
            /** @description The result that the seat could expect before, in points ahead. */
            expected: number;
            /** @description The player had a hint. */
            hinted: boolean;
            /**
             * @description The points by which that move is better. It may be chance: see `error`. Without `best` it is 0 and was not
             *     measured.
             */
            loss: number;
            made: components["schemas"]["GameMove"];
            /** @description The loss was measured in worlds that neither the best move nor the choice was picked by. */
            refined: boolean;
            /** @description Rounds are numbered from 0. */
            round: number;
            /** @description The seat that chose. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The version of the first event that it caused. The choice was made at the version before. */
            version: number;
            /** @description The number of worlds in which `loss` was measured. */
            worlds: number;
        };
        /** @description The time for choices, in whole seconds. Each seat has its own, which runs while the seat has a choice. */
        Clock: {
            /** @description The time of a seat at the beginning, and at most. */
            bank: number;
            /** @description Seconds of each choice that take no time. */
            delay: number;
            /** @description Added to the bank after each choice, up to its maximum. */
            increment: number;
            /** @description Used when the bank is empty, and never refilled by choices. */
            reserve: number;
        };
        /** @description The time for choices, in whole seconds. Each seat has its own, which runs while the seat has a choice. */
        ClockInput: {
            /** @description The time of a seat at the beginning, and at most. */
            bank: number;
            /** @description Seconds of each choice that take no time. Default: `0`. */
            delay?: number;
            /** @description Added to the bank after each choice, up to its maximum. Default: `0`. */
            increment?: number;
            /** @description Used when the bank is empty, and never refilled by choices. Default: `0`. */
            reserve?: number;
        };
        /** @description The result of a seat beside those of the same seat at the other tables. */
        Compared: {
            /** @description Match points: the share of the others who have fewer points, ties count half. 0 without a result, null while nobody else has one. */
            ahead_of: number | null;
            /** @description The number of results, the own one included. */
            field: number;
            /** @description The points less the mean of the others; null while nobody else has a result. */
            gained: number | null;
            /** @description The place among all results from 1; ties share the better one. Seats without a result come after them. */
            place: number;
            /** @description The own points, more is better; null without a result. */
            points: number | null;
        };
        /**
         * @description A position of a finished game whose players agreed, with one move that is clearly the best. It names neither the
         *     game nor the players.
         */
        DailyPuzzle: {
            /** @description The day of the puzzle in UTC, `2026-01-31`. Moves are posted to it. */
            day: string;
            /** @description The name of the deck. */
            deck: string;
            /** @description All legal moves. Each can be posted unchanged. */
            legal_moves: components["schemas"]["GameMove"][];
            options: components["schemas"]["GameOptions"];
            /** @description The ruleset and the version of its rules. */
            rules: string;
            /** @description The name of the ruleset. */
            ruleset: string;
            /** @description The seat that is to choose. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The number of seats. */
            seats: number;
            view: components["schemas"]["GameView"];
        };
        /**
         * @description Games of one deal have the same secret and so the same cards. Their cards stay hidden until all of them are over,
         *     or until `until`.
         */
        Deal: {
            /** @description The id of the deal: that of its first game, or any other UUID. */
            id: string;
            /** @description The number of games of the deal. Absent: any number. */
            tables?: number;
            /** @description The time at which all games of the deal are over at the latest (RFC 3339, UTC, six decimals). */
            until: string;
        };
        /** @enum {string} */
        DealList: "bots" | "guests" | "people";
        /** @description The deals of the last seven days. */
        DealWeek: {
            /** @description The mean of the match points; null if nobody else has a result. */
            ahead_of: number | null;
            /** @description The number of days that were played. */
            days: number;
        };
        /** @description The name of a deck and the source of its card list. */
        DeckNamed: {
            /** @description The name of the deck. */
            name: string;
            /** @description The source of its list of cards. */
            provenance: string;
        };
        /** @description The player for whom the seat was kept does not want it. From now on it is open to everybody. */
        DeclinedEvent: {
            /** @description The seat that was kept. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "declined";
        };
        /** @enum {string} */
        DeliveryStatus: "dead" | "delivered" | "pending";
        /** @description The data with which a verifier checks chance and hidden fields without the rules. */
        Description: {
            /** @description By event of the dealer: what is drawn for it, in this order. */
            draws: {
                [key: string]: components["schemas"]["Drawing"][];
            };
            /** @description By the type of an event of the ruleset: its fields, sorted. */
            events: {
                [key: string]: string[];
            };
            /** @constant */
            format: "stammtisch-rules/1";
            /** @description By event: the fields that a bystander does not see, and the number of nested lists around what is null then. */
            hidden: {
                [key: string]: {
                    [key: string]: number;
                };
            };
            /** @description By the type of a move: its fields, sorted. */
            moves: {
                [key: string]: string[];
            };
            /** @description The ruleset and the version of its rules, `NAME/N`. */
            rules: string;
            /** @description The smallest and the largest number of seats. */
            seats: number[];
        };
        /** @enum {string} */
        Difficulty: "easy" | "medium" | "tricky";
        /** @description A draw of the dealer, as its event shows it. `{seat}` in a path repeats the draw for each seat, rising. */
        Drawing: {
            /** @description The field of the event that a lot decides. */
            at?: string;
            /** @description The number of outcomes of a lot. */
            below?: number | "seats";
            /** @description The paths to the cards of a shuffle, in the order after it; `*` is each item of a list. */
            shuffle?: string[];
            /** @description True: then a lot is drawn for each card, and 1 turns it around. */
            turned?: boolean;
        };
        /** @description The game has a result. */
        EndedEvent: {
            /** @description The final scores and the winners. */
            result: components["schemas"]["Result"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ended";
        };
        /**
         * @description The service sends nothing to this URL, or the address did not answer a ping. The problem never says what
         *     answered.
         */
        EndpointRefusedProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 422;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "endpoint-refused";
        };
        /** @description The entropy that the caller sealed when they took their seat. */
        EntropyRequest: {
            /** @description The contribution of a seat to the shuffles: up to 64 printable ASCII characters, public. */
            entropy: string;
        };
        /**
         * @description An event as a record has it: redacted for the viewer, with the hashes of the full event.
         *
         *     A complete record has no hashes, because they follow from its events and the secret. An *append* is what one command
         *     added to the log, all or nothing.
         */
        Entry: {
            /** @description The seats that have a choice after the event, rising; on the last event of an append. */
            acting?: number[];
            /** @description The time of the event (RFC 3339, UTC). */
            at: string;
            /** @description The seat whose choice caused it; null for the dealer and for players without a seat. */
            by: number | null;
            event: components["schemas"]["GameEvent"];
            /** @description The hash of all events up to this one. 32 bytes in lower-case hex. */
            head?: string;
            /** @description The number of events that follow in the same append; 0 on its last one. */
            more: number;
            move?: components["schemas"]["GameMove"];
            /** @description The hash of what everybody may see of the event. 32 bytes in lower-case hex. */
            public?: string;
            /** @description The hash of the whole event. 32 bytes in lower-case hex. */
            secret?: string;
            /** @description The number of the event in its game, from 1. */
            version: number;
        };
        /** @description An event in a page or stream. */
        EventItem: {
            /** @description The seats that have a choice after the event, rising; on the last event of an append. */
            acting?: number[];
            /** @description The time of the event (RFC 3339, UTC). */
            at: string;
            /** @description The seat whose choice caused it; null for the dealer and for players without a seat. */
            by: number | null;
            event: components["schemas"]["GameEvent"];
            /** @description The hash of all events up to this one. 32 bytes in lower-case hex. */
            head: string;
            /** @description The number of events that follow in the same append; 0 on its last one. */
            more: number;
            move?: components["schemas"]["GameMove"];
            /** @description The JSON Patch (RFC 6902), with `with=patch`, from the `view` of the version before to that of this version. Absent otherwise. */
            patch?: (components["schemas"]["AddOperation"] | components["schemas"]["RemoveOperation"] | components["schemas"]["ReplaceOperation"])[];
            /** @description The hash of what everybody may see of the event. 32 bytes in lower-case hex. */
            public: string;
            /** @description The hash of the whole event. 32 bytes in lower-case hex. */
            secret: string;
            /** @description The points that the cards count at this version, with `with=tally`, if they differ from those at the version before; null before the game begins. Absent otherwise. */
            tally?: components["schemas"]["Tally"] | null;
            /** @description The number of the event in its game, from 1. */
            version: number;
        };
        /** @description A page of a list. `next` is the URL of the next page, or null on the last one. */
        EventItemPage: {
            /** @description The items in order. */
            items: components["schemas"]["EventItem"][];
            /** @description The URL of the next page; null on the last one. */
            next: string | null;
        };
        /** @description The rules of a game for people and for language models, by language. */
        Explained: {
            de: components["schemas"]["ExplainedRules"];
            en: components["schemas"]["ExplainedRules"];
        };
        /** @description A card of the deck. */
        ExplainedCard: {
            /** @description The name of the card. Several cards can have the same name. */
            name?: string;
            /** @description The print of the card, as in the deck. Absent: its id in views says everything. */
            printed?: {
                [key: string]: unknown;
            };
            /** @description The effect of the card. Absent: it needs no words. */
            text?: string;
        };
        /** @description A part of the rules. */
        ExplainedRule: {
            /** @description The text of the rule. */
            text: string;
            /** @description The point, in a few words. */
            title: string;
        };
        /** @description The rules of a game in one language. */
        ExplainedRules: {
            /** @description The parts in the order in which a beginner needs them; empty if the ruleset has none. */
            boxes: components["schemas"]["ExplainedRule"][];
            /** @description The cards that need words, as views name them. */
            cards: {
                [key: string]: components["schemas"]["ExplainedCard"];
            };
        };
        /** @enum {string} */
        Face: "badger" | "bear" | "blackbird" | "cat" | "fox" | "frog" | "hare" | "hedgehog" | "mouse" | "owl" | "pig" | "stag";
        /** @description An error in a body or a parameter: where (`$.slot`, `?at`, the name of a header) and what. */
        FieldError: {
            /** @description An explanation of the error there. */
            message: string;
            /** @description The place: the path in the body, `?name` of a parameter, or the name of a header. */
            path: string;
        };
        /**
         * @description A finished game with its views from every perspective, for programs that know no rules.
         *
         *     Only the record is proven by its hashes. The rest follows from the record by the rules.
         */
        Film: {
            /** @description The effects of the cards of the deck. */
            captions: components["schemas"]["Captions"];
            /** @constant */
            format: "stammtisch-film/1";
            /** @description By perspective (`all`, `bystander`, and the number of each seat), one step for each event of the record. Before the first step the view is null. */
            perspectives: {
                [key: string]: components["schemas"]["Step"][];
            };
            /** @description The record that the film was made of. */
            record: components["schemas"]["GameRecord"];
            /** @description The ruleset as `GET /v1/rulesets/NAME` describes it, so that the film needs no service. */
            ruleset: components["schemas"]["Ruleset"];
        };
        /** @description The caller may not see or do this. Other seats' views are available when the game is over. */
        ForbiddenProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 403;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "forbidden";
        };
        /** @description A game as the caller may see it. `view` is null before the game begins; hidden cards in it are null. */
        Game: {
            /** @description The bot that goes on when a player leaves the running game, or `abort`. Absent if they cannot leave. */
            absent?: components["schemas"]["Absent"];
            /** @description The reason why the game was aborted. Absent otherwise. */
            cause?: components["schemas"]["Cause"];
            /** @description The time for choices. Absent: it is not limited. */
            clock?: components["schemas"]["GameClock"];
            /** @description The hash of the secret from which all deals are derived. */
            commitment: string;
            /** @description The time at which the game was opened (RFC 3339, UTC). */
            created_at: string;
            /**
             * @description The deal that the game has in common with others. Absent once its secret is revealed: until then the cards stay
             *     hidden, also when the game is over.
             */
            deal?: components["schemas"]["Deal"];
            /** @description The version since which the caller's current choice exists. */
            decision: number | null;
            /** @description The deck of the game. */
            deck: components["schemas"]["DeckNamed"];
            /** @description The hash of all events up to this version. */
            head: string;
            /** @description True: the player, who is alone with bots, can ask for hints. Absent otherwise. */
            hints?: boolean;
            /** @description One player has all seats. */
            hotseat: boolean;
            /** @description The id of the game. */
            id: string;
            /** @description True if the game was imported from a record. Absent otherwise. */
            imported?: boolean;
            /** @description The code for others to see and join a private game. For members only. */
            invite?: string;
            /** @description All legal moves of the caller. Each can be posted unchanged. */
            legal_moves: components["schemas"]["GameMove"][];
            /** @description URLs of the parts of the game. */
            links: components["schemas"]["GameLinks"];
            options: components["schemas"]["GameOptions"];
            /** @description The game that this branch continues. Absent in other games. */
            parent?: components["schemas"]["Parent"];
            /** @description Only members and holders of the invite see the game. */
            private: boolean;
            /** @description True: positions of the game may become puzzles, without names; sitting down agrees to it. Absent otherwise. */
            puzzles?: boolean;
            /** @description The id of the game that this one repeats. Absent in other games. */
            rematch_of?: string;
            /** @description The result; null until the game is finished. */
            result: components["schemas"]["Result"] | null;
            /** @description The ruleset and the version of its rules, such as `name/1`. */
            rules: string;
            /** @description The name of the ruleset. */
            ruleset: string;
            /** @description True: players seal their entropies, and open them when all seats are taken. Absent otherwise. */
            sealed?: boolean;
            /** @description The seats in order, from 0. */
            seats: components["schemas"]["SeatAssignment"][];
            /** @description `waiting` for players, `running`, `finished` with a result, or `aborted` without one. */
            status: components["schemas"]["Status"];
            /** @description The points that the cards count now, with `with=tally`; null before the game begins. Absent otherwise. */
            tally?: components["schemas"]["Tally"] | null;
            /** @description The seats that must act now. */
            to_act: number[];
            /** @description The last version of the caller's move that they can take back without asking, or null. Absent if no move can be taken back in this game. */
            undo?: number | null;
            /** @description The moves that can be taken back: those that revealed nothing, or also others by agreement. Absent: none. */
            undo_mode?: components["schemas"]["Undo"];
            /** @description The number of events so far. */
            version: number;
            /** @description The table as this perspective may see it; null before the game begins. */
            view: components["schemas"]["GameView"] | null;
            /** @description The open question. Absent if there is none. */
            vote?: components["schemas"]["Question"];
            /** @description The caller's seat. */
            you: number | null;
        };
        /**
         * @description The time for choices, in whole seconds, and what each seat has left. All times are absolute, so they change only
         *     with the version.
         */
        GameClock: {
            /** @description The time of a seat at the beginning, and at most. */
            bank: number;
            /** @description Seconds of each choice that take no time. */
            delay: number;
            /** @description Added to the bank after each choice, up to its maximum. */
            increment: number;
            /** @description Used when the bank is empty, and never refilled by choices. */
            reserve: number;
            /** @description By seat, what it has left. */
            seats: components["schemas"]["SeatClock"][];
        };
        /** @description A deck: see `deck` of the ruleset. */
        GameDeck: {
            [key: string]: unknown;
        };
        /** @description An event of any ruleset. */
        GameEvent: {
            [key: string]: unknown;
        };
        /** @description URLs of the parts of a game. */
        GameLinks: {
            /** @description The cards of the deck. */
            deck: string;
            /** @description List or stream the events. */
            events: string;
            /** @description List legal moves, make a move. */
            moves: string;
            /** @description Take a seat. */
            seats: string;
            /** @description The game. */
            self: string;
        };
        /** @description A move of any ruleset. Moves from `legal_moves` can be posted unchanged. */
        GameMove: {
            [key: string]: unknown;
        };
        /** @description The options of the game: see `options` of the ruleset. */
        GameOptions: {
            [key: string]: unknown;
        };
        /** @description All events of a game so far, and what a verifier needs. */
        GameRecord: {
            /** @description The hash of the secret that all deals follow from. */
            commitment: string;
            deck: components["schemas"]["GameDeck"];
            /**
             * @description All events from the first one on, as the perspective sees them. The game's version is their number. In a
             *     complete record, the one with the secret, they have no hashes.
             */
            events: components["schemas"]["Entry"][];
            /** @constant */
            format: "stammtisch-record/1";
            /** @description The hash that covers all events of the record. */
            head: string;
            /** @description The id of the game. */
            id: string;
            /** @description The display names of the opener and of the players at the seats, by id, as of the time of the download. Unproven: no hash covers them. Former players have none. */
            names: {
                [key: string]: string;
            };
            options: components["schemas"]["GameOptions"];
            /** @description The game that a branch continues; null: it is no branch. */
            parent: components["schemas"]["Parent"] | null;
            /** @description The final scores and the winners; null while the game runs and if it was aborted. */
            result: components["schemas"]["Result"] | null;
            /** @description The ruleset and the version of its rules that this game is played by. */
            rules: string;
            /** @description The name of the ruleset. */
            ruleset: string;
            /** @description All seats, in their order. */
            seats: components["schemas"]["RecordedSeat"][];
            /** @description Null while the game runs, and in redacted records. */
            secret: string | null;
        };
        /** @description All events of a game so far, and what a verifier needs. */
        GameRecordInput: {
            /** @description The hash of the secret that all deals follow from. */
            commitment: string;
            deck: components["schemas"]["GameDeck"];
            /**
             * @description All events from the first one on, as the perspective sees them. The game's version is their number. In a
             *     complete record, the one with the secret, they have no hashes.
             */
            events: components["schemas"]["Entry"][];
            /**
             * @description Default: `"stammtisch-record/1"`.
             * @constant
             */
            format?: "stammtisch-record/1";
            /** @description The hash that covers all events of the record. */
            head: string;
            /** @description The id of the game. */
            id: string;
            /** @description The display names of the opener and of the players at the seats, by id, as of the time of the download. Unproven: no hash covers them. Former players have none. */
            names: {
                [key: string]: string;
            };
            options: components["schemas"]["GameOptions"];
            /** @description The game that a branch continues; null: it is no branch. */
            parent: components["schemas"]["Parent"] | null;
            /** @description The final scores and the winners; null while the game runs and if it was aborted. */
            result: components["schemas"]["Result"] | null;
            /** @description The ruleset and the version of its rules that this game is played by. */
            rules: string;
            /** @description The name of the ruleset. */
            ruleset: string;
            /** @description All seats, in their order. */
            seats: components["schemas"]["RecordedSeat"][];
            /** @description Null while the game runs, and in redacted records. */
            secret: string | null;
        };
        /** @description The terms of a new game. */
        GameRequest: {
            /** @description The bot that goes on when a player leaves the running game, or `abort`, which ends the game. Default: the ruleset's best bot. Not for hotseat games, which nobody can leave. */
            absent?: string;
            /** @description The time for choices. Default: it is not limited. Not for hotseat games. */
            clock?: components["schemas"]["ClockInput"];
            /** @description The name of a deck. Default: the ruleset's first deck. */
            deck?: string;
            /** @description The contribution of a seat to the shuffles: up to 64 printable ASCII characters, public. Default: `""`. */
            entropy?: string;
            /** @description The player can ask for hints. Only if all seats but one are for bots. Default: `false`. */
            hints?: boolean;
            /** @description The opener plays all seats: for pass-and-play, analysis and tests. Default: `false`. */
            hotseat?: boolean;
            options?: components["schemas"]["GameOptions"];
            /** @description Only members and holders of the invite code can see and join the game. Default: `false`. */
            private?: boolean;
            /** @description Positions of the game may become puzzles, without names. Players agree by sitting down. Not for private and hotseat games. Default: `false`. */
            puzzles?: boolean;
            /** @description Nobody sees an entropy before all are fixed: players sit down with a `seal`, and open their entropy when all seats are taken. Not for hotseat games, nor together with `entropy`. Default: `false`. */
            sealed?: boolean;
            /** @description The number of seats, or a list of who each seat is for: `me` (the opener), `open` (anybody), the name of a bot, or another player. */
            seats: number | (string | components["schemas"]["KeptSeat"])[];
            /** @description The opener takes seat 0; with a list of `seats`, the seat `me`. With `false` the opener takes a seat later, or not at all. With a list without `me` the opener does not sit. In a sealed game the seat is kept for the opener, who takes it with a seal. Default: `true`. */
            sit?: boolean;
            /**
             * @description The moves that can be taken back: those that revealed nothing (`free`), also others if all players agree (`agreed`), or none. Default: `free`.
             * @enum {string}
             */
            undo?: "agreed" | "free" | "none";
        };
        /** @description The table: see `view` of the ruleset. */
        GameView: {
            [key: string]: unknown;
        };
        /**
         * @description The player at the seat has left the running game, or has run out of time. From now on the bot plays; without one
         *     the game is aborted.
         */
        GoneEvent: {
            /** @description The bot that plays from now on. Absent: the game is aborted. */
            bot?: string;
            /**
             * @description The reason: the player left, or ran out of time.
             * @enum {string}
             */
            cause: "expired" | "left";
            /** @description True: the player has made a move in this game. */
            moved: boolean;
            /** @description The seat that the player has left. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "gone";
        };
        /** @description The events after this `Last-Event-ID` are no longer stored. Open a new stream, then read the pages again. */
        GoneProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 410;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "gone";
        };
        /** @description Another player gave the seat time. It goes into the reserve. */
        GrantedEvent: {
            /** @description The seat that got the time. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The time given, in seconds. */
            seconds: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "granted";
        };
        /** @description A code to exchange for a token. */
        HandOverCode: {
            /** @description The code: 32 hexadecimal digits. */
            code: string;
        };
        /** @description An event as it is served: redacted for the viewer, with the hashes of the full event. */
        Hashed: {
            /** @description The seats that have a choice after the event, rising; on the last event of an append. */
            acting?: number[];
            /** @description The time of the event (RFC 3339, UTC). */
            at: string;
            /** @description The seat whose choice caused it; null for the dealer and for players without a seat. */
            by: number | null;
            event: components["schemas"]["GameEvent"];
            /** @description The hash of all events up to this one. 32 bytes in lower-case hex. */
            head: string;
            /** @description The number of events that follow in the same append; 0 on its last one. */
            more: number;
            move?: components["schemas"]["GameMove"];
            /** @description The hash of what everybody may see of the event. 32 bytes in lower-case hex. */
            public: string;
            /** @description The hash of the whole event. 32 bytes in lower-case hex. */
            secret: string;
            /** @description The number of the event in its game, from 1. */
            version: number;
        };
        /** @description The URL and headers together exceed 32 KiB, or there are more than 100 headers. */
        HeadTooLargeProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 431;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "head-too-large";
        };
        /**
         * @description `status` is `live` (the process responds) or `ready` (the database can be read, the last write succeeded, and its
         *     clock agrees with that of the process).
         */
        Health: {
            /** @description The number of games that lobby, profiles or standings omit because one of their events cannot be applied; absent if there is none. The log names them. All other games are served, so the service is ready. `stammtisch rebuild` tries them again. */
            isolated_games?: number;
            /**
             * @description The state of the connection to Redis, if one is configured. While it is `away`, the service works from the database alone.
             * @enum {string}
             */
            redis?: "away" | "up";
            /** @description `live` or `ready`. */
            status: string;
            /** @description Installed packages and rulesets that the setting `PACKAGES` allows and that cannot be loaded, sorted; absent if there are none. Standard error says why. */
            unserved?: string[];
        };
        /** @description The moves that nothing speaks against, in worlds that the seat can imagine. */
        Hint: {
            against?: components["schemas"]["GameMove"];
            /** @description The points by which the first one is better than `against`. It may be chance: see `error`. */
            ahead: number;
            /** @description The standard error of `ahead`; the range of 95 % is `ahead` ± 1.96 times this. */
            error: number;
            /** @description The best first. The others of them are too close to it to tell. */
            moves: components["schemas"]["GameMove"][];
            /** @description The seat that asked. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The version of the table that it is about: that of the last event of the ruleset that stands. */
            version: number;
            /** @description The number of worlds in which `ahead` was measured. None of the moves was picked by them. */
            worlds: number;
        };
        /** @description The player at the seat asked for a hint about their choice. It is recorded before the hint is given. */
        HintedEvent: {
            /** @description The seat that asked. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "hinted";
        };
        /** @description The caller has already used this `Idempotency-Key` for a different request to this resource. */
        IdempotencyKeyReusedProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 422;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "idempotency-key-reused";
        };
        /** @description A player and their token. Keep the token secret: it authorizes every action of the player. */
        Identity: {
            /** @description True if the player is a program; absent otherwise. */
            bot?: boolean;
            /** @description The face that the player has chosen; a later release can have others. Absent if they have chosen none: show the first letter of the name. */
            face?: string;
            /** @description The id of the player. */
            id: string;
            /** @description The display name. */
            name: string;
            /** @description The bearer token. */
            token: string;
        };
        /** @description The rules do not allow this move now. `legal_moves` lists the legal moves of the caller. */
        IllegalMoveProblem: {
            /** @description The version since which the current choice exists; null without a choice. */
            decision: number | null;
            /** @description An explanation of this case. */
            detail?: string;
            /** @description All legal moves of the caller. */
            legal_moves: components["schemas"]["GameMove"][];
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "illegal-move";
            /** @description The number of events so far. */
            version: number;
        };
        /** @description An error in the service. It has been logged. */
        InternalProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 500;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "internal";
        };
        /**
         * @description The document is not a record of a known ruleset, a check of the record failed, or the record is not complete:
         *     its game is not over, or it is redacted. `detail` says where.
         */
        InvalidRecordProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 422;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "invalid-record";
        };
        /** @description A code that can be exchanged for a token of the caller, once. Keep it secret. */
        IssuedCode: {
            /** @description 32 hexadecimal digits: 128 random bits. */
            code: string;
            /** @description The time at which it expires (RFC 3339, UTC). */
            expires_at: string;
        };
        /** @description A player took a seat. */
        JoinedEvent: {
            /** @description The contribution of a seat to the shuffles: up to 64 printable ASCII characters, public. */
            entropy: string;
            /** @description The player who took it. The id of a player: a guest's UUID, or `namespace:sub`. */
            player: string;
            /** @description The hash of the entropy that the seat of a sealed game opens when all seats are taken, in lower-case hex. */
            seal?: string;
            /** @description The seat that was taken. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "joined";
        };
        /** @description A seat that is kept for a player until they take it or decline. */
        KeptSeat: {
            /** @description The id of the player. */
            player: string;
        };
        /** @description Everything that a frontend says of a ruleset, in one language. */
        Labels: {
            /** @description The bots, by their name and version. */
            bots: {
                [key: string]: components["schemas"]["BotLabel"];
            };
            /** @description Kinds of cards; `back` is a face-down card, `hidden` one in a sentence. */
            cards: {
                [key: string]: string;
            };
            /** @description A move with its cards, by the move's `type`, in brackets a variant: templates as in `prompts`. */
            choices: {
                [key: string]: string;
            };
            /** @description The name of an event, by its `type`. */
            events: {
                [key: string]: string;
            };
            /** @description The other fields of the view. */
            facts: {
                [key: string]: string;
            };
            /** @description The fields of moves. */
            fields: {
                [key: string]: string;
            };
            /** @description The description of a move, by its `type`. */
            moves: {
                [key: string]: string;
            };
            /** @description The options that a game can be opened with, by field. */
            options: {
                [key: string]: string;
            };
            /** @description The effect of each option, by field. */
            options_explained: {
                [key: string]: string;
            };
            /** @description The fields of objects in the view. */
            parts: {
                [key: string]: string;
            };
            /** @description The task of a phase, by the `phase` of the view. */
            phases: {
                [key: string]: string;
            };
            /** @description Indices into zones, by field. */
            places: {
                [key: string]: components["schemas"]["PlaceLabel"];
            };
            /** @description The question to a player, by state: `phase` or `pending.kind`, `>move` while a move is composed. */
            prompts: {
                [key: string]: components["schemas"]["Prompt"];
            };
            /** @description The types of events that report nothing that the view does not show, too. */
            quiet: string[];
            /** @description Sentences about events, by their `type`: templates. */
            sentences: {
                [key: string]: string;
            };
            /** @description A description of the game, in a sentence. */
            summary: string;
            /** @description The name of the game. */
            title: string;
            /** @description The values of enumerations, and `true` and `false` where they need a name, by field. */
            values: {
                [key: string]: {
                    [key: string]: string;
                };
            };
            /** @description The fields of the view that hold cards. */
            zones: {
                [key: string]: string;
            };
        };
        /** @description The player left the seat before the game began. */
        LeftEvent: {
            /** @description The seat that is free again. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "left";
        };
        /** @description A guided first game. Its cards are known: the deal follows from `id` and `secret`. */
        Lesson: {
            /** @description The id of the lesson, a UUID. Its games name it as their `parent`. */
            id: string;
            /** @description The options of the game that are not the usual ones. Default: `{}`. */
            options?: unknown;
            /** @description The seats with their players. The learner has seat 0. */
            seats: string[];
            /** @description The secret that all deals of its games follow from: 32 bytes in hex. */
            secret: string;
            /** @description The steps in order. The last one has no move. */
            steps: components["schemas"]["LessonStep"][];
        };
        /** @description A move of another seat, played for it. */
        LessonReply: {
            /** @description Its move. */
            move: unknown;
            /** @description The seat. */
            seat: number;
        };
        /** @description A step of a lesson: something is explained, and the learner makes a move. Without a move they read on. */
        LessonStep: {
            /** @description Any legal move will do, because the rest of the lesson is the same after each. Default: `false`. */
            free?: boolean;
            /** @description The move of seat 0. Null: there is nothing to do. */
            move?: unknown;
            /** @description The things of the table that the step is about, as in `docs/table-descriptions.md`. Default: `[]`. */
            point?: string[];
            /** @description The moves of the others after it. Default: `[]`. */
            reply?: components["schemas"]["LessonReply"][];
            /** @description The explanation, in one to three sentences. */
            say: {
                [key: string]: string;
            };
            /** @description The `kind` of the pending decision in the learner's view, otherwise its `phase`. */
            state: string;
            /** @description The task of the learner, in a few words. */
            task: {
                [key: string]: string;
            };
            /** @description The point that the step makes, in a few words. Without one it goes on with the step before. Default: `{}`. */
            title?: {
                [key: string]: string;
            };
        };
        /** @description The names of a ruleset and its bots, in one language. */
        ListedLabels: {
            /** @description The bots, by their name and version. */
            bots: {
                [key: string]: components["schemas"]["BotLabel"];
            };
            /** @description The options that a game can be opened with, by field. */
            options: {
                [key: string]: string;
            };
            /** @description A description of the game, in a sentence. */
            summary: string;
            /** @description The name of the game. */
            title: string;
            /** @description The values of options that have names, by field. */
            values: {
                [key: string]: {
                    [key: string]: string;
                };
            };
        };
        /** @description All legal moves of a seat. */
        ListedMoves: {
            /** @description The version since which the current choice exists; null without a choice. */
            decision: number | null;
            /** @description All legal moves. Each can be posted unchanged. */
            legal_moves: components["schemas"]["GameMove"][];
            /** @description The seat that has these moves. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The number of events so far. */
            version: number;
        };
        /** @description A game in the lobby. Times are RFC 3339 in UTC; `finished_at` is when the game ended or was aborted. */
        LobbyGame: {
            /** @description The reason why the game was aborted; absent otherwise. */
            cause?: components["schemas"]["Cause"];
            /** @description The time of the latest event; only with `acting=me`. */
            changed_at?: string;
            /** @description The time for choices; absent if it is not limited. */
            clock?: components["schemas"]["Clock"];
            /** @description The time at which the game was opened. */
            created_at: string;
            /** @description The id of the deal that the game has in common with others, until its cards are revealed; absent otherwise. */
            deal?: string;
            /** @description The name of the deck. */
            deck: string;
            /** @description The time at which the game ended or was aborted; null before. */
            finished_at: string | null;
            /** @description One player has all seats. */
            hotseat: boolean;
            /** @description The id of the game. */
            id: string;
            /** @description True if the game was imported from a record; absent otherwise. */
            imported?: boolean;
            /** @description Number of seats that anybody can take. */
            open: number;
            /** @description The id of the player who opened the game. */
            opener: string;
            /** @description The options of the game. */
            options: {
                [key: string]: unknown;
            };
            /** @description The id of the game, or of the lesson, that this branch continues; absent otherwise. */
            parent?: string;
            /** @description Only members and holders of the invite see the game. */
            private: boolean;
            /** @description True: positions of the game may become puzzles, without names; sitting down agrees to it. Absent otherwise. */
            puzzles?: boolean;
            /** @description The result; null until the game is finished. */
            result: components["schemas"]["Result"] | null;
            /** @description The ruleset and the version of its rules. */
            rules: string;
            /** @description The name of the ruleset. */
            ruleset: string;
            /** @description The time at which the caller's time runs out; only with `acting=me` in games with a clock. */
            runs_out?: string;
            /** @description The seats in order, from 0. */
            seats: components["schemas"]["LobbySeatAssignment"][];
            /** @description `waiting` for players, `running`, `finished` with a result, or `aborted` without one. */
            status: components["schemas"]["Status"];
            /** @description The seats that must act now; only with `acting=me`. */
            to_act?: number[];
        };
        /** @description A page of a list. `next` is the URL of the next page, or null on the last one. */
        LobbyGamePage: {
            /** @description The items in order. */
            items: components["schemas"]["LobbyGame"][];
            /** @description The URL of the next page; null on the last one. */
            next: string | null;
        };
        /** @description A seat, and who sits there. */
        LobbySeatAssignment: {
            /** @description The bot that plays the seat; absent otherwise. */
            bot?: string;
            /** @description True if the player has left the running game and the bot goes on; absent otherwise. */
            gone?: boolean;
            /** @description The player; null while the seat is free, or of a bot. */
            player: components["schemas"]["Player"] | null;
            /** @description The player for whom the free seat is kept; absent otherwise. */
            reserved?: components["schemas"]["Player"];
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
        };
        /** @description The input is not JSON, or has fields of the wrong type, out of range, unknown or missing. */
        MalformedProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /** @description Every error that was found. */
            errors: components["schemas"]["FieldError"][];
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 400;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "malformed";
        };
        /** @enum {string} */
        Matter: "abort" | "undo";
        /** @description The choices of a seat as a part of its player's mean over many games: unbiased, but noisy in a single game. */
        Mean: {
            /** @description The number of choices that were weighed. Choices with a hint and those of house players are left out. */
            choices: number;
            /** @description The mean loss of a choice, in points. */
            loss: number;
            /** @description The points that all choices of the seat in the game have brought beside those of the house player. */
            own: number;
            /** @description The seat. Seats are numbered from 0, rising clockwise. */
            seat: number;
        };
        /** @description The path does not support this method. `Allow` lists the supported ones. */
        MethodNotAllowedProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 405;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "method-not-allowed";
        };
        /**
         * @description The result of a move: its events as the mover may see them, and the game after it unless `Prefer: return=minimal`
         *     was sent.
         */
        Moved: {
            /** @description The events of the move, as the mover may see them. */
            events: components["schemas"]["Hashed"][];
            /** @description The game after the move. Absent with `Prefer: return=minimal`. */
            game?: components["schemas"]["Game"];
            /** @description The hash of all events up to this version. 32 bytes in lower-case hex. */
            head: string;
            /** @description The number of events after the move. */
            version: number;
        };
        /** @description Tables to open together: a list of them, or the seats of a table that each player asks for. */
        NewPairing: {
            /** @description The bot that goes on when a player leaves a running game, or `abort`. Default: the ruleset's best bot goes on. */
            absent?: components["schemas"]["Absent"];
            /** @description The time for choices. Default: it is not limited. */
            clock?: components["schemas"]["ClockInput"];
            /**
             * @description `same`: all tables play the same cards, which stay hidden until all are over. `own`: each has its own. Default: `"own"`.
             * @enum {string}
             */
            deal?: "own" | "same";
            /** @description The name of a deck. Default: the ruleset's first deck. */
            deck?: string;
            /** @description The number of players who can ask, with `seats`. */
            most?: number;
            /** @description The name of the pairing. Default: `""`. */
            name?: string;
            /** @description The time at which the tables are opened and players are invited. Default: now. RFC 3339 in UTC with six decimals: `2026-01-31T18:00:00.000000Z`. */
            opens_at?: string;
            options?: components["schemas"]["GameOptions"];
            /** @description The name of the ruleset. */
            ruleset: string;
            /** @description Instead of `tables`: `me` once, the others are bots. */
            seats?: string[];
            /**
             * @description The time at which tables that still wait are aborted. Default: 10 minutes after `opens_at` with a clock of at
             *     most a day, otherwise 3 days. RFC 3339 in UTC with six decimals: `2026-01-31T18:00:00.000000Z`.
             */
            sit_until?: string;
            /** @description The seats of each table: players, for whom they are kept, bots, or `open`. All tables have as many seats. */
            tables?: (string | components["schemas"]["KeptSeat"])[][];
            /** @description The time at which all is over and revealed at the latest, with the same deal. Default: in 7 days. RFC 3339 in UTC with six decimals: `2026-01-31T18:00:00.000000Z`. */
            until?: string;
        };
        /** @description The deal of the next day: its cards are fixed already. */
        NextDeal: {
            /** @description The hash of the secret of its deal. */
            commitment: string;
            /** @description The day, `2026-01-31`. */
            day: string;
        };
        /** @description The game was opened without hints, or the caller has no choice now. */
        NoHintProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "no-hint";
        };
        /** @description The game is not finished, or it is a hotseat or an imported game. */
        NoRematchProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "no-rematch";
        };
        /** @description The resource is not available in any media type of `Accept`. */
        NotAcceptableProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 406;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "not-acceptable";
        };
        /** @description The game is not over, so its hidden cards stay hidden. */
        NotFinishedProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "not-finished";
        };
        /**
         * @description The ruleset, deck, game, version, player or path does not exist, or the game is private and the caller may not
         *     see it.
         */
        NotFoundProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 404;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "not-found";
        };
        /** @description Only the player who opened the game may do this. */
        NotOpenerProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 403;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "not-opener";
        };
        /** @description The game has not begun, or is over. */
        NotRunningProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "not-running";
        };
        /** @description The caller has no such seat in this game. */
        NotSeatedProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 403;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "not-seated";
        };
        /**
         * @description The move cannot be taken back. `undo` is the version of the caller's move that can be, or null.
         *
         *     There is no reason: a reason can betray a hidden card.
         */
        NotUndoableProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "not-undoable";
            /** @description The last version of the caller's move that can be taken back, or null. */
            undo: number | null;
        };
        /** @description The game has already begun or is over. */
        NotWaitingProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "not-waiting";
        };
        /**
         * @description The caller ran out of time, so the move came too late. A bot plays on at the seat, or the game was aborted.
         *
         *     If `can_return` is true, the caller takes the `seat` again with `POST .../seats`. `game` is the game as it is now;
         *     absent in the channel and with `Prefer: return=minimal`.
         */
        OutOfTimeProblem: {
            /** @description True: the caller can take the seat again. */
            can_return: boolean;
            /** @description An explanation of this case. */
            detail?: string;
            game?: components["schemas"]["Game"];
            /** @description The seat that the caller has lost. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "out-of-time";
        };
        /** @description The reviews of the caller's choices in their latest games of a ruleset, together. Nobody else can see it. */
        OwnReviews: {
            /** @description The caller's finished games that count: the latest 50 at most. */
            finished: number;
            /** @description The mean of those with choices of the caller. Absent if they are fewer than 10. */
            mean?: components["schemas"]["PlayerMean"];
            /** @description The number of reviews in the queue, those of this request included. */
            pending: number;
            /** @description The number of those with a quick review. */
            reviewed: number;
            /** @description The name of the ruleset. */
            ruleset: string;
        };
        /** @description The caller's own table. */
        OwnSeat: {
            /** @description The path of the game. */
            game: string;
            /** @description The place of the caller's table in the list of a deal of the day, from 0. */
            row?: number;
            /** @description The caller's seat. */
            seat: number | null;
            /** @description The status of the game; null for a moment while it is opened. */
            status: components["schemas"]["Status"] | null;
            /** @description The number of days in a row, up to this one, on which the caller has finished the deal of the day. */
            streak?: number;
            /** @description The seven days up to this one, of a deal of the day. */
            week?: components["schemas"]["DealWeek"];
        };
        /** @description The caller's own table of a pairing. */
        OwnTable: {
            /** @description The path of the game. */
            game: string;
            /** @description The id of the game. */
            id: string;
            /** @description The id of the pairing. */
            pairing: string;
        };
        /** @description A seat of a table, and who it is for. */
        PairedSeat: {
            /** @description The bot that plays the seat; absent otherwise. */
            bot?: string;
            /** @description True if the player who was invited has declined, or has blocked who opened the pairing; absent otherwise. */
            declined?: boolean;
            /** @description The player who sits there or is invited; null: a bot, or nobody. */
            player: components["schemas"]["Player"] | null;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description True: the player has sat down. */
            sitting: boolean;
        };
        /** @description A table of a pairing. While the deal is sealed, others see only who sits there until their own table is over. */
        PairedTable: {
            /** @description The reason why the game was aborted; absent otherwise. */
            cause?: components["schemas"]["Cause"];
            /** @description By seat, with the same deal: the result beside those of the same seat at the other tables of the list. */
            compared?: components["schemas"]["Compared"][];
            /** @description The path of the game. */
            game?: string;
            /** @description The invite code, once the deal is over, that shows the game and its film. */
            invite?: string;
            /** @description The number of the table, from 1. */
            number: number;
            /** @description By seat: the points, more is better; null for a seat whose player left. Absent without a result. */
            points?: (number | null)[];
            /** @description The seats in order, from 0. */
            seats: components["schemas"]["PairedSeat"][];
            /** @description The list in which the table is compared, with the same deal. */
            standing?: components["schemas"]["DealList"];
            /** @description The status of the game. */
            status?: components["schemas"]["Status"];
        };
        /** @description A change of a pairing, in its live stream. */
        PairingChange: {
            /** @description The deal that all tables have in common; null if each has its own. */
            deal: components["schemas"]["SharedDeal"] | null;
            /** @description `planned`, `open`, `over`, or `cancelled`: no further table begins. */
            state: components["schemas"]["State"];
            /** @description The tables that have changed, as the caller may see them now. */
            tables: components["schemas"]["PairedTable"][];
        };
        /**
         * @description The first choice in which two tables of the same deal differ. The view at `versions` is what the seat saw, and
         *     the events after them are what it chose.
         */
        PairingDifference: {
            /** @description The number of moves that the seat could make. */
            legal: number | null;
            /** @description The number of choices before it that are the same, or do the same with cards that look alike to the seat. */
            same: number;
            /** @description The seat that chose; null: no choice differs until one of the games ends. */
            seat: number | null;
            /** @description The version of each game before the choice. */
            versions: number[] | null;
        };
        /** @description Tables that were opened together, as the caller may see them. */
        PairingResource: {
            /** @description The time for choices; null if it is not limited. */
            clock: components["schemas"]["Clock"] | null;
            /** @description The time from which on no table begins. */
            closes_at: string;
            /** @description The code that shows the pairing to others: `?invite=`. Null of a deal of the day, which everybody sees. */
            code: string | null;
            /** @description The number of tables. */
            count: number;
            /** @description The day of a deal of the day, `2026-01-31`; null for others. */
            day: string | null;
            /** @description The deal that all tables have in common; null if each has its own. */
            deal: components["schemas"]["SharedDeal"] | null;
            /** @description The name of the deck. */
            deck: string;
            /** @description The numbers of tables of the list by their points at the seat `me`, best first, with the same deal. */
            groups: components["schemas"]["PointsGroup"][];
            /** @description The id of the pairing. */
            id: string;
            /** @description The number of tables in the list of a deal of the day; null while the results are hidden. */
            listed: number | null;
            /** @description The largest number of tables; null: any number. */
            most: number | null;
            /** @description The name of the pairing; empty for a deal of the day. */
            name: string;
            /** @description The next deal of the day. Keep it to check it tomorrow. */
            next: components["schemas"]["NextDeal"] | null;
            /** @description The time at which tables are opened. */
            opens_at: string;
            options: components["schemas"]["GameOptions"];
            /** @description The player who opened it; null for a deal of the day. */
            owner: components["schemas"]["Player"] | null;
            /** @description By seat, of a table that players ask for: `me` or a bot. Empty if the tables are fixed. */
            places: string[];
            /** @description The number of tables with a result; null while the caller may not see them. */
            results: number | null;
            /** @description The ruleset and the version of its rules. */
            rules: string;
            /** @description The name of the ruleset. */
            ruleset: string;
            /** @description The number of seats of each table. */
            seats: number;
            /** @description The time at which tables that still wait are aborted. */
            sit_until: string | null;
            /** @description The list of a deal of the day to which `tables`, `groups` and `listed` belong. */
            standing: components["schemas"]["DealList"];
            /** @description `planned`, `open`, `over`, or `cancelled`: no further table begins. */
            state: components["schemas"]["State"];
            /**
             * @description The tables, first to last. Of a deal of the day: 50 of the list at most, best first, around the caller's, or
             *     from `?start=` on; only the caller's own while the results are hidden.
             */
            tables: components["schemas"]["PairedTable"][];
            /** @description The time at which all is over and revealed at the latest, with the same deal. */
            until: string | null;
            /** @description The caller's own table; null without one. */
            you: components["schemas"]["OwnSeat"] | null;
        };
        /** @description A pairing in a list. */
        PairingSummary: {
            /** @description The time from which on no table begins. */
            closes_at: string;
            /** @description True: all tables play the same cards. */
            common: boolean;
            /** @description The day of a deal of the day, `2026-01-31`; null for others. */
            day: string | null;
            /** @description The id of the pairing. */
            id: string;
            /** @description The name of the pairing; empty for a deal of the day. */
            name: string;
            /** @description The time at which tables are opened. */
            opens_at: string;
            /** @description The name of the ruleset. */
            ruleset: string;
            /** @description `planned`, `open`, `over`, or `cancelled`: no further table begins. */
            state: components["schemas"]["State"];
            /** @description The status of the caller's game; null without one. */
            status: components["schemas"]["Status"] | null;
            /** @description The path of the caller's game; null without one. */
            you: string | null;
        };
        /** @description A page of a list. `next` is the URL of the next page, or null on the last one. */
        PairingSummaryPage: {
            /** @description The items in order. */
            items: components["schemas"]["PairingSummary"][];
            /** @description The URL of the next page; null on the last one. */
            next: string | null;
        };
        /** @description The game that a branch continues, from its version `at` on. The deals of both derive from the game id `root`. */
        Parent: {
            /** @description The version from which the branch goes on. */
            at: number;
            /** @description The id of the continued game. */
            id: string;
            /** @description The id of the first game in the line of branches. */
            root: string;
        };
        /** @enum {string} */
        Phrase: "back_soon" | "clever" | "good_game" | "hello" | "let_me_think" | "sorry" | "well_played" | "what_luck";
        /** @description The phrase to say. */
        PhraseRequest: {
            /** @description A phrase. Clients show it in the language of their user. */
            phrase: components["schemas"]["Phrase"];
        };
        /**
         * @description The name of an index into a zone: `{number}` is the index + 1.
         *
         *     In a zone of `rows`, which is filled column by column, `{column}` and `{row}` are the place in it, each from 1.
         */
        PlaceLabel: {
            /** @description The number of rows of the zone. Absent: it has no columns and rows. */
            rows?: number;
            /** @description The template. */
            text: string;
        };
        /** @description The number of a player's games of this ruleset and status. */
        Played: {
            /** @description The number of these games. */
            games: number;
            /** @description The name of the ruleset. */
            ruleset: string;
            /** @description The status that the games have now. */
            status: components["schemas"]["Status"];
        };
        /** @description A player, their display name and their face. `name` is null for a former player, who was forgotten. */
        Player: {
            /** @description True if the player is a program; absent otherwise. It follows from the id. */
            bot?: boolean;
            /** @description The face that the player has chosen; a later release can have others. Absent if they have chosen none: show the first letter of the name. */
            face?: string;
            /** @description The id of a player: a guest's UUID, or `namespace:sub`. */
            id: string;
            /** @description The display name; null for a former player. */
            name: string | null;
        };
        /** @description The fields of a player that change; those that are absent stay. */
        PlayerChanges: {
            /** @description The new face; null: none. */
            face?: components["schemas"]["Face"] | null;
            /** @description The new name. Not for players of a site. The display name of a player: 1 to 40 visible characters, with spaces between them. */
            name?: string;
        };
        /** @description The choices of a player in games of one ruleset. It is no rating: the ruler is the house player. */
        PlayerMean: {
            /** @description The number of choices that were weighed in them. */
            choices: number;
            /** @description The number of games. */
            games: number;
            /** @description The mean loss of a choice beside the best move, in points. */
            loss: number;
            /** @description Half the width of its interval of 95 %. */
            loss_half: number;
            /** @description The points that the choices bring in a game beside those of the house player. Players are compared by this. */
            own: number;
            /** @description Half the width of its interval of 95 %. */
            own_half: number;
        };
        /** @description A point of a seat's curve, in points ahead. */
        Point: {
            /** @description The result that the seat could expect then, in points ahead. */
            expected: number;
            /** @description The luck since the point before, in points ahead. */
            luck: number;
            /** @description The version of the choice before which it stands; 0: the end. */
            version: number;
        };
        /**
         * @description Points as the ruleset counts them: the total of the games that the player did not leave, and the lowest and
         *     highest of one of them.
         */
        Points: {
            /** @description The points of the game with the most. */
            highest: number;
            /** @description The points of the game with the fewest. */
            lowest: number;
            /** @description The sum over the games. */
            total: number;
        };
        /** @description The number of tables that have these points at the caller's seat. */
        PointsGroup: {
            /** @description The points, more is better. */
            points: number;
            /** @description The number of tables. */
            tables: number;
        };
        /** @description A player's public profile. `name` is null for a former player. */
        Profile: {
            /** @description True if the player is a program; absent otherwise. */
            bot?: boolean;
            /** @description The face that the player has chosen; a later release can have others. Absent if they have chosen none: show the first letter of the name. */
            face?: string;
            /** @description The numbers of the games by ruleset and status. */
            games: components["schemas"]["Played"][];
            /** @description The id of a player: a guest's UUID, or `namespace:sub`. */
            id: string;
            /** @description The display name; null for a former player. */
            name: string | null;
            /** @description The results of the games that count in the standings, by ruleset. */
            results: components["schemas"]["Results"][];
        };
        /** @description The progress of the work. `all` changes with the phase. */
        Progress: {
            /** @description The choices of this phase; 0 while it is not known. */
            all: number;
            /** @description The choices that this phase is done with. */
            done: number;
            /**
             * @description `waiting`; then all choices are weighed, those that stand out are measured again, and so are those that the
             *     accounts need.
             * @enum {string}
             */
            phase: "accounts" | "first" | "refine" | "waiting";
        };
        /** @description The question to a player in a state: templates, whose placeholders are paths into the view. */
        Prompt: {
            /** @description The question, of one short line. A card in it is shown by its number or its name. */
            ask: string;
            /** @description The verbs of buttons, by the `type` of the move or by `type.value` of its field. Default: `{}`. */
            do?: {
                [key: string]: string;
            };
            /** @description The question for a screen reader, with everything that can be chosen. Absent: `ask`. */
            say?: string;
            /**
             * @description Conditions on the view and the legal moves: of the prompts of a state, the one with the most that hold is asked.
             *     A variant without conditions is asked while a move is composed. Default: `[]`.
             */
            when?: string[];
        };
        /** @description The verdict on the move, and by how much the best one exceeds the others. */
        PuzzleAnswer: {
            /** @description The standard error of `gap`. */
            error: number;
            /** @description The points by which it exceeds the next best move, on average. */
            gap: number;
            /** @description True: the move was the solution. */
            right: boolean;
            solution: components["schemas"]["GameMove"];
        };
        /** @description A question to all players, which is decided when all who are present have agreed. */
        Question: {
            /** @description The question: to abort the game, or to take back a move. */
            on: components["schemas"]["Matter"];
            /** @description The seat that asked. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The version to which an undo would go back. */
            to?: number;
            /** @description The seats that have agreed, in order. */
            yes: number[];
        };
        /**
         * @description An estimate of a player's skill with mean `mu` and standard deviation `sigma`. `ordinal` is mu - 3 sigma, a lower
         *     bound of the skill; the standings are ordered by it.
         */
        Rating: {
            /** @description The estimated skill; players begin with 25. */
            mu: number;
            /** @description mu - 3 sigma. Negative for players with few games. */
            ordinal: number;
            /** @description The uncertainty of the estimate; players begin with 25/3. */
            sigma: number;
        };
        /** @description The player opened the entropy that they sealed. When all have, the game begins. */
        ReadiedEvent: {
            /** @description The contribution of a seat to the shuffles: up to 64 printable ASCII characters, public. */
            entropy: string;
            /** @description The seat that is ready. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "readied";
        };
        /** @description A seat, the id of its player (null: free), and the player's entropy for the shuffles. */
        RecordedSeat: {
            /** @description The player's contribution to the shuffles; empty if there is none. */
            entropy: string;
            /** @description The player at the seat at the end of the record; null: it is free. */
            player: string | null;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
        };
        /** @description A new guest. */
        RegistrationRequest: {
            /** @description The player is a program. That is shown wherever the player is, and cannot be changed. Default: `false`. */
            bot?: boolean;
            /** @description The face that others see; null or absent: none. */
            face?: components["schemas"]["Face"] | null;
            /** @description The display name of a player: 1 to 40 visible characters, with spaces between them. */
            name: string;
        };
        /** @description The player is back at the seat and plays again. */
        RejoinedEvent: {
            /** @description The seat that the player has taken again. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "rejoined";
        };
        /**
         * @description The caller's contribution to the shuffles of the rematch. Empty in a sealed game: there the seat is kept, and
         *     taken with a seal in a second request.
         */
        RematchRequest: {
            /** @description The contribution of a seat to the shuffles: up to 64 printable ASCII characters, public. Default: `""`. */
            entropy?: string;
        };
        /** @description Delete the item at `path` from its array. */
        RemoveOperation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            op: "remove";
            /** @description A JSON Pointer into the view; empty: the whole view. */
            path: string;
        };
        /** @description Set the value at `path`. The empty path is the whole view. */
        ReplaceOperation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            op: "replace";
            /** @description A JSON Pointer into the view; empty: the whole view. */
            path: string;
            /** @description The value that stands there from now on. */
            value: unknown;
        };
        /** @description The seat is kept for another player, or all free seats are. */
        ReservedProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "reserved";
        };
        /** @description The result of a game: scores by seat, counted as the ruleset counts, and the winning seats. */
        Result: {
            /** @description By seat: 0 for the best, where the points do not say who did better. */
            ranks?: number[];
            /** @description By seat: the final points. */
            scores: number[];
            /** @description The seats by team. Absent: every seat plays for itself. */
            teams?: number[][];
            /** @description The winning seats; several in a tie, none if seats that play together have lost. */
            winners: number[];
        };
        /**
         * @description A player's results at a ruleset. A shared victory is a win for each winner.
         *
         *     `points` is null if the player has left all games.
         */
        Results: {
            /** @description The number of games that count, those included that the player left. */
            games: number;
            /** @description Null if the player has left all games. */
            points: components["schemas"]["Points"] | null;
            rating: components["schemas"]["Rating"];
            /** @description The name of the ruleset. */
            ruleset: string;
            /** @description The number of games that the player won, alone or with others. */
            wins: number;
        };
        /**
         * @description The service can take moves again. For the time that it could not, each seat with a choice gets as much into its
         *     reserve.
         */
        ResumedEvent: {
            /** @description The time, since the latest event, in which no process of the service could take a move. */
            milliseconds: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "resumed";
        };
        /** @description The secret is public: from now on nothing is redacted and every deal can be verified. The last event. */
        RevealedEvent: {
            /** @description The secret that all deals followed from; its hash is the commitment. 32 bytes in lower-case hex. */
            secret: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "revealed";
        };
        /** @description Every choice of a finished game, weighed as far as its seat could know, and where the results come from. */
        Review: {
            /** @description The accounts of the whole game, by seat. */
            accounts: components["schemas"]["Account"][];
            /** @description The choices of the reviewed seats, in their order. Forced moves and those of house players are left out. */
            choices: components["schemas"]["Choice"][];
            /** @constant */
            format: "stammtisch-review/1";
            /** @description The head of the record. All random numbers of the review follow from it. 32 bytes in lower-case hex. */
            head: string;
            /** @description The house player that plays on in the imagined worlds. */
            house: string;
            /** @description By reviewed seat with choices. */
            means: components["schemas"]["Mean"][];
            /** @description The number of worlds that were imagined: `quick`, `standard` or `full`. */
            plan: string;
            /** @description The rounds in their order. */
            rounds: components["schemas"]["ReviewedRound"][];
            /** @description The ruleset and the version of its rules. */
            rules: string;
            /**
             * @description `first`: accounts are provisional, and no choice has a category yet.
             * @enum {string}
             */
            state: "final" | "first";
            /** @description The losses, in points, from which on a choice is an inaccuracy, a mistake, a blunder. Empty: not measured yet. */
            thresholds: number[];
            /** @description The versions of choices for which no world could be imagined. */
            unweighed: number[];
        };
        /** @description The review waits in the queue, or the first pass is under way. */
        ReviewPending: {
            /** @description The number of reviews that are made before this one. */
            place: number;
            progress: components["schemas"]["Progress"];
            /** @constant */
            state: "pending";
            /** @description Seconds until it is likely to be finished: an estimate, rather too high. */
            wait: number;
        };
        /** @description A round; the whole game, where the points of a round can be lost again later. */
        ReviewedRound: {
            /** @description By seat. */
            accounts: components["schemas"]["Account"][];
            /** @description By seat: a point for each of its choices that is weighed, and one for the end. */
            curves: components["schemas"]["Point"][][];
        };
        /**
         * @description The service does not have the rules of this game: their package, or this version of them, is not loaded. The
         *     game, its events and its record can be read. It goes on when the operator loads the package again.
         */
        RulesMissingProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /** @description The distribution that has them; null if nobody knows. */
            package: string | null;
            /** @description The ruleset and the version of its rules. */
            rules: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "rules-missing";
        };
        /** @description A ruleset, with everything that a frontend needs. `schemas` are JSON Schemas. */
        Ruleset: {
            /** @description The bots that can play a seat, the weakest first; described in `labels`. */
            bots: string[];
            /** @description The decks that a game can be opened with; the first one is the default. */
            decks: components["schemas"]["DeckNamed"][];
            /** @description The options of a game that is opened without any. */
            default_options: {
                [key: string]: unknown;
            };
            /** @description The difficulty to learn it. */
            difficulty: components["schemas"]["Difficulty"];
            /** @description Texts for people, by language: `en` and `de`. */
            labels: {
                [key: string]: components["schemas"]["Labels"];
            };
            /** @description The usual length of a game, in minutes, of people who know it. */
            minutes: number;
            /** @description The name of the ruleset in paths. */
            name: string;
            /** @description The ruleset and the version of the rules of new games, `NAME/N`. */
            rules: string;
            /** @description JSON Schemas of `options`, `move`, `event`, `view` and `deck`. */
            schemas: {
                [key: string]: unknown;
            };
            seats: components["schemas"]["SeatRange"];
        };
        /** @description A ruleset in the list of rulesets. */
        RulesetListed: {
            /** @description The bots that can play a seat, the weakest first. */
            bots: string[];
            /** @description The options of a game that is opened without any. */
            default_options: {
                [key: string]: unknown;
            };
            /** @description The difficulty to learn it. */
            difficulty: components["schemas"]["Difficulty"];
            /** @description The path of everything about the ruleset. */
            href: string;
            /** @description Texts for people, by language: `en` and `de`. */
            labels: {
                [key: string]: components["schemas"]["ListedLabels"];
            };
            /** @description True: it has a guided first game. */
            lesson: boolean;
            /** @description The usual length of a game, in minutes, of people who know it. */
            minutes: number;
            /** @description The name of the ruleset in paths. */
            name: string;
            /** @description The ruleset and the version of the rules of new games, `NAME/N`. */
            rules: string;
            seats: components["schemas"]["SeatRange"];
        };
        /** @description A page of a list. `next` is the URL of the next page, or null on the last one. */
        RulesetListedPage: {
            /** @description The items in order. */
            items: components["schemas"]["RulesetListed"][];
            /** @description The URL of the next page; null on the last one. */
            next: string | null;
        };
        /** @description The choice of a house player for a seat, from what that seat sees. */
        ScandaroonAdvice: {
            /** @description The move, which can be posted unchanged; null if the seat has no choice now. */
            move: components["schemas"]["ScandaroonMove"] | null;
            /** @description The seat that is to choose. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The number of events so far. */
            version: number;
        };
        /** @description The cards that one card reaches, itself never (SD-7). */
        ScandaroonArea: {
            /**
             * @description Cards of the row on that side or on each; all other cards in play; those of other rows.
             * @enum {string}
             */
            direction: "both" | "elsewhere" | "left" | "right" | "table";
            /** @description The number of cards on each side. `table` and `elsewhere` reach all. */
            reach: number | "all";
            /** @description Only cards that bear one of these. */
            symbols?: components["schemas"]["ScandaroonSymbol"][];
        };
        /** @description The amount is added to the boost of the chosen cards, or of every card in the area. */
        ScandaroonBoost: {
            /** @description The points that each card counts more; negative: less. */
            amount: number;
            area?: components["schemas"]["ScandaroonArea"];
            /** @description The number of cards that are chosen. */
            count: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "boost";
            target?: components["schemas"]["ScandaroonFilter"];
        };
        /** @description The amount was added to the boost of these cards; `left` more are to be chosen. */
        ScandaroonBoostedEvent: {
            /** @description The points that the cards count more; negative: less. */
            amount: number;
            /** @description The number of cards that are still to be chosen. */
            left: number;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The places of the cards. */
            spots: components["schemas"]["ScandaroonSpot"][];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "boosted";
        };
        /** @description The trump becomes another one of these. */
        ScandaroonChangeTrump: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "set_trump";
            /** @description The possible trumps. */
            values: components["schemas"]["ScandaroonTrump"][];
        };
        /** @description A choice of a player between several legal moves, weighed in worlds that its seat could imagine. */
        ScandaroonChoice: {
            /** @description The house player might have made the same move. */
            as_house: boolean;
            /**
             * @description The move that seems to be better. Absent: none was found among the moves and worlds that were tried; this does
             *     not show that there is none.
             */
            best?: components["schemas"]["ScandaroonMove"];
            /** @description The category of the least that the choice has cost with nine chances in ten. Absent: too close to tell. */
            category?: components["schemas"]["Category"];
            /** @description The standard error of `loss`; the range of 95 % is `loss` ± 1.96 times this. */
            error: number;
            /** @description The result that the seat could expect before, in points ahead. */
            expected: number;
            /** @description The player had a hint. */
            hinted: boolean;
            /**
             * @description The points by which that move is better. It may be chance: see `error`. Without `best` it is 0 and was not
             *     measured.
             */
            loss: number;
            /** @description The move that was made. */
            made: components["schemas"]["ScandaroonMove"];
            /** @description The loss was measured in worlds that neither the best move nor the choice was picked by. */
            refined: boolean;
            /** @description Rounds are numbered from 0. */
            round: number;
            /** @description The seat that chose. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The version of the first event that it caused. The choice was made at the version before. */
            version: number;
            /** @description The number of worlds in which `loss` was measured. */
            worlds: number;
        };
        /** @description The cards in the canonical order, and the outcome of an action stone for each symbol. */
        ScandaroonDeck: {
            /** @description All cards, each with an id of its own. */
            cards: components["schemas"]["ScandaroonFace"][];
            /** @description The licence of these data, which records contain: an SPDX expression, `LicenseRef-` for others. */
            licence?: string;
            /** @description It selects the deck when a game is opened. */
            name: string;
            /** @description The source of the list of cards. */
            provenance: string;
            /** @description The ruleset that the deck is for. */
            ruleset: string;
            /** @description The effect of an action stone, by the symbol of the discarded card. */
            stone: {
                [key: string]: components["schemas"]["ScandaroonOutcome"];
            };
        };
        /** @description Draw cards; one of them may be played at once, or none. */
        ScandaroonDraw: {
            /** @description The number of cards that are drawn. */
            count: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "draw";
            /** @description True: one of them may be played at once. */
            may_play: boolean;
        };
        /** @description The seat drew cards; nobody else sees them. */
        ScandaroonDrawnEvent: {
            /** @description First to last. Null for everybody but the seat until the game is over. */
            cards: (string | null)[];
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "drawn";
        };
        /** @description Holds as long as the card is in play: the amount is added to every card reached. */
        ScandaroonEffect: {
            /** @description The points that each card reached counts more; negative: less. */
            amount: number;
            /**
             * @description Cards of the row on that side or on each; all other cards in play; those of other rows.
             * @enum {string}
             */
            direction: "both" | "elsewhere" | "left" | "right" | "table";
            /** @description The number of cards on each side. `table` and `elsewhere` reach all. */
            reach: number | "all";
            /** @description Only cards that bear one of these. */
            symbols?: components["schemas"]["ScandaroonSymbol"][];
        };
        /**
         * @description An event as a record has it: redacted for the viewer, with the hashes of the full event.
         *
         *     A complete record has no hashes, because they follow from its events and the secret. An *append* is what one command
         *     added to the log, all or nothing.
         */
        ScandaroonEntry: {
            /** @description The seats that have a choice after the event, rising; on the last event of an append. */
            acting?: number[];
            /** @description The time of the event (RFC 3339, UTC). */
            at: string;
            /** @description The seat whose choice caused it; null for the dealer and for players without a seat. */
            by: number | null;
            /** @description The event, redacted for the viewer. */
            event: components["schemas"]["ScandaroonEvent"];
            /** @description The hash of all events up to this one. 32 bytes in lower-case hex. */
            head?: string;
            /** @description The number of events that follow in the same append; 0 on its last one. */
            more: number;
            /** @description The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it. */
            move?: components["schemas"]["ScandaroonMove"];
            /** @description The hash of what everybody may see of the event. 32 bytes in lower-case hex. */
            public?: string;
            /** @description The hash of the whole event. 32 bytes in lower-case hex. */
            secret?: string;
            /** @description The number of the event in its game, from 1. */
            version: number;
        };
        ScandaroonEvent: components["schemas"]["ScandaroonOpenedEvent"] | components["schemas"]["JoinedEvent"] | components["schemas"]["LeftEvent"] | components["schemas"]["DeclinedEvent"] | components["schemas"]["ReadiedEvent"] | components["schemas"]["BegunEvent"] | components["schemas"]["GoneEvent"] | components["schemas"]["RejoinedEvent"] | components["schemas"]["GrantedEvent"] | components["schemas"]["ResumedEvent"] | components["schemas"]["VotedEvent"] | components["schemas"]["TakenBackEvent"] | components["schemas"]["HintedEvent"] | components["schemas"]["EndedEvent"] | components["schemas"]["AbortedEvent"] | components["schemas"]["RevealedEvent"] | components["schemas"]["ScandaroonPreparedEvent"] | components["schemas"]["ScandaroonReshuffledEvent"] | components["schemas"]["ScandaroonHandsDealtEvent"] | components["schemas"]["ScandaroonTrumpRevealedEvent"] | components["schemas"]["ScandaroonTrumpFlippedEvent"] | components["schemas"]["ScandaroonTurnBeganEvent"] | components["schemas"]["ScandaroonPlayedEvent"] | components["schemas"]["ScandaroonUsedEvent"] | components["schemas"]["ScandaroonTargetedEvent"] | components["schemas"]["ScandaroonRemovedEvent"] | components["schemas"]["ScandaroonBoostedEvent"] | components["schemas"]["ScandaroonSwappedEvent"] | components["schemas"]["ScandaroonShiftedEvent"] | components["schemas"]["ScandaroonTrumpChangedEvent"] | components["schemas"]["ScandaroonDrawnEvent"] | components["schemas"]["ScandaroonReturnedEvent"] | components["schemas"]["ScandaroonSpentEvent"] | components["schemas"]["ScandaroonStonePlayedEvent"] | components["schemas"]["ScandaroonExchangedEvent"] | components["schemas"]["ScandaroonProtectedEvent"] | components["schemas"]["ScandaroonStolenEvent"] | components["schemas"]["ScandaroonPassedEvent"] | components["schemas"]["ScandaroonRoundScoredEvent"] | components["schemas"]["ScandaroonTableClearedEvent"] | components["schemas"]["ScandaroonWonEvent"];
        /** @description An event in a page or stream. */
        ScandaroonEventItem: {
            /** @description The seats that have a choice after the event, rising; on the last event of an append. */
            acting?: number[];
            /** @description The time of the event (RFC 3339, UTC). */
            at: string;
            /** @description The seat whose choice caused it; null for the dealer and for players without a seat. */
            by: number | null;
            /** @description The event, redacted for the viewer. */
            event: components["schemas"]["ScandaroonEvent"];
            /** @description The hash of all events up to this one. 32 bytes in lower-case hex. */
            head: string;
            /** @description The number of events that follow in the same append; 0 on its last one. */
            more: number;
            /** @description The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it. */
            move?: components["schemas"]["ScandaroonMove"];
            /** @description The JSON Patch (RFC 6902), with `with=patch`, from the `view` of the version before to that of this version. Absent otherwise. */
            patch?: (components["schemas"]["AddOperation"] | components["schemas"]["RemoveOperation"] | components["schemas"]["ReplaceOperation"])[];
            /** @description The hash of what everybody may see of the event. 32 bytes in lower-case hex. */
            public: string;
            /** @description The hash of the whole event. 32 bytes in lower-case hex. */
            secret: string;
            /** @description The points that the cards count at this version, with `with=tally`, if they differ from those at the version before; null before the game begins. Absent otherwise. */
            tally?: components["schemas"]["Tally"] | null;
            /** @description The number of the event in its game, from 1. */
            version: number;
        };
        /** @description A page of a list. `next` is the URL of the next page, or null on the last one. */
        ScandaroonEventItemPage: {
            /** @description The items in order. */
            items: components["schemas"]["ScandaroonEventItem"][];
            /** @description The URL of the next page; null on the last one. */
            next: string | null;
        };
        /** @description Discard a card of your hand; as many are drawn as you have discarded (SD-51). */
        ScandaroonExchangeMove: {
            /** @description The card, by its `id` in the deck. */
            card: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "exchange";
        };
        /** @description The seat discarded a card of its hand and will get another one. */
        ScandaroonExchangedEvent: {
            /** @description The card that was discarded. By its `id` in the deck. */
            card: string;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "exchanged";
        };
        /** @description A card as the deck file lists it (SD-6). */
        ScandaroonFace: {
            /** @description The use of the card; null: it has none. */
            ability: components["schemas"]["ScandaroonFaceAbility"] | null;
            /** @description The printed value. */
            base: number;
            /** @description The effects that hold while the card is in play; null: none. */
            effect: components["schemas"]["ScandaroonEffect"][] | null;
            /** @description Nothing is laid to its right while it is the last card. */
            end: boolean;
            /** @description The card, by its `id` in the deck. */
            id: string;
            /** @description May be laid at any seat's row. */
            play_anywhere: boolean;
            /** @description The card counts as each of them. */
            symbols: components["schemas"]["ScandaroonSymbol"][];
        };
        ScandaroonFaceAbility: components["schemas"]["ScandaroonRemove"] | components["schemas"]["ScandaroonBoost"] | components["schemas"]["ScandaroonSwap"] | components["schemas"]["ScandaroonChangeTrump"] | components["schemas"]["ScandaroonShift"] | components["schemas"]["ScandaroonDraw"] | components["schemas"]["ScandaroonReturn"];
        /**
         * @description A finished game with its views from every perspective, for programs that know no rules.
         *
         *     Only the record is proven by its hashes. The rest follows from the record by the rules.
         */
        ScandaroonFilm: {
            /** @description The effects of the cards of the deck. */
            captions: components["schemas"]["Captions"];
            /** @constant */
            format: "stammtisch-film/1";
            /** @description By perspective (`all`, `bystander`, and the number of each seat), one step for each event of the record. Before the first step the view is null. */
            perspectives: {
                [key: string]: components["schemas"]["ScandaroonStep"][];
            };
            /** @description The record that the film was made of. */
            record: components["schemas"]["ScandaroonGameRecord"];
            /** @description The ruleset as `GET /v1/rulesets/NAME` describes it, so that the film needs no service. */
            ruleset: components["schemas"]["Ruleset"];
        };
        /** @description The cards that may be chosen: of live rows, unprotected, never the ability card itself, and besides (SD-9). */
        ScandaroonFilter: {
            /**
             * @description The value of the card that `min` and `max` are about.
             * @enum {string}
             */
            compare: "base" | "current";
            /** @description True: end cards only. False: no end cards. */
            end?: boolean;
            /** @description The largest value of the card. Absent: any. */
            max?: components["schemas"]["ScandaroonLimit"];
            /** @description The smallest value of the card. Absent: any. */
            min?: components["schemas"]["ScandaroonLimit"];
            /**
             * @description last, first: only the last, the first card of its row.
             * @enum {string}
             */
            place: "any" | "first" | "last";
            /**
             * @description The rows: any, those of the seat that chooses, or those of others.
             * @enum {string}
             */
            rows: "any" | "other" | "own";
            /** @description The card bears one of these. */
            symbols?: components["schemas"]["ScandaroonSymbol"][];
        };
        /** @description A game as the caller may see it. `view` is null before the game begins; hidden cards in it are null. */
        ScandaroonGame: {
            /** @description The bot that goes on when a player leaves the running game, or `abort`. Absent if they cannot leave. */
            absent?: components["schemas"]["Absent"];
            /** @description The reason why the game was aborted. Absent otherwise. */
            cause?: components["schemas"]["Cause"];
            /** @description The time for choices. Absent: it is not limited. */
            clock?: components["schemas"]["GameClock"];
            /** @description The hash of the secret from which all deals are derived. */
            commitment: string;
            /** @description The time at which the game was opened (RFC 3339, UTC). */
            created_at: string;
            /**
             * @description The deal that the game has in common with others. Absent once its secret is revealed: until then the cards stay
             *     hidden, also when the game is over.
             */
            deal?: components["schemas"]["Deal"];
            /** @description The version since which the caller's current choice exists. */
            decision: number | null;
            /** @description The deck of the game. */
            deck: components["schemas"]["DeckNamed"];
            /** @description The hash of all events up to this version. */
            head: string;
            /** @description True: the player, who is alone with bots, can ask for hints. Absent otherwise. */
            hints?: boolean;
            /** @description One player has all seats. */
            hotseat: boolean;
            /** @description The id of the game. */
            id: string;
            /** @description True if the game was imported from a record. Absent otherwise. */
            imported?: boolean;
            /** @description The code for others to see and join a private game. For members only. */
            invite?: string;
            /** @description All legal moves of the caller. Each can be posted unchanged. */
            legal_moves: components["schemas"]["ScandaroonMove"][];
            /** @description URLs of the parts of the game. */
            links: components["schemas"]["GameLinks"];
            /** @description The options of the game. */
            options: components["schemas"]["ScandaroonOptions"];
            /** @description The game that this branch continues. Absent in other games. */
            parent?: components["schemas"]["Parent"];
            /** @description Only members and holders of the invite see the game. */
            private: boolean;
            /** @description True: positions of the game may become puzzles, without names; sitting down agrees to it. Absent otherwise. */
            puzzles?: boolean;
            /** @description The id of the game that this one repeats. Absent in other games. */
            rematch_of?: string;
            /** @description The result; null until the game is finished. */
            result: components["schemas"]["Result"] | null;
            /** @description The ruleset and the version of its rules, such as `name/1`. */
            rules: string;
            /** @description The name of the ruleset. */
            ruleset: string;
            /** @description True: players seal their entropies, and open them when all seats are taken. Absent otherwise. */
            sealed?: boolean;
            /** @description The seats in order, from 0. */
            seats: components["schemas"]["SeatAssignment"][];
            /** @description `waiting` for players, `running`, `finished` with a result, or `aborted` without one. */
            status: components["schemas"]["Status"];
            /** @description The points that the cards count now, with `with=tally`; null before the game begins. Absent otherwise. */
            tally?: components["schemas"]["Tally"] | null;
            /** @description The seats that must act now. */
            to_act: number[];
            /** @description The last version of the caller's move that they can take back without asking, or null. Absent if no move can be taken back in this game. */
            undo?: number | null;
            /** @description The moves that can be taken back: those that revealed nothing, or also others by agreement. Absent: none. */
            undo_mode?: components["schemas"]["Undo"];
            /** @description The number of events so far. */
            version: number;
            /** @description The table as this perspective may see it; null before the game begins. */
            view: components["schemas"]["ScandaroonView"] | null;
            /** @description The open question. Absent if there is none. */
            vote?: components["schemas"]["Question"];
            /** @description The caller's seat. */
            you: number | null;
        };
        /** @description All events of a game so far, and what a verifier needs. */
        ScandaroonGameRecord: {
            /** @description The hash of the secret that all deals follow from. */
            commitment: string;
            deck: components["schemas"]["ScandaroonDeck"];
            /**
             * @description All events from the first one on, as the perspective sees them. The game's version is their number. In a
             *     complete record, the one with the secret, they have no hashes.
             */
            events: components["schemas"]["ScandaroonEntry"][];
            /** @constant */
            format: "stammtisch-record/1";
            /** @description The hash that covers all events of the record. */
            head: string;
            /** @description The id of the game. */
            id: string;
            /** @description The display names of the opener and of the players at the seats, by id, as of the time of the download. Unproven: no hash covers them. Former players have none. */
            names: {
                [key: string]: string;
            };
            options: components["schemas"]["ScandaroonOptions"];
            /** @description The game that a branch continues; null: it is no branch. */
            parent: components["schemas"]["Parent"] | null;
            /** @description The final scores and the winners; null while the game runs and if it was aborted. */
            result: components["schemas"]["Result"] | null;
            /** @description The ruleset and the version of its rules that this game is played by. */
            rules: string;
            /** @description The name of the ruleset. */
            ruleset: string;
            /** @description All seats, in their order. */
            seats: components["schemas"]["RecordedSeat"][];
            /** @description Null while the game runs, and in redacted records. */
            secret: string | null;
        };
        /** @description The terms of a new game. */
        ScandaroonGameRequest: {
            /**
             * @description The bot that goes on when a player leaves the running game, or `abort`, which ends the game. Default: the ruleset's best bot. Not for hotseat games, which nobody can leave.
             * @enum {string}
             */
            absent?: "abort" | "careful/1" | "easy/1" | "random/1";
            /** @description The time for choices. Default: it is not limited. Not for hotseat games. */
            clock?: components["schemas"]["ClockInput"];
            /**
             * @description The name of a deck. Default: the ruleset's first deck.
             * @constant
             */
            deck?: "reconstruction-1";
            /** @description The contribution of a seat to the shuffles: up to 64 printable ASCII characters, public. Default: `""`. */
            entropy?: string;
            /** @description The player can ask for hints. Only if all seats but one are for bots. Default: `false`. */
            hints?: boolean;
            /** @description The opener plays all seats: for pass-and-play, analysis and tests. Default: `false`. */
            hotseat?: boolean;
            /** @description The options of the game. Default: the ruleset's defaults. */
            options?: components["schemas"]["ScandaroonOptionsInput"];
            /** @description Only members and holders of the invite code can see and join the game. Default: `false`. */
            private?: boolean;
            /** @description Positions of the game may become puzzles, without names. Players agree by sitting down. Not for private and hotseat games. Default: `false`. */
            puzzles?: boolean;
            /** @description Nobody sees an entropy before all are fixed: players sit down with a `seal`, and open their entropy when all seats are taken. Not for hotseat games, nor together with `entropy`. Default: `false`. */
            sealed?: boolean;
            /** @description The number of seats, or a list of who each seat is for: `me` (the opener), `open` (anybody), the name of a bot, or another player. */
            seats: number | (components["schemas"]["ScandaroonOccupant"] | components["schemas"]["KeptSeat"])[];
            /** @description The opener takes seat 0; with a list of `seats`, the seat `me`. With `false` the opener takes a seat later, or not at all. With a list without `me` the opener does not sit. In a sealed game the seat is kept for the opener, who takes it with a seal. Default: `true`. */
            sit?: boolean;
            /**
             * @description The moves that can be taken back: those that revealed nothing (`free`), also others if all players agree (`agreed`), or none. Default: `free`.
             * @enum {string}
             */
            undo?: "agreed" | "free" | "none";
        };
        /** @description The cards that each seat drew, in order; only the seat itself sees them (SD-72). */
        ScandaroonHandsDealtEvent: {
            /** @description By seat: the cards that it drew, first to last. Null for everybody but their seat until the game is over. */
            cards: (string | null)[][];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "hands_dealt";
        };
        /** @description An event as it is served: redacted for the viewer, with the hashes of the full event. */
        ScandaroonHashed: {
            /** @description The seats that have a choice after the event, rising; on the last event of an append. */
            acting?: number[];
            /** @description The time of the event (RFC 3339, UTC). */
            at: string;
            /** @description The seat whose choice caused it; null for the dealer and for players without a seat. */
            by: number | null;
            /** @description The event, redacted for the viewer. */
            event: components["schemas"]["ScandaroonEvent"];
            /** @description The hash of all events up to this one. 32 bytes in lower-case hex. */
            head: string;
            /** @description The number of events that follow in the same append; 0 on its last one. */
            more: number;
            /** @description The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it. */
            move?: components["schemas"]["ScandaroonMove"];
            /** @description The hash of what everybody may see of the event. 32 bytes in lower-case hex. */
            public: string;
            /** @description The hash of the whole event. 32 bytes in lower-case hex. */
            secret: string;
            /** @description The number of the event in its game, from 1. */
            version: number;
        };
        /** @description The highest score of a round so far, and the seats that reached it. */
        ScandaroonHighScore: {
            /** @description The score. */
            score: number;
            /** @description The seats that reached it. */
            seats: number[];
        };
        /** @description The moves that nothing speaks against, in worlds that the seat can imagine. */
        ScandaroonHint: {
            /**
             * @description The move that the first one is compared with. Absent: it is the only legal move, or that of the house player,
             *     because no world could be imagined.
             */
            against?: components["schemas"]["ScandaroonMove"];
            /** @description The points by which the first one is better than `against`. It may be chance: see `error`. */
            ahead: number;
            /** @description The standard error of `ahead`; the range of 95 % is `ahead` ± 1.96 times this. */
            error: number;
            /** @description The best first. The others of them are too close to it to tell. */
            moves: components["schemas"]["ScandaroonMove"][];
            /** @description The seat that asked. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The version of the table that it is about: that of the last event of the ruleset that stands. */
            version: number;
            /** @description The number of worlds in which `ahead` was measured. None of the moves was picked by them. */
            worlds: number;
        };
        /** @description The rules do not allow this move now. `legal_moves` lists the legal moves of the caller. */
        ScandaroonIllegalMoveProblem: {
            /** @description The version since which the current choice exists; null without a choice. */
            decision: number | null;
            /** @description An explanation of this case. */
            detail?: string;
            /** @description All legal moves of the caller. */
            legal_moves: components["schemas"]["ScandaroonMove"][];
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "illegal-move";
            /** @description The number of events so far. */
            version: number;
        };
        ScandaroonLimit: number | ("self_base" | "self_current");
        /** @description All legal moves of a seat. */
        ScandaroonListedMoves: {
            /** @description The version since which the current choice exists; null without a choice. */
            decision: number | null;
            /** @description All legal moves. Each can be posted unchanged. */
            legal_moves: components["schemas"]["ScandaroonMove"][];
            /** @description The seat that has these moves. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The number of events so far. */
            version: number;
        };
        ScandaroonMove: components["schemas"]["ScandaroonPlayMove"] | components["schemas"]["ScandaroonUseMove"] | components["schemas"]["ScandaroonTargetMove"] | components["schemas"]["ScandaroonPlaceMove"] | components["schemas"]["ScandaroonSetTrumpMove"] | components["schemas"]["ScandaroonStoneMove"] | components["schemas"]["ScandaroonExchangeMove"] | components["schemas"]["ScandaroonStopMove"] | components["schemas"]["ScandaroonPassMove"];
        /**
         * @description The result of a move: its events as the mover may see them, and the game after it unless `Prefer: return=minimal`
         *     was sent.
         */
        ScandaroonMoved: {
            /** @description The events of the move, as the mover may see them. */
            events: components["schemas"]["ScandaroonHashed"][];
            /** @description The game after the move. Absent with `Prefer: return=minimal`. */
            game?: components["schemas"]["ScandaroonGame"];
            /** @description The hash of all events up to this version. 32 bytes in lower-case hex. */
            head: string;
            /** @description The number of events after the move. */
            version: number;
        };
        /** @enum {string} */
        ScandaroonOccupant: "careful/1" | "deep/1" | "easy/1" | "me" | "open" | "random/1";
        /** @description The terms of the game, and the secret from which all deals follow. */
        ScandaroonOpenedEvent: {
            /** @description The bot that goes on when a player leaves the running game, or `abort`. Absent: they cannot leave. */
            absent?: components["schemas"]["Absent"];
            /** @description The time for choices. Absent: it is not limited. */
            clock?: components["schemas"]["Clock"];
            /** @description The hash of the secret, which all deals follow from. 32 bytes in lower-case hex. */
            commitment: string;
            /** @description The deal that the game has in common with others. */
            deal?: components["schemas"]["Deal"];
            /** @description The whole deck, so that the record needs nothing else. */
            deck: components["schemas"]["ScandaroonDeck"];
            /** @description The hash of the published description of these rules. 32 bytes in lower-case hex. */
            description: string;
            /** @description True: the player, who is alone with bots, can ask for hints. Absent: nobody can. */
            hints?: boolean;
            /** @description True: the opener plays all seats. */
            hotseat: boolean;
            /** @description A game that is not over after this number of events is aborted. Absent: no limit. */
            longest?: number;
            /** @description The player who opened the game. They need not have a seat. The id of a player: a guest's UUID, or `namespace:sub`. */
            opener: string;
            /** @description The options of the ruleset, all of them. */
            options: components["schemas"]["ScandaroonOptions"];
            parent?: components["schemas"]["Parent"];
            /** @description By seat. Absent: all are open. */
            places?: components["schemas"]["SeatTerms"][];
            /** @description True: only players and those who have the invitation code can see the game. */
            private: boolean;
            /**
             * @description The fairness protocol that the game follows.
             * @constant
             */
            protocol: "stammtisch/1";
            /** @description True: positions of the game may become puzzles, without names. Players agree by sitting down. Absent: they may not. */
            puzzles?: boolean;
            /** @description The id of the game that this one repeats. */
            rematch_of?: string;
            /** @description The ruleset and the version of its rules, `NAME/N`. */
            rules: string;
            /** @description The name of the ruleset. */
            ruleset: string;
            /** @description True: entropies are sealed. Absent: they are not. */
            sealed?: boolean;
            /** @description The number of seats. */
            seats: number;
            /** @description The secret that all deals follow from. Null for everybody until the game is over. */
            secret: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "opened";
            /** @description The moves that can be taken back: those that revealed nothing (`free`), or also others if all players agree (`agreed`). Absent: none. */
            undo?: components["schemas"]["Undo"];
        };
        /** @description Fixed when the game is opened. */
        ScandaroonOptions: {
            /** @description A card that may be laid anywhere may begin another seat's row. */
            foreign_empty_row: boolean;
            /**
             * @description The seats that get a sixth card when several share the last place: all of them, or none.
             *
             *     - `all`: All who share the last place
             *     - `none`: None of them
             * @enum {string}
             */
            tied_last_bonus: "all" | "none";
            /** @description 0: no card counts less, whatever the effects. null: it may. */
            value_floor: 0 | null;
        };
        /** @description Fixed when the game is opened. */
        ScandaroonOptionsInput: {
            /** @description A card that may be laid anywhere may begin another seat's row. Default: `true`. */
            foreign_empty_row?: boolean;
            /**
             * @description The seats that get a sixth card when several share the last place: all of them, or none.
             *
             *     - `all`: All who share the last place
             *     - `none`: None of them Default: `"all"`.
             * @enum {string}
             */
            tied_last_bonus?: "all" | "none";
            /** @description 0: no card counts less, whatever the effects. null: it may. Default: `0`. */
            value_floor?: 0 | null;
        };
        /**
         * @description The caller ran out of time, so the move came too late. A bot plays on at the seat, or the game was aborted.
         *
         *     If `can_return` is true, the caller takes the `seat` again with `POST .../seats`. `game` is the game as it is now;
         *     absent in the channel and with `Prefer: return=minimal`.
         */
        ScandaroonOutOfTimeProblem: {
            /** @description True: the caller can take the seat again. */
            can_return: boolean;
            /** @description An explanation of this case. */
            detail?: string;
            game?: components["schemas"]["ScandaroonGame"];
            /** @description The seat that the caller has lost. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "out-of-time";
        };
        /** @enum {string} */
        ScandaroonOutcome: "exchange" | "protect" | "score_pile" | "steal";
        /** @description Take no more turns in this round (SD-55). */
        ScandaroonPassMove: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "pass";
        };
        /** @description The seat takes no more turns in this round. */
        ScandaroonPassedEvent: {
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "passed";
        };
        /** @description The decision of the seat on turn before its turn ends (SD-32). */
        ScandaroonPending: {
            /** @description The cards just drawn, of which one may be played; null for the others. */
            drawn: (string | null)[];
            /** @description The card that is to be swapped or moved. */
            first: components["schemas"]["ScandaroonSpot"] | null;
            /**
             * @description The decision.
             *
             *     - `ability`: an ability
             *     - `may_play`: play one of the drawn cards, or none
             *     - `exchange`: exchange cards
             *     - `protect`: protect a card
             *     - `steal`: take a card
             * @enum {string}
             */
            kind: "ability" | "exchange" | "may_play" | "protect" | "steal";
            /** @description The number of targets still to be chosen. */
            left: number;
            /** @description The maximum number of cards to discard for others; the maximum base value of the stolen card. */
            most: number;
            /** @description The number of cards discarded for others. */
            out: number;
            /** @description The slot of the ability card in the seat's own row. */
            position: number | null;
        };
        /** @enum {string} */
        ScandaroonPhase: "deal" | "over" | "reshuffle" | "settle" | "turn";
        /** @description Say where the card goes that an ability moves: to a slot of its row, or to the end of a row (SD-43). */
        ScandaroonPlaceMove: {
            /** @description A slot of the row; slots keep their numbers for a whole round. */
            position?: number | null;
            /** @description The seat of the row. Seats are numbered from 0, rising clockwise. */
            row?: number | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "place";
        };
        /** @description Lay a card of your hand at the end of your row; some cards may be laid at any row (SD-34). */
        ScandaroonPlayMove: {
            /** @description The card, by its `id` in the deck. */
            card: string;
            /** @description The seat of the row. Seats are numbered from 0, rising clockwise. */
            row: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "play";
        };
        /** @description The seat laid a card of its hand at the end of the row. */
        ScandaroonPlayedEvent: {
            /** @description The card that was laid. By its `id` in the deck. */
            card: string;
            /** @description The seat of the row. Seats are numbered from 0, rising clockwise. */
            row: number;
            /** @description The seat that had the card. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "played";
        };
        /** @description The starting seat was drawn by lot, trump cards and cards were shuffled, the top trump card revealed (SD-60). */
        ScandaroonPreparedEvent: {
            /** @description The draw pile; the last card is its top. Null for everybody until the game is over. */
            draw: (string | null)[];
            /** @description The seat that begins the first round. Seats are numbered from 0, rising clockwise. */
            starter: number;
            /**
             * @description - `scimitar`: scimitar
             *     - `crescent`: crescent
             *     - `turban`: turban
             *     - `cross_tile`: cross tile
             */
            trump: components["schemas"]["ScandaroonSymbol"];
            /**
             * @description The cards below it.
             *
             *     - `scimitar`: scimitar
             *     - `crescent`: crescent
             *     - `turban`: turban
             *     - `cross_tile`: cross tile
             */
            trump_cards: (components["schemas"]["ScandaroonSymbol"] | null)[];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "prepared";
        };
        /** @description The seat's action stone lies on the card until the round ends. */
        ScandaroonProtectedEvent: {
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            spot: components["schemas"]["ScandaroonSpot"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "protected";
        };
        /** @description The chosen cards go to the discard pile. */
        ScandaroonRemove: {
            /** @description The number of cards that are chosen. */
            count: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "remove";
            target: components["schemas"]["ScandaroonFilter"];
        };
        /** @description The card went to the discard pile; `left` more are to be chosen. */
        ScandaroonRemovedEvent: {
            /** @description The number of cards that are still to be chosen. */
            left: number;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            spot: components["schemas"]["ScandaroonSpot"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "removed";
        };
        /** @description Before the third round draw pile and discard pile were shuffled and are the new draw pile (SD-61). */
        ScandaroonReshuffledEvent: {
            /** @description The new draw pile; the last card is its top. Null for everybody until the game is over. */
            draw: (string | null)[];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "reshuffled";
        };
        /** @description The chosen cards go to the hand of the user, or of the row's seat. */
        ScandaroonReturn: {
            /** @description The number of cards that are chosen. */
            count: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "return";
            target: components["schemas"]["ScandaroonFilter"];
            /**
             * @description The hand of the seat that uses the ability, or of the seat that owns the row.
             * @enum {string}
             */
            to: "owner" | "user";
        };
        /** @description The card went to a hand; `left` more are to be chosen. */
        ScandaroonReturnedEvent: {
            /** @description The number of cards that are still to be chosen. */
            left: number;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            spot: components["schemas"]["ScandaroonSpot"];
            /** @description The seat to whose hand the card went. Seats are numbered from 0, rising clockwise. */
            to: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "returned";
        };
        /** @description Every choice of a finished game, weighed as far as its seat could know, and where the results come from. */
        ScandaroonReview: {
            /** @description The accounts of the whole game, by seat. */
            accounts: components["schemas"]["Account"][];
            /** @description The choices of the reviewed seats, in their order. Forced moves and those of house players are left out. */
            choices: components["schemas"]["ScandaroonChoice"][];
            /** @constant */
            format: "stammtisch-review/1";
            /** @description The head of the record. All random numbers of the review follow from it. 32 bytes in lower-case hex. */
            head: string;
            /** @description The house player that plays on in the imagined worlds. */
            house: string;
            /** @description By reviewed seat with choices. */
            means: components["schemas"]["Mean"][];
            /** @description The number of worlds that were imagined: `quick`, `standard` or `full`. */
            plan: string;
            /** @description The rounds in their order. */
            rounds: components["schemas"]["ReviewedRound"][];
            /** @description The ruleset and the version of its rules. */
            rules: string;
            /**
             * @description `first`: accounts are provisional, and no choice has a category yet.
             * @enum {string}
             */
            state: "final" | "first";
            /** @description The losses, in points, from which on a choice is an inaccuracy, a mistake, a blunder. Empty: not measured yet. */
            thresholds: number[];
            /** @description The versions of choices for which no world could be imagined. */
            unweighed: number[];
        };
        /** @description A round that has been played. */
        ScandaroonRound: {
            /** @description By seat: the victory points on the rank track. */
            points: number[];
            /** @description By seat: the score of its row. */
            scores: number[];
        };
        /**
         * @description All have passed: the scores of the round, and the victory points for them (SD-62 to SD-67).
         *
         *     `points` are those on the rank track. The cards that lay in the slots `taken` went to the score piles of the rows'
         *     seats. The others are who has, from now on, points for no trump, for the score piles and for the highest score.
         */
        ScandaroonRoundScoredEvent: {
            /** @description The seats that have led a round that began or ended without trump. */
            no_trump: number[];
            /** @description The seats with the highest score pile. */
            pile_first: number[];
            /** @description The seats with the second score pile. */
            pile_second: number[];
            /** @description By seat: the victory points for the rank in this round. */
            points: number[];
            record: components["schemas"]["ScandaroonHighScore"];
            /** @description By seat: what the cards of its row count together. */
            scores: number[];
            /** @description The places of the cards that went to score piles. */
            taken: components["schemas"]["ScandaroonSpot"][];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "round_scored";
        };
        /** @description Change the trump (SD-44). */
        ScandaroonSetTrumpMove: {
            /**
             * @description - `scimitar`: scimitar
             *     - `crescent`: crescent
             *     - `turban`: turban
             *     - `cross_tile`: cross tile
             *     - `none`: no trump
             */
            trump: components["schemas"]["ScandaroonTrump"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "set_trump";
        };
        /** @description The chosen card takes another occupied slot of its row, or goes to the end of another row. */
        ScandaroonShift: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "move";
            target: components["schemas"]["ScandaroonFilter"];
            /**
             * @description `same_row`: an occupied slot of its row; `row_end`: the end of another row.
             * @enum {string}
             */
            to: "row_end" | "same_row";
        };
        /** @description The card took that slot. Within a row the cards between close up, in another row the slot is new (SD-43). */
        ScandaroonShiftedEvent: {
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            spot: components["schemas"]["ScandaroonSpot"];
            to: components["schemas"]["ScandaroonSpot"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "shifted";
        };
        /** @description The choices of the caller in a game now. */
        ScandaroonSituation: {
            /** @description The reason why the game was aborted; absent otherwise. */
            cause?: components["schemas"]["Cause"];
            clock?: components["schemas"]["GameClock"];
            /** @description The version since which the choice of the seat exists; null: it has none. */
            decision: number | null;
            /** @description All of them; each can be sent as it is. */
            legal_moves: components["schemas"]["ScandaroonMove"][];
            /** @description Null until the game is finished. */
            result: components["schemas"]["Result"] | null;
            /** @description The seats with their players. Absent if nothing has changed since the last one. */
            seats?: components["schemas"]["SeatAssignment"][];
            /** @description The status of the game. */
            status: components["schemas"]["Status"];
            /** @description The seats that must act, rising. */
            to_act: number[];
            /**
             * @description The last version of the caller's move that they can take back without asking, or null; absent if the game has no
             *     undo.
             */
            undo?: number | null;
            /** @description The version of the game now. */
            version: number;
            /** @description The open question. Absent if there is none. */
            vote?: components["schemas"]["Question"];
            /** @description The seat of the caller, or of their perspective; null: a bystander. */
            you: number | null;
        };
        /** @description A card in a row. */
        ScandaroonSlot: {
            /** @description The points that abilities add to its value. */
            boost: number;
            /** @description The card that lies there. By its `id` in the deck. */
            card: string;
            /** @description The seat whose action stone lies on it. */
            protected_by: number | null;
        };
        /** @description The ability was used, and its card went to the discard pile. */
        ScandaroonSpentEvent: {
            /** @description The slot of the card in the seat's row; it is empty now. */
            position: number;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "spent";
        };
        /** @description A slot of a row. */
        ScandaroonSpot: {
            /** @description The slot in the row, from 0 at the left. */
            position: number;
            /** @description The seat of the row. Seats are numbered from 0, rising clockwise. */
            row: number;
        };
        /**
         * @description The caller's choice has changed since the version in `If-Match`. `missed` lists the first
         *     events since that version, at most 32.
         */
        ScandaroonStaleDecisionProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /** @description The first events since the version in `If-Match`, at most 32. `GET .../events` has the others. */
            missed: components["schemas"]["ScandaroonHashed"][];
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 412;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "stale-decision";
            /** @description The number of events so far. */
            version: number;
        };
        /** @description An event of the record, as it looks from a perspective. */
        ScandaroonStep: {
            /** @description The event as the perspective sees it. Absent if that is the whole event, as in the record. */
            event?: components["schemas"]["ScandaroonEvent"];
            /** @description JSON Patch (RFC 6902) from the view before the event to the one after. */
            patch: (components["schemas"]["AddOperation"] | components["schemas"]["RemoveOperation"] | components["schemas"]["ReplaceOperation"])[];
            /** @description The points that the cards count after the event. Absent if it has not changed. */
            tally?: components["schemas"]["Tally"] | null;
        };
        /** @description The card went to the seat's hand. */
        ScandaroonStolenEvent: {
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            spot: components["schemas"]["ScandaroonSpot"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "stolen";
        };
        /** @description Discard a card of your hand or of your row for your action stone (SD-48). */
        ScandaroonStoneMove: {
            /** @description The card, by its `id` in the deck. */
            card?: string | null;
            /** @description A slot of the row; slots keep their numbers for a whole round. */
            position?: number | null;
            /**
             * @description One that the card bears; any for a card without symbol.
             *
             *     - `scimitar`: scimitar
             *     - `crescent`: crescent
             *     - `turban`: turban
             *     - `cross_tile`: cross tile
             */
            symbol: components["schemas"]["ScandaroonSymbol"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "stone";
        };
        /** @enum {string} */
        ScandaroonStonePlace: "card" | "gone" | "pile" | "ready";
        /** @description The card was discarded for the seat's action stone. It came from that slot of its row, or else from its hand. */
        ScandaroonStonePlayedEvent: {
            /** @description The card that was discarded. By its `id` in the deck. */
            card: string;
            /**
             * @description - `score_pile`: the stone goes to the score pile
             *     - `exchange`: exchange cards of the hand
             *     - `protect`: protect a card
             *     - `steal`: take a card into the hand
             */
            outcome: components["schemas"]["ScandaroonOutcome"];
            /** @description The slot of the card in the seat's row. Absent: the card came from the hand. */
            position?: number;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description - `scimitar`: scimitar
             *     - `crescent`: crescent
             *     - `turban`: turban
             *     - `cross_tile`: cross tile
             */
            symbol: components["schemas"]["ScandaroonSymbol"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "stone_played";
        };
        /** @description Play none of the cards drawn (SD-46), or discard no more (SD-51). */
        ScandaroonStopMove: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "stop";
        };
        /** @description Two cards exchange their slots. */
        ScandaroonSwap: {
            first: components["schemas"]["ScandaroonFilter"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "swap";
            /** @description The maximum difference of their base values. */
            max_difference: number | null;
            second: components["schemas"]["ScandaroonFilter"];
        };
        /** @description The two cards have exchanged their slots. */
        ScandaroonSwappedEvent: {
            one: components["schemas"]["ScandaroonSpot"];
            other: components["schemas"]["ScandaroonSpot"];
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "swapped";
        };
        /** @enum {string} */
        ScandaroonSymbol: "crescent" | "cross_tile" | "scimitar" | "turban";
        /** @description All cards in rows went to the discard pile, and the seat will begin the next round (SD-69, SD-70). */
        ScandaroonTableClearedEvent: {
            /** @description The seat that begins the next round. Seats are numbered from 0, rising clockwise. */
            starter: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "table_cleared";
        };
        /** @description Choose a card in play for an ability or the action stone (SD-39). */
        ScandaroonTargetMove: {
            /** @description A slot of the row; slots keep their numbers for a whole round. */
            position: number;
            /** @description The seat of the row. Seats are numbered from 0, rising clockwise. */
            row: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "target";
        };
        /** @description The first of two cards that are to be swapped, or the card that is to be moved. */
        ScandaroonTargetedEvent: {
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            spot: components["schemas"]["ScandaroonSpot"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "targeted";
        };
        /** @enum {string} */
        ScandaroonTrump: "crescent" | "cross_tile" | "none" | "scimitar" | "turban";
        /** @description The seat has changed the trump. */
        ScandaroonTrumpChangedEvent: {
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description - `scimitar`: scimitar
             *     - `crescent`: crescent
             *     - `turban`: turban
             *     - `cross_tile`: cross tile
             *     - `none`: no trump
             */
            trump: components["schemas"]["ScandaroonTrump"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "trump_changed";
        };
        /** @description The revealed trump card was turned face down: the round has no trump (SD-73). */
        ScandaroonTrumpFlippedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "trump_flipped";
        };
        /** @description The top trump card went under the others, and the next one was revealed (SD-73). */
        ScandaroonTrumpRevealedEvent: {
            /**
             * @description - `scimitar`: scimitar
             *     - `crescent`: crescent
             *     - `turban`: turban
             *     - `cross_tile`: cross tile
             */
            trump: components["schemas"]["ScandaroonSymbol"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "trump_revealed";
        };
        /** @description It is the seat's turn. */
        ScandaroonTurnBeganEvent: {
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "turn_began";
        };
        /** @description Use the ability of a card in your row, which is discarded afterwards (SD-37). */
        ScandaroonUseMove: {
            /** @description A slot of the row; slots keep their numbers for a whole round. */
            position: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "use";
        };
        /** @description The seat uses the ability of the card in that slot of its row. */
        ScandaroonUsedEvent: {
            /** @description The slot of the card in the seat's row. */
            position: number;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "used";
        };
        /** @description The table. The dealer acts in `deal` and `reshuffle`, nobody in `settle` (what a move entails) and `over`. */
        ScandaroonView: {
            /** @description The name of the deck. It selects the deck when a game is opened. */
            deck: string;
            /** @description The discard pile, face up; the last card is the top. */
            discard: string[];
            /** @description The draw pile, face down; the last card is the top. */
            draw: (string | null)[];
            /** @description The top trump card lies face down: there is no trump. */
            flipped: boolean;
            /**
             * @description By seat: the cards in the order of arrival.
             *
             *     Cards that the viewer cannot know are null; their number is not hidden.
             */
            hands: (string | null)[][];
            /** @description The seats that have won a round that began or ended without trump. */
            no_trump: number[];
            /** @description The options of the game. */
            options: components["schemas"]["ScandaroonOptions"];
            /** @description By seat: whether it has passed for the rest of the round. */
            passed: boolean[];
            /** @description The decision of the seat `turn` before its turn ends; null: there is none. */
            pending: components["schemas"]["ScandaroonPending"] | null;
            /**
             * @description The phase: what the game waits for.
             *
             *     - `deal`: The cards are dealt
             *     - `turn`: Lay a card, use an ability, play the stone, or pass
             *     - `settle`: The move is completed
             *     - `reshuffle`: The cards are shuffled
             *     - `over`: The game is over
             */
            phase: components["schemas"]["ScandaroonPhase"];
            /** @description The seats with the most points on their score piles; each has 3 victory points for it. */
            pile_first: number[];
            /** @description The seats with the second most points on their score piles; each has 1 victory point for it. */
            pile_second: number[];
            /** @description By seat: the victory points on the rank track. */
            rank_points: number[];
            /** @description The highest score of a round so far. */
            record: components["schemas"]["ScandaroonHighScore"] | null;
            /** @description The number of the round, from 1. */
            round: number;
            /** @description The scored rounds, first to last. */
            rounds: components["schemas"]["ScandaroonRound"][];
            /** @description By seat: the slots of its row, from left to right. Null: the card is gone, and the slot keeps its number. */
            rows: (components["schemas"]["ScandaroonSlot"] | null)[][];
            /** @description By seat: the cards on its score pile, in the order of arrival. */
            score_piles: string[][];
            /** @description The seat that begins the round; null until it is known. */
            starter: number | null;
            /**
             * @description By seat: where its action stone is.
             *
             *     - `ready`: ready
             *     - `pile`: on the score pile
             *     - `card`: on a card
             *     - `gone`: out of the game
             */
            stones: components["schemas"]["ScandaroonStonePlace"][];
            /** @description By seat: all victory points; null until the game is over. */
            totals: number[] | null;
            /**
             * @description The current trump.
             *
             *     - `scimitar`: scimitar
             *     - `crescent`: crescent
             *     - `turban`: turban
             *     - `cross_tile`: cross tile
             *     - `none`: no trump
             */
            trump: components["schemas"]["ScandaroonTrump"];
            /**
             * @description The trump at the start of the round.
             *
             *     - `scimitar`: scimitar
             *     - `crescent`: crescent
             *     - `turban`: turban
             *     - `cross_tile`: cross tile
             *     - `none`: no trump
             */
            trump_at_start: components["schemas"]["ScandaroonTrump"];
            /**
             * @description The pile of trump cards; the last one is the top and revealed, null is an unrevealed one.
             *
             *     - `scimitar`: scimitar
             *     - `crescent`: crescent
             *     - `turban`: turban
             *     - `cross_tile`: cross tile
             */
            trump_cards: (components["schemas"]["ScandaroonSymbol"] | null)[];
            /** @description The seat whose turn it is. */
            turn: number | null;
            /** @description The seats that have won; null until the game is over. */
            winners: number[] | null;
        };
        /** @description The last round is over: all victory points, and the winners (SD-68). */
        ScandaroonWonEvent: {
            /** @description By seat: all victory points. */
            totals: number[];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "won";
            /** @description The winning seats; several in a tie. */
            winners: number[];
        };
        /** @description The choice of a house player for a seat, from what that seat sees. */
        ScopinionAdvice: {
            /** @description The move, which can be posted unchanged; null if the seat has no choice now. */
            move: components["schemas"]["ScopinionMove"] | null;
            /** @description The seat that is to choose. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The number of events so far. */
            version: number;
        };
        /** @description The seat laid cards on its stage and got the card, by paying or by a function (SP-15). */
        ScopinionBoughtEvent: {
            /** @description A card's id: the letter of its kind or colour, its value, and which copy it is. */
            card: string;
            /**
             * @description - `pay`: for
             *     - `triple`: with ×3:
             *     - `take`: with
             * @enum {string}
             */
            how: "pay" | "take" | "triple";
            /** @description The cards from the hand that are on the stage now. */
            laid: string[];
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description - `stage`: onto the stage
             *     - `showcase`: into the showcase
             *     - `hand`: into the hand
             * @enum {string}
             */
            to: "hand" | "showcase" | "stage";
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "bought";
        };
        /** @description The points of a seat's cards, line by line (SP-52, SP-66). */
        ScopinionBreakdown: {
            /** @description All hearts in the own cards: they count in a tie only (SP-53). */
            hearts: number;
            /** @description One for every card of the smaller pile of targets, in expert mode. */
            pairs: number;
            /** @description Red hearts in the own cards. */
            red: number;
            /** @description The points for the targets in the showcase, in expert mode. */
            showcase: number;
            /** @description Minus two for each that no green heart neutralises. */
            spades: number;
            /** @description The points for the targets in the vault. */
            vault: number;
        };
        /** @description Buy an open card with cards of your hand; every one must be needed (SP-20). */
        ScopinionBuyMove: {
            /** @description An open card: in the display, or the top target. */
            card: string;
            /** @description The cards that are paid, in ascending order. */
            pay: string[];
            /**
             * @description The place of a target in expert mode, `stage` or `showcase`; null for all other cards (SP-62).
             *
             *     - `stage`: onto the stage
             *     - `showcase`: into the showcase
             */
            to?: ("showcase" | "stage") | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "buy";
        };
        /** @description After the last turn all hands, decks and vaults are open (SP-5). */
        ScopinionCardsRevealedEvent: {
            /** @description By seat: its deck; the last card is its top. */
            decks: string[][];
            /** @description By seat: the cards in the hand. */
            hands: string[][];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "cards_revealed";
            /** @description By seat: the targets in the vault. */
            vaults: string[][];
        };
        /** @description A choice of a player between several legal moves, weighed in worlds that its seat could imagine. */
        ScopinionChoice: {
            /** @description The house player might have made the same move. */
            as_house: boolean;
            /**
             * @description The move that seems to be better. Absent: none was found among the moves and worlds that were tried; this does
             *     not show that there is none.
             */
            best?: components["schemas"]["ScopinionMove"];
            /** @description The category of the least that the choice has cost with nine chances in ten. Absent: too close to tell. */
            category?: components["schemas"]["Category"];
            /** @description The standard error of `loss`; the range of 95 % is `loss` ± 1.96 times this. */
            error: number;
            /** @description The result that the seat could expect before, in points ahead. */
            expected: number;
            /** @description The player had a hint. */
            hinted: boolean;
            /**
             * @description The points by which that move is better. It may be chance: see `error`. Without `best` it is 0 and was not
             *     measured.
             */
            loss: number;
            /** @description The move that was made. */
            made: components["schemas"]["ScopinionMove"];
            /** @description The loss was measured in worlds that neither the best move nor the choice was picked by. */
            refined: boolean;
            /** @description Rounds are numbered from 0. */
            round: number;
            /** @description The seat that chose. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The version of the first event that it caused. The choice was made at the version before. */
            version: number;
            /** @description The number of worlds in which `loss` was measured. */
            worlds: number;
        };
        /** @enum {string} */
        ScopinionColour: "blue" | "green" | "orange" | "red";
        /**
         * @description The table is laid: a deck for each seat; its two top cards are the hand (SP-41).
         *
         *     Three cards of the supply lie open. `targets` lie face down on the open `purple` ones, and on them the one that was
         *     `turned` up; if there is none of them the purple ones are all. Removed cards stay out. All cards are in the order in
         *     which they lay after their shuffle.
         */
        ScopinionDealtEvent: {
            /** @description By seat: its deck; the last card is its top. Null for everybody until the game is over. */
            decks: (string | null)[][];
            /** @description The open cards of the supply, by their place. */
            display: string[];
            /**
             * @description By seat: the two cards in its hand, the last one drawn first. Null for everybody but their seat until the game is
             *     over.
             */
            hands: (string | null)[][];
            /** @description The open targets at the bottom of the pile; the last card is on top. */
            purple: string[];
            /** @description The cards of the supply that stay out of the game. Null for everybody until the game is over. */
            removed: (string | null)[];
            /** @description The targets that stay out of the game. Null for everybody until the game is over. */
            removed_targets: (string | null)[];
            /** @description The seat that has the first turn. Seats are numbered from 0, rising clockwise. */
            starter: number;
            /** @description The cards that fill the display; the last card is its top. Null for everybody until the game is over. */
            supply: (string | null)[];
            /** @description The face-down targets on them; the last card is on top. Null for everybody until the game is over. */
            targets: (string | null)[];
            /** @description The target on top of all, face up; empty if only purple ones are in play. */
            turned: string[];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "dealt";
        };
        /** @description The cards in canonical order, as they are shuffled. */
        ScopinionDeck: {
            /** @description All cards, each with an id of its own. */
            cards: components["schemas"]["ScopinionPrintedCard"][];
            /** @description The licence of these data, which records contain: an SPDX expression, `LicenseRef-` for others. */
            licence?: string;
            /** @description It selects the deck when a game is opened. */
            name: string;
            /** @description The source of the list of cards. */
            provenance: string;
            /** @description The ruleset that the deck is for. */
            ruleset: string;
        };
        /** @description Draw a card, which you then keep or reject: the function of the 1 (SP-23). */
        ScopinionDrawOneMove: {
            /** @description The card of your hand that has the function; it goes to the stage. */
            by: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "draw_one";
        };
        /** @description Draw two cards: the function of the 2 (SP-25). */
        ScopinionDrawTwoMove: {
            /** @description The card of your hand that has the function; it goes to the stage. */
            by: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "draw_two";
        };
        /** @description The seat drew a card that it may keep or reject; nobody else sees it (SP-23). */
        ScopinionDrawnAsideEvent: {
            /** @description Null for everybody but the seat until the game is over. */
            card: string | null;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description - `deck`: from the deck
             *     - `graveyard`: from the graveyard
             * @enum {string}
             */
            source: "deck" | "graveyard";
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "drawn_aside";
        };
        /**
         * @description The seat drew the cards into its hand one after the other; nobody else sees them (SP-32).
         *
         *     From the top of its deck, or from the bottom of the graveyard: as many as are left there, perhaps none.
         */
        ScopinionDrawnEvent: {
            /** @description First to last. Null for everybody but the seat until the game is over. */
            cards: (string | null)[];
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description - `deck`: from the deck
             *     - `graveyard`: from the graveyard
             * @enum {string}
             */
            source: "deck" | "graveyard";
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "drawn";
        };
        /** @description The end is near: `final` more turns begin after the current one (SP-50). */
        ScopinionEndTriggeredEvent: {
            /** @description The number of turns that begin after the current one. */
            final: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "end_triggered";
        };
        /** @description End your turn: all cards of your hand but the one you hold go to the stage without effect (SP-29). */
        ScopinionEndTurnMove: {
            /** @description The card that stays in your hand. */
            hold?: string | null;
            /**
             * @description Shuffle deck and discard first; only after buying a card with the symbol for it.
             *
             *     - `true`: Shuffle deck and discard first
             *     - `false`: Do not shuffle Default: `false`.
             */
            reshuffle?: boolean | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "end_turn";
        };
        /**
         * @description An event as a record has it: redacted for the viewer, with the hashes of the full event.
         *
         *     A complete record has no hashes, because they follow from its events and the secret. An *append* is what one command
         *     added to the log, all or nothing.
         */
        ScopinionEntry: {
            /** @description The seats that have a choice after the event, rising; on the last event of an append. */
            acting?: number[];
            /** @description The time of the event (RFC 3339, UTC). */
            at: string;
            /** @description The seat whose choice caused it; null for the dealer and for players without a seat. */
            by: number | null;
            /** @description The event, redacted for the viewer. */
            event: components["schemas"]["ScopinionEvent"];
            /** @description The hash of all events up to this one. 32 bytes in lower-case hex. */
            head?: string;
            /** @description The number of events that follow in the same append; 0 on its last one. */
            more: number;
            /** @description The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it. */
            move?: components["schemas"]["ScopinionMove"];
            /** @description The hash of what everybody may see of the event. 32 bytes in lower-case hex. */
            public?: string;
            /** @description The hash of the whole event. 32 bytes in lower-case hex. */
            secret?: string;
            /** @description The number of the event in its game, from 1. */
            version: number;
        };
        ScopinionEvent: components["schemas"]["ScopinionOpenedEvent"] | components["schemas"]["JoinedEvent"] | components["schemas"]["LeftEvent"] | components["schemas"]["DeclinedEvent"] | components["schemas"]["ReadiedEvent"] | components["schemas"]["BegunEvent"] | components["schemas"]["GoneEvent"] | components["schemas"]["RejoinedEvent"] | components["schemas"]["GrantedEvent"] | components["schemas"]["ResumedEvent"] | components["schemas"]["VotedEvent"] | components["schemas"]["TakenBackEvent"] | components["schemas"]["HintedEvent"] | components["schemas"]["EndedEvent"] | components["schemas"]["AbortedEvent"] | components["schemas"]["RevealedEvent"] | components["schemas"]["ScopinionDealtEvent"] | components["schemas"]["ScopinionTurnBeganEvent"] | components["schemas"]["ScopinionBoughtEvent"] | components["schemas"]["ScopinionPlayedEvent"] | components["schemas"]["ScopinionDrawnAsideEvent"] | components["schemas"]["ScopinionKeptEvent"] | components["schemas"]["ScopinionRejectedEvent"] | components["schemas"]["ScopinionDrawnEvent"] | components["schemas"]["ScopinionShuffledEvent"] | components["schemas"]["ScopinionTrashedEvent"] | components["schemas"]["ScopinionSecuredEvent"] | components["schemas"]["ScopinionPikOffMadeEvent"] | components["schemas"]["ScopinionEndTriggeredEvent"] | components["schemas"]["ScopinionTurnEndedEvent"] | components["schemas"]["ScopinionCardsRevealedEvent"] | components["schemas"]["ScopinionScoredEvent"] | components["schemas"]["ScopinionWonEvent"];
        /** @description An event in a page or stream. */
        ScopinionEventItem: {
            /** @description The seats that have a choice after the event, rising; on the last event of an append. */
            acting?: number[];
            /** @description The time of the event (RFC 3339, UTC). */
            at: string;
            /** @description The seat whose choice caused it; null for the dealer and for players without a seat. */
            by: number | null;
            /** @description The event, redacted for the viewer. */
            event: components["schemas"]["ScopinionEvent"];
            /** @description The hash of all events up to this one. 32 bytes in lower-case hex. */
            head: string;
            /** @description The number of events that follow in the same append; 0 on its last one. */
            more: number;
            /** @description The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it. */
            move?: components["schemas"]["ScopinionMove"];
            /** @description The JSON Patch (RFC 6902), with `with=patch`, from the `view` of the version before to that of this version. Absent otherwise. */
            patch?: (components["schemas"]["AddOperation"] | components["schemas"]["RemoveOperation"] | components["schemas"]["ReplaceOperation"])[];
            /** @description The hash of what everybody may see of the event. 32 bytes in lower-case hex. */
            public: string;
            /** @description The hash of the whole event. 32 bytes in lower-case hex. */
            secret: string;
            /** @description The points that the cards count at this version, with `with=tally`, if they differ from those at the version before; null before the game begins. Absent otherwise. */
            tally?: components["schemas"]["Tally"] | null;
            /** @description The number of the event in its game, from 1. */
            version: number;
        };
        /** @description A page of a list. `next` is the URL of the next page, or null on the last one. */
        ScopinionEventItemPage: {
            /** @description The items in order. */
            items: components["schemas"]["ScopinionEventItem"][];
            /** @description The URL of the next page; null on the last one. */
            next: string | null;
        };
        /**
         * @description A finished game with its views from every perspective, for programs that know no rules.
         *
         *     Only the record is proven by its hashes. The rest follows from the record by the rules.
         */
        ScopinionFilm: {
            /** @description The effects of the cards of the deck. */
            captions: components["schemas"]["Captions"];
            /** @constant */
            format: "stammtisch-film/1";
            /** @description By perspective (`all`, `bystander`, and the number of each seat), one step for each event of the record. Before the first step the view is null. */
            perspectives: {
                [key: string]: components["schemas"]["ScopinionStep"][];
            };
            /** @description The record that the film was made of. */
            record: components["schemas"]["ScopinionGameRecord"];
            /** @description The ruleset as `GET /v1/rulesets/NAME` describes it, so that the film needs no service. */
            ruleset: components["schemas"]["Ruleset"];
        };
        /** @enum {string} */
        ScopinionFunction: "draw_one" | "draw_two" | "take" | "trash" | "triple";
        /** @description A game as the caller may see it. `view` is null before the game begins; hidden cards in it are null. */
        ScopinionGame: {
            /** @description The bot that goes on when a player leaves the running game, or `abort`. Absent if they cannot leave. */
            absent?: components["schemas"]["Absent"];
            /** @description The reason why the game was aborted. Absent otherwise. */
            cause?: components["schemas"]["Cause"];
            /** @description The time for choices. Absent: it is not limited. */
            clock?: components["schemas"]["GameClock"];
            /** @description The hash of the secret from which all deals are derived. */
            commitment: string;
            /** @description The time at which the game was opened (RFC 3339, UTC). */
            created_at: string;
            /**
             * @description The deal that the game has in common with others. Absent once its secret is revealed: until then the cards stay
             *     hidden, also when the game is over.
             */
            deal?: components["schemas"]["Deal"];
            /** @description The version since which the caller's current choice exists. */
            decision: number | null;
            /** @description The deck of the game. */
            deck: components["schemas"]["DeckNamed"];
            /** @description The hash of all events up to this version. */
            head: string;
            /** @description True: the player, who is alone with bots, can ask for hints. Absent otherwise. */
            hints?: boolean;
            /** @description One player has all seats. */
            hotseat: boolean;
            /** @description The id of the game. */
            id: string;
            /** @description True if the game was imported from a record. Absent otherwise. */
            imported?: boolean;
            /** @description The code for others to see and join a private game. For members only. */
            invite?: string;
            /** @description All legal moves of the caller. Each can be posted unchanged. */
            legal_moves: components["schemas"]["ScopinionMove"][];
            /** @description URLs of the parts of the game. */
            links: components["schemas"]["GameLinks"];
            /** @description The options of the game. */
            options: components["schemas"]["ScopinionOptions"];
            /** @description The game that this branch continues. Absent in other games. */
            parent?: components["schemas"]["Parent"];
            /** @description Only members and holders of the invite see the game. */
            private: boolean;
            /** @description True: positions of the game may become puzzles, without names; sitting down agrees to it. Absent otherwise. */
            puzzles?: boolean;
            /** @description The id of the game that this one repeats. Absent in other games. */
            rematch_of?: string;
            /** @description The result; null until the game is finished. */
            result: components["schemas"]["Result"] | null;
            /** @description The ruleset and the version of its rules, such as `name/1`. */
            rules: string;
            /** @description The name of the ruleset. */
            ruleset: string;
            /** @description True: players seal their entropies, and open them when all seats are taken. Absent otherwise. */
            sealed?: boolean;
            /** @description The seats in order, from 0. */
            seats: components["schemas"]["SeatAssignment"][];
            /** @description `waiting` for players, `running`, `finished` with a result, or `aborted` without one. */
            status: components["schemas"]["Status"];
            /** @description The points that the cards count now, with `with=tally`; null before the game begins. Absent otherwise. */
            tally?: components["schemas"]["Tally"] | null;
            /** @description The seats that must act now. */
            to_act: number[];
            /** @description The last version of the caller's move that they can take back without asking, or null. Absent if no move can be taken back in this game. */
            undo?: number | null;
            /** @description The moves that can be taken back: those that revealed nothing, or also others by agreement. Absent: none. */
            undo_mode?: components["schemas"]["Undo"];
            /** @description The number of events so far. */
            version: number;
            /** @description The table as this perspective may see it; null before the game begins. */
            view: components["schemas"]["ScopinionView"] | null;
            /** @description The open question. Absent if there is none. */
            vote?: components["schemas"]["Question"];
            /** @description The caller's seat. */
            you: number | null;
        };
        /** @description All events of a game so far, and what a verifier needs. */
        ScopinionGameRecord: {
            /** @description The hash of the secret that all deals follow from. */
            commitment: string;
            deck: components["schemas"]["ScopinionDeck"];
            /**
             * @description All events from the first one on, as the perspective sees them. The game's version is their number. In a
             *     complete record, the one with the secret, they have no hashes.
             */
            events: components["schemas"]["ScopinionEntry"][];
            /** @constant */
            format: "stammtisch-record/1";
            /** @description The hash that covers all events of the record. */
            head: string;
            /** @description The id of the game. */
            id: string;
            /** @description The display names of the opener and of the players at the seats, by id, as of the time of the download. Unproven: no hash covers them. Former players have none. */
            names: {
                [key: string]: string;
            };
            options: components["schemas"]["ScopinionOptions"];
            /** @description The game that a branch continues; null: it is no branch. */
            parent: components["schemas"]["Parent"] | null;
            /** @description The final scores and the winners; null while the game runs and if it was aborted. */
            result: components["schemas"]["Result"] | null;
            /** @description The ruleset and the version of its rules that this game is played by. */
            rules: string;
            /** @description The name of the ruleset. */
            ruleset: string;
            /** @description All seats, in their order. */
            seats: components["schemas"]["RecordedSeat"][];
            /** @description Null while the game runs, and in redacted records. */
            secret: string | null;
        };
        /** @description The terms of a new game. */
        ScopinionGameRequest: {
            /**
             * @description The bot that goes on when a player leaves the running game, or `abort`, which ends the game. Default: the ruleset's best bot. Not for hotseat games, which nobody can leave.
             * @enum {string}
             */
            absent?: "abort" | "careful/1" | "easy/1" | "random/1";
            /** @description The time for choices. Default: it is not limited. Not for hotseat games. */
            clock?: components["schemas"]["ClockInput"];
            /**
             * @description The name of a deck. Default: the ruleset's first deck.
             * @constant
             */
            deck?: "reconstruction-1";
            /** @description The contribution of a seat to the shuffles: up to 64 printable ASCII characters, public. Default: `""`. */
            entropy?: string;
            /** @description The player can ask for hints. Only if all seats but one are for bots. Default: `false`. */
            hints?: boolean;
            /** @description The opener plays all seats: for pass-and-play, analysis and tests. Default: `false`. */
            hotseat?: boolean;
            /** @description The options of the game. Default: the ruleset's defaults. */
            options?: components["schemas"]["ScopinionOptionsInput"];
            /** @description Only members and holders of the invite code can see and join the game. Default: `false`. */
            private?: boolean;
            /** @description Positions of the game may become puzzles, without names. Players agree by sitting down. Not for private and hotseat games. Default: `false`. */
            puzzles?: boolean;
            /** @description Nobody sees an entropy before all are fixed: players sit down with a `seal`, and open their entropy when all seats are taken. Not for hotseat games, nor together with `entropy`. Default: `false`. */
            sealed?: boolean;
            /** @description The number of seats, or a list of who each seat is for: `me` (the opener), `open` (anybody), the name of a bot, or another player. */
            seats: number | (components["schemas"]["ScopinionOccupant"] | components["schemas"]["KeptSeat"])[];
            /** @description The opener takes seat 0; with a list of `seats`, the seat `me`. With `false` the opener takes a seat later, or not at all. With a list without `me` the opener does not sit. In a sealed game the seat is kept for the opener, who takes it with a seal. Default: `true`. */
            sit?: boolean;
            /**
             * @description The moves that can be taken back: those that revealed nothing (`free`), also others if all players agree (`agreed`), or none. Default: `free`.
             * @enum {string}
             */
            undo?: "agreed" | "free" | "none";
        };
        /** @enum {string} */
        ScopinionGroup: "A" | "B" | "C";
        /** @description An event as it is served: redacted for the viewer, with the hashes of the full event. */
        ScopinionHashed: {
            /** @description The seats that have a choice after the event, rising; on the last event of an append. */
            acting?: number[];
            /** @description The time of the event (RFC 3339, UTC). */
            at: string;
            /** @description The seat whose choice caused it; null for the dealer and for players without a seat. */
            by: number | null;
            /** @description The event, redacted for the viewer. */
            event: components["schemas"]["ScopinionEvent"];
            /** @description The hash of all events up to this one. 32 bytes in lower-case hex. */
            head: string;
            /** @description The number of events that follow in the same append; 0 on its last one. */
            more: number;
            /** @description The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it. */
            move?: components["schemas"]["ScopinionMove"];
            /** @description The hash of what everybody may see of the event. 32 bytes in lower-case hex. */
            public: string;
            /** @description The hash of the whole event. 32 bytes in lower-case hex. */
            secret: string;
            /** @description The number of the event in its game, from 1. */
            version: number;
        };
        /** @description The moves that nothing speaks against, in worlds that the seat can imagine. */
        ScopinionHint: {
            /**
             * @description The move that the first one is compared with. Absent: it is the only legal move, or that of the house player,
             *     because no world could be imagined.
             */
            against?: components["schemas"]["ScopinionMove"];
            /** @description The points by which the first one is better than `against`. It may be chance: see `error`. */
            ahead: number;
            /** @description The standard error of `ahead`; the range of 95 % is `ahead` ± 1.96 times this. */
            error: number;
            /** @description The best first. The others of them are too close to it to tell. */
            moves: components["schemas"]["ScopinionMove"][];
            /** @description The seat that asked. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The version of the table that it is about: that of the last event of the ruleset that stands. */
            version: number;
            /** @description The number of worlds in which `ahead` was measured. None of the moves was picked by them. */
            worlds: number;
        };
        /** @description The rules do not allow this move now. `legal_moves` lists the legal moves of the caller. */
        ScopinionIllegalMoveProblem: {
            /** @description The version since which the current choice exists; null without a choice. */
            decision: number | null;
            /** @description An explanation of this case. */
            detail?: string;
            /** @description All legal moves of the caller. */
            legal_moves: components["schemas"]["ScopinionMove"][];
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "illegal-move";
            /** @description The number of events so far. */
            version: number;
        };
        /** @description Keep the card just drawn, or reject it and draw another one (SP-24). */
        ScopinionKeepDrawnMove: {
            /**
             * @description - `true`: Keep it
             *     - `false`: Reject it
             */
            keep: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "keep_drawn";
        };
        /** @description The drawn card is in the seat's hand. */
        ScopinionKeptEvent: {
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "kept";
        };
        /** @enum {string} */
        ScopinionKind: "central" | "start" | "target";
        /** @description All legal moves of a seat. */
        ScopinionListedMoves: {
            /** @description The version since which the current choice exists; null without a choice. */
            decision: number | null;
            /** @description All legal moves. Each can be posted unchanged. */
            legal_moves: components["schemas"]["ScopinionMove"][];
            /** @description The seat that has these moves. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The number of events so far. */
            version: number;
        };
        ScopinionMove: components["schemas"]["ScopinionBuyMove"] | components["schemas"]["ScopinionTripleMove"] | components["schemas"]["ScopinionTakeMove"] | components["schemas"]["ScopinionDrawOneMove"] | components["schemas"]["ScopinionKeepDrawnMove"] | components["schemas"]["ScopinionDrawTwoMove"] | components["schemas"]["ScopinionTrashMove"] | components["schemas"]["ScopinionSecureMove"] | components["schemas"]["ScopinionPikOffMove"] | components["schemas"]["ScopinionEndTurnMove"];
        /**
         * @description The result of a move: its events as the mover may see them, and the game after it unless `Prefer: return=minimal`
         *     was sent.
         */
        ScopinionMoved: {
            /** @description The events of the move, as the mover may see them. */
            events: components["schemas"]["ScopinionHashed"][];
            /** @description The game after the move. Absent with `Prefer: return=minimal`. */
            game?: components["schemas"]["ScopinionGame"];
            /** @description The hash of all events up to this version. 32 bytes in lower-case hex. */
            head: string;
            /** @description The number of events after the move. */
            version: number;
        };
        /** @enum {string} */
        ScopinionOccupant: "careful/1" | "deep/1" | "easy/1" | "me" | "open" | "random/1";
        /** @description The terms of the game, and the secret from which all deals follow. */
        ScopinionOpenedEvent: {
            /** @description The bot that goes on when a player leaves the running game, or `abort`. Absent: they cannot leave. */
            absent?: components["schemas"]["Absent"];
            /** @description The time for choices. Absent: it is not limited. */
            clock?: components["schemas"]["Clock"];
            /** @description The hash of the secret, which all deals follow from. 32 bytes in lower-case hex. */
            commitment: string;
            /** @description The deal that the game has in common with others. */
            deal?: components["schemas"]["Deal"];
            /** @description The whole deck, so that the record needs nothing else. */
            deck: components["schemas"]["ScopinionDeck"];
            /** @description The hash of the published description of these rules. 32 bytes in lower-case hex. */
            description: string;
            /** @description True: the player, who is alone with bots, can ask for hints. Absent: nobody can. */
            hints?: boolean;
            /** @description True: the opener plays all seats. */
            hotseat: boolean;
            /** @description A game that is not over after this number of events is aborted. Absent: no limit. */
            longest?: number;
            /** @description The player who opened the game. They need not have a seat. The id of a player: a guest's UUID, or `namespace:sub`. */
            opener: string;
            /** @description The options of the ruleset, all of them. */
            options: components["schemas"]["ScopinionOptions"];
            parent?: components["schemas"]["Parent"];
            /** @description By seat. Absent: all are open. */
            places?: components["schemas"]["SeatTerms"][];
            /** @description True: only players and those who have the invitation code can see the game. */
            private: boolean;
            /**
             * @description The fairness protocol that the game follows.
             * @constant
             */
            protocol: "stammtisch/1";
            /** @description True: positions of the game may become puzzles, without names. Players agree by sitting down. Absent: they may not. */
            puzzles?: boolean;
            /** @description The id of the game that this one repeats. */
            rematch_of?: string;
            /** @description The ruleset and the version of its rules, `NAME/N`. */
            rules: string;
            /** @description The name of the ruleset. */
            ruleset: string;
            /** @description True: entropies are sealed. Absent: they are not. */
            sealed?: boolean;
            /** @description The number of seats. */
            seats: number;
            /** @description The secret that all deals follow from. Null for everybody until the game is over. */
            secret: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "opened";
            /** @description The moves that can be taken back: those that revealed nothing (`free`), or also others if all players agree (`agreed`). Absent: none. */
            undo?: components["schemas"]["Undo"];
        };
        /** @description Fixed when the game is opened (section 3). */
        ScopinionOptions: {
            /** @description Seats that may use each function only once in a turn. In expert mode all are so limited. */
            handicap: number[];
            /**
             * @description expert: a showcase, functions once in a turn, no holding after buying.
             *
             *     - `base`: Base game
             *     - `expert`: Expert game
             * @enum {string}
             */
            mode: "base" | "expert";
        };
        /** @description Fixed when the game is opened (section 3). */
        ScopinionOptionsInput: {
            /** @description Seats that may use each function only once in a turn. In expert mode all are so limited. Default: `[]`. */
            handicap?: number[];
            /**
             * @description expert: a showcase, functions once in a turn, no holding after buying.
             *
             *     - `base`: Base game
             *     - `expert`: Expert game Default: `"base"`.
             * @enum {string}
             */
            mode?: "base" | "expert";
        };
        /**
         * @description The caller ran out of time, so the move came too late. A bot plays on at the seat, or the game was aborted.
         *
         *     If `can_return` is true, the caller takes the `seat` again with `POST .../seats`. `game` is the game as it is now;
         *     absent in the channel and with `Prefer: return=minimal`.
         */
        ScopinionOutOfTimeProblem: {
            /** @description True: the caller can take the seat again. */
            can_return: boolean;
            /** @description An explanation of this case. */
            detail?: string;
            game?: components["schemas"]["ScopinionGame"];
            /** @description The seat that the caller has lost. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "out-of-time";
        };
        /** @enum {string} */
        ScopinionPhase: "aside" | "deal" | "draw" | "keep" | "over" | "settle" | "turn";
        /** @description The seat put a card of the display on top of the graveyard; its place is filled if the supply lasts (SP-28). */
        ScopinionPikOffMadeEvent: {
            /** @description A card's id: the letter of its kind or colour, its value, and which copy it is. */
            card: string;
            /** @description The card that is in its place now; empty if the supply is used up. */
            filled: string[];
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "pik_off_made";
        };
        /** @description Put a card of the display, all of whose cards had spades when your turn began, onto the graveyard (SP-28). */
        ScopinionPikOffMove: {
            /** @description A card's id. */
            card: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "pik_off";
        };
        /** @description The seat laid a card on its stage to draw (SP-23, SP-25). */
        ScopinionPlayedEvent: {
            /** @description A card's id: the letter of its kind or colour, its value, and which copy it is. */
            card: string;
            /**
             * @description - `draw_one`: draw one card (1)
             *     - `draw_two`: draw two cards (2)
             * @enum {string}
             */
            function: "draw_one" | "draw_two";
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "played";
        };
        /** @description A card as the deck file lists it (SP-1). What is left out is not on the card. */
        ScopinionPrintedCard: {
            /** @description An arrow: the card can trash another one. Default: `false`. */
            arrow?: boolean;
            /** @description A bolt: the card comes to the hand as soon as it is bought. Default: `false`. */
            bolt?: boolean;
            /** @description A red border. Default: `false`. */
            border?: boolean;
            /** @description The colour of a start card; null for others. */
            colour?: components["schemas"]["ScopinionColour"] | null;
            /** @description Green hearts. Default: `0`. */
            green?: number;
            /** @description The group of a target; null for others. */
            group?: components["schemas"]["ScopinionGroup"] | null;
            /** @description g, b, r, o for a start card of that colour, c for a central card, t for a target; the value; and behind a hyphen which one it is of several. */
            id: string;
            /** @description `start`: in a seat's first deck; `central`: in the supply; `target`: worth points in a vault. */
            kind: components["schemas"]["ScopinionKind"];
            /** @description The symbol for shuffling, on targets of group C. Default: `false`. */
            mix?: boolean;
            /** @description Red hearts. Default: `0`. */
            red?: number;
            /** @description Each takes off two points unless a green heart neutralises it. Default: `0`. */
            spades?: number;
            /** @description The printed number: the price of the card, and what it pays. */
            value: number;
        };
        /** @description The drawn card lies on the seat's stage; the seat draws another one (SP-24). */
        ScopinionRejectedEvent: {
            /** @description A card's id: the letter of its kind or colour, its value, and which copy it is. */
            card: string;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "rejected";
        };
        /** @description Every choice of a finished game, weighed as far as its seat could know, and where the results come from. */
        ScopinionReview: {
            /** @description The accounts of the whole game, by seat. */
            accounts: components["schemas"]["Account"][];
            /** @description The choices of the reviewed seats, in their order. Forced moves and those of house players are left out. */
            choices: components["schemas"]["ScopinionChoice"][];
            /** @constant */
            format: "stammtisch-review/1";
            /** @description The head of the record. All random numbers of the review follow from it. 32 bytes in lower-case hex. */
            head: string;
            /** @description The house player that plays on in the imagined worlds. */
            house: string;
            /** @description By reviewed seat with choices. */
            means: components["schemas"]["Mean"][];
            /** @description The number of worlds that were imagined: `quick`, `standard` or `full`. */
            plan: string;
            /** @description The rounds in their order. */
            rounds: components["schemas"]["ReviewedRound"][];
            /** @description The ruleset and the version of its rules. */
            rules: string;
            /**
             * @description `first`: accounts are provisional, and no choice has a category yet.
             * @enum {string}
             */
            state: "final" | "first";
            /** @description The losses, in points, from which on a choice is an inaccuracy, a mistake, a blunder. Empty: not measured yet. */
            thresholds: number[];
            /** @description The versions of choices for which no world could be imagined. */
            unweighed: number[];
        };
        /** @description The points of all seats, line by line (SP-52). */
        ScopinionScoredEvent: {
            /** @description By seat: its points, line by line. */
            breakdown: components["schemas"]["ScopinionBreakdown"][];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "scored";
        };
        /** @description Lay a target of your hand face down into your vault (SP-27). */
        ScopinionSecureMove: {
            /** @description A card's id. */
            card: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "secure";
        };
        /** @description A target from the seat's hand lies face down in its vault; nobody else sees which one (SP-27). */
        ScopinionSecuredEvent: {
            /** @description Null for everybody but the seat until the game is over. */
            card: string | null;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "secured";
        };
        /** @description The rest of the seat's deck and its discard were shuffled and are its deck (SP-32, SP-42). */
        ScopinionShuffledEvent: {
            /** @description The new deck; the last card is its top. Null for everybody until the game is over. */
            deck: (string | null)[];
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "shuffled";
        };
        /** @description The choices of the caller in a game now. */
        ScopinionSituation: {
            /** @description The reason why the game was aborted; absent otherwise. */
            cause?: components["schemas"]["Cause"];
            clock?: components["schemas"]["GameClock"];
            /** @description The version since which the choice of the seat exists; null: it has none. */
            decision: number | null;
            /** @description All of them; each can be sent as it is. */
            legal_moves: components["schemas"]["ScopinionMove"][];
            /** @description Null until the game is finished. */
            result: components["schemas"]["Result"] | null;
            /** @description The seats with their players. Absent if nothing has changed since the last one. */
            seats?: components["schemas"]["SeatAssignment"][];
            /** @description The status of the game. */
            status: components["schemas"]["Status"];
            /** @description The seats that must act, rising. */
            to_act: number[];
            /**
             * @description The last version of the caller's move that they can take back without asking, or null; absent if the game has no
             *     undo.
             */
            undo?: number | null;
            /** @description The version of the game now. */
            version: number;
            /** @description The open question. Absent if there is none. */
            vote?: components["schemas"]["Question"];
            /** @description The seat of the caller, or of their perspective; null: a bystander. */
            you: number | null;
        };
        /**
         * @description The caller's choice has changed since the version in `If-Match`. `missed` lists the first
         *     events since that version, at most 32.
         */
        ScopinionStaleDecisionProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /** @description The first events since the version in `If-Match`, at most 32. `GET .../events` has the others. */
            missed: components["schemas"]["ScopinionHashed"][];
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 412;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "stale-decision";
            /** @description The number of events so far. */
            version: number;
        };
        /** @description An event of the record, as it looks from a perspective. */
        ScopinionStep: {
            /** @description The event as the perspective sees it. Absent if that is the whole event, as in the record. */
            event?: components["schemas"]["ScopinionEvent"];
            /** @description JSON Patch (RFC 6902) from the view before the event to the one after. */
            patch: (components["schemas"]["AddOperation"] | components["schemas"]["RemoveOperation"] | components["schemas"]["ReplaceOperation"])[];
            /** @description The points that the cards count after the event. Absent if it has not changed. */
            tally?: components["schemas"]["Tally"] | null;
        };
        /** @description Take a central card from the display: the function of the 0 (SP-22). */
        ScopinionTakeMove: {
            /** @description The card of your hand that has the function; it goes to the stage. */
            by: string;
            /** @description An open card: in the display, or the top target. */
            card: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "take";
        };
        /** @description Put another card of your hand onto the graveyard: the function of the arrow (SP-26). */
        ScopinionTrashMove: {
            /** @description The card of your hand that has the function; it goes to the stage. */
            by: string;
            /** @description The card that goes; not a target. */
            card: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "trash";
        };
        /** @description The seat laid a card with an arrow on its stage, and another one is on top of the graveyard (SP-26). */
        ScopinionTrashedEvent: {
            /** @description A card's id: the letter of its kind or colour, its value, and which copy it is. */
            by: string;
            /** @description A card's id: the letter of its kind or colour, its value, and which copy it is. */
            card: string;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "trashed";
        };
        /** @description Buy an open card with three times the value of one card: the function of the 3 (SP-21). */
        ScopinionTripleMove: {
            /** @description The card of your hand that has the function; it goes to the stage. */
            by: string;
            /** @description An open card: in the display, or the top target. */
            card: string;
            /** @description The card of your hand that counts three times. */
            other: string;
            /**
             * @description The place of a target in expert mode, `stage` or `showcase`; null for all other cards (SP-62).
             *
             *     - `stage`: onto the stage
             *     - `showcase`: into the showcase
             */
            to?: ("showcase" | "stage") | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "triple";
        };
        /** @description It is the seat's turn, the first one or after cards that were owed; it may make a `pik_off` (SP-7). */
        ScopinionTurnBeganEvent: {
            /**
             * @description - `true`: , who may make a Pik-off
             *     - `false`: no Pik-off
             */
            pik_off: boolean;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "turn_began";
        };
        /**
         * @description The seat laid these cards of its hand on its stage, all of the stage on its discard, and drew (SP-30).
         *
         *     Which card it has held is not told, and what it drew from its deck nobody else sees. Cards are still owed to it if
         *     the deck had too few, or is to be shuffled first. Then empty places of the display are filled, the first one first,
         *     as long as the supply lasts, and the top target is `turned` up if it lay face down. If it `goes_on` at once the
         *     next seat's turn has begun, and it may make a `pik_off`; not while cards are owed, and not after the last turn.
         */
        ScopinionTurnEndedEvent: {
            /** @description The cards drawn into the hand, first to last. Null for everybody but the seat until the game is over. */
            drawn: (string | null)[];
            /** @description The cards that were laid into empty places of the display, first place first. */
            filled: string[];
            /** @description True: the next seat's turn has begun. */
            goes_on: boolean;
            /**
             * @description - `true`: , who may make a Pik-off
             *     - `false`: no Pik-off
             */
            pik_off: boolean;
            /**
             * @description - `true`: Shuffle deck and discard first
             *     - `false`: Do not shuffle
             */
            reshuffle: boolean;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The cards that went from the hand to the stage. */
            staged: string[];
            /** @description The target that was turned up; empty if none was. */
            turned: string[];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "turn_ended";
        };
        /**
         * @description The table. The dealer acts in `deal`, when a `shuffle` is wanted, and when cards are `owed` that the seat's deck
         *     has not, while its discard has. Nobody acts while cards are drawn, `aside` or into the hand (`draw`), between turns
         *     (`settle`), and in `over`.
         */
        ScopinionView: {
            /** @description True: a card was bought in this turn. */
            bought: boolean;
            /** @description By seat: the points line by line; empty until the game is over. */
            breakdown: components["schemas"]["ScopinionBreakdown"][];
            /** @description The name of the deck. It selects the deck when a game is opened. */
            deck: string;
            /** @description By seat: its own deck, face down; the last card is the top. */
            decks: (string | null)[][];
            /** @description By seat: its discard pile, face up; the last card is the top. */
            discards: string[][];
            /** @description The three cards face up in the middle; null is an empty place. */
            display: (string | null)[];
            /** @description The card that is kept or rejected, in phase `keep`; null in others. */
            drawn: string | null;
            /** @description Once the end is near: how many turns still begin after the current one (SP-50). */
            final: number | null;
            /** @description Cards out of the decks; the last card is the top, and cards are drawn from the bottom. */
            graveyard: string[];
            /** @description By seat: the cards in the order of arrival. Cards that the viewer cannot know are null. */
            hands: (string | null)[][];
            /** @description True: a card with the symbol for shuffling was bought in this turn. */
            mix: boolean;
            /** @description The options of the game. */
            options: components["schemas"]["ScopinionOptions"];
            /** @description The number of cards that the seat still draws. */
            owed: number;
            /**
             * @description The phase: what the game waits for.
             *
             *     - `deal`: The table is laid
             *     - `turn`: Buy, use functions, or end the turn
             *     - `keep`: Keep the drawn card, or reject it
             *     - `aside`: A card is drawn
             *     - `draw`: Cards are drawn
             *     - `settle`: The turn ends
             *     - `over`: The game is over
             */
            phase: components["schemas"]["ScopinionPhase"];
            /**
             * @description The seat may put one card of the display onto the graveyard.
             *
             *     - `true`: , who may make a Pik-off
             *     - `false`: no Pik-off
             */
            pik_off: boolean;
            /** @description Cards that take no part in the game, never shown. */
            removed: (string | null)[];
            /** @description By seat: the targets that lie openly for good, in expert mode. */
            showcases: string[][];
            /** @description The seat wants its deck and discard to be shuffled. */
            shuffle: boolean;
            /** @description The cards that the seat whose turn it is has played and bought, in this order. */
            stage: string[];
            /** @description The seat that begins the game; null until it is known. */
            starter: number | null;
            /** @description The pile that refills the display, face down; the last card is the top. */
            supply: (string | null)[];
            /**
             * @description The pile of targets; the last card is the top.
             *
             *     Those of group C lie face up, the others face down, the top one either way.
             */
            targets: (string | null)[];
            /** @description The top target lies face up. */
            top_open: boolean;
            /** @description The seat whose turn it is. */
            turn: number | null;
            /**
             * @description The functions used in this turn.
             *
             *     - `take`: take a central card (0)
             *     - `draw_one`: draw one card (1)
             *     - `draw_two`: draw two cards (2)
             *     - `triple`: triple a number (3)
             *     - `trash`: put a card onto the graveyard (arrow)
             */
            used: components["schemas"]["ScopinionFunction"][];
            /** @description By seat: the secured targets, in the order of securing. Null: a card that the viewer cannot know. */
            vaults: (string | null)[][];
            /** @description The seats that have won; null until the game is over. */
            winners: number[] | null;
        };
        /** @description These seats have the most points and, of those, the most hearts in their own cards (SP-53). */
        ScopinionWonEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "won";
            /** @description The winning seats; several in a tie. */
            winners: number[];
        };
        /** @description The choice of a house player for a seat, from what that seat sees. */
        ScoutAdvice: {
            /** @description The move, which can be posted unchanged; null if the seat has no choice now. */
            move: components["schemas"]["ScoutMove"] | null;
            /** @description The seat that is to choose. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The number of events so far. */
            version: number;
        };
        /** @enum {string} */
        ScoutCause: "empty_hand" | "stuck" | "unbeaten";
        /** @description A choice of a player between several legal moves, weighed in worlds that its seat could imagine. */
        ScoutChoice: {
            /** @description The house player might have made the same move. */
            as_house: boolean;
            /**
             * @description The move that seems to be better. Absent: none was found among the moves and worlds that were tried; this does
             *     not show that there is none.
             */
            best?: components["schemas"]["ScoutMove"];
            /** @description The category of the least that the choice has cost with nine chances in ten. Absent: too close to tell. */
            category?: components["schemas"]["Category"];
            /** @description The standard error of `loss`; the range of 95 % is `loss` ± 1.96 times this. */
            error: number;
            /** @description The result that the seat could expect before, in points ahead. */
            expected: number;
            /** @description The player had a hint. */
            hinted: boolean;
            /**
             * @description The points by which that move is better. It may be chance: see `error`. Without `best` it is 0 and was not
             *     measured.
             */
            loss: number;
            /** @description The move that was made. */
            made: components["schemas"]["ScoutMove"];
            /** @description The loss was measured in worlds that neither the best move nor the choice was picked by. */
            refined: boolean;
            /** @description Rounds are numbered from 0. */
            round: number;
            /** @description The seat that chose. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The version of the first event that it caused. The choice was made at the version before. */
            version: number;
            /** @description The number of worlds in which `loss` was measured. */
            worlds: number;
        };
        /** @description A round begins: each seat has a hand; in the official game for two the other cards wait for round 2 (SC-21). */
        ScoutDealtEvent: {
            /**
             * @description The cards for the second round of the official game for two; else empty. Null for everybody until the game is
             *     over.
             */
            aside: (number[] | null)[];
            /** @description By seat: the cards from left to right. Null for everybody but their seat until the game is over. */
            hands: (number[] | null)[][];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "dealt";
        };
        /** @description The cards in canonical order, as they are shuffled. */
        ScoutDeck: {
            /** @description All cards, for every number of seats. */
            cards: components["schemas"]["ScoutPrintedCard"][];
            /** @description The licence of these data, which records contain: an SPDX expression, `LicenseRef-` for others. */
            licence?: string;
            /** @description It selects the deck when a game is opened. */
            name: string;
            /** @description The source of the list of cards. */
            provenance: string;
            /** @description The ruleset that the deck is for. */
            ruleset: string;
        };
        /** @enum {string} */
        ScoutEnd: "left" | "right";
        /**
         * @description An event as a record has it: redacted for the viewer, with the hashes of the full event.
         *
         *     A complete record has no hashes, because they follow from its events and the secret. An *append* is what one command
         *     added to the log, all or nothing.
         */
        ScoutEntry: {
            /** @description The seats that have a choice after the event, rising; on the last event of an append. */
            acting?: number[];
            /** @description The time of the event (RFC 3339, UTC). */
            at: string;
            /** @description The seat whose choice caused it; null for the dealer and for players without a seat. */
            by: number | null;
            /** @description The event, redacted for the viewer. */
            event: components["schemas"]["ScoutEvent"];
            /** @description The hash of all events up to this one. 32 bytes in lower-case hex. */
            head?: string;
            /** @description The number of events that follow in the same append; 0 on its last one. */
            more: number;
            /** @description The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it. */
            move?: components["schemas"]["ScoutMove"];
            /** @description The hash of what everybody may see of the event. 32 bytes in lower-case hex. */
            public?: string;
            /** @description The hash of the whole event. 32 bytes in lower-case hex. */
            secret?: string;
            /** @description The number of the event in its game, from 1. */
            version: number;
        };
        ScoutEvent: components["schemas"]["ScoutOpenedEvent"] | components["schemas"]["JoinedEvent"] | components["schemas"]["LeftEvent"] | components["schemas"]["DeclinedEvent"] | components["schemas"]["ReadiedEvent"] | components["schemas"]["BegunEvent"] | components["schemas"]["GoneEvent"] | components["schemas"]["RejoinedEvent"] | components["schemas"]["GrantedEvent"] | components["schemas"]["ResumedEvent"] | components["schemas"]["VotedEvent"] | components["schemas"]["TakenBackEvent"] | components["schemas"]["HintedEvent"] | components["schemas"]["EndedEvent"] | components["schemas"]["AbortedEvent"] | components["schemas"]["RevealedEvent"] | components["schemas"]["ScoutLotDrawnEvent"] | components["schemas"]["ScoutDealtEvent"] | components["schemas"]["ScoutOrientedEvent"] | components["schemas"]["ScoutTurnBeganEvent"] | components["schemas"]["ScoutShownEvent"] | components["schemas"]["ScoutScoutedEvent"] | components["schemas"]["ScoutStuckEvent"] | components["schemas"]["ScoutRoundScoredEvent"] | components["schemas"]["ScoutWonEvent"];
        /** @description An event in a page or stream. */
        ScoutEventItem: {
            /** @description The seats that have a choice after the event, rising; on the last event of an append. */
            acting?: number[];
            /** @description The time of the event (RFC 3339, UTC). */
            at: string;
            /** @description The seat whose choice caused it; null for the dealer and for players without a seat. */
            by: number | null;
            /** @description The event, redacted for the viewer. */
            event: components["schemas"]["ScoutEvent"];
            /** @description The hash of all events up to this one. 32 bytes in lower-case hex. */
            head: string;
            /** @description The number of events that follow in the same append; 0 on its last one. */
            more: number;
            /** @description The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it. */
            move?: components["schemas"]["ScoutMove"];
            /** @description The JSON Patch (RFC 6902), with `with=patch`, from the `view` of the version before to that of this version. Absent otherwise. */
            patch?: (components["schemas"]["AddOperation"] | components["schemas"]["RemoveOperation"] | components["schemas"]["ReplaceOperation"])[];
            /** @description The hash of what everybody may see of the event. 32 bytes in lower-case hex. */
            public: string;
            /** @description The hash of the whole event. 32 bytes in lower-case hex. */
            secret: string;
            /** @description The points that the cards count at this version, with `with=tally`, if they differ from those at the version before; null before the game begins. Absent otherwise. */
            tally?: components["schemas"]["Tally"] | null;
            /** @description The number of the event in its game, from 1. */
            version: number;
        };
        /** @description A page of a list. `next` is the URL of the next page, or null on the last one. */
        ScoutEventItemPage: {
            /** @description The items in order. */
            items: components["schemas"]["ScoutEventItem"][];
            /** @description The URL of the next page; null on the last one. */
            next: string | null;
        };
        /**
         * @description A finished game with its views from every perspective, for programs that know no rules.
         *
         *     Only the record is proven by its hashes. The rest follows from the record by the rules.
         */
        ScoutFilm: {
            /** @description The effects of the cards of the deck. */
            captions: components["schemas"]["Captions"];
            /** @constant */
            format: "stammtisch-film/1";
            /** @description By perspective (`all`, `bystander`, and the number of each seat), one step for each event of the record. Before the first step the view is null. */
            perspectives: {
                [key: string]: components["schemas"]["ScoutStep"][];
            };
            /** @description The record that the film was made of. */
            record: components["schemas"]["ScoutGameRecord"];
            /** @description The ruleset as `GET /v1/rulesets/NAME` describes it, so that the film needs no service. */
            ruleset: components["schemas"]["Ruleset"];
        };
        /** @description A game as the caller may see it. `view` is null before the game begins; hidden cards in it are null. */
        ScoutGame: {
            /** @description The bot that goes on when a player leaves the running game, or `abort`. Absent if they cannot leave. */
            absent?: components["schemas"]["Absent"];
            /** @description The reason why the game was aborted. Absent otherwise. */
            cause?: components["schemas"]["Cause"];
            /** @description The time for choices. Absent: it is not limited. */
            clock?: components["schemas"]["GameClock"];
            /** @description The hash of the secret from which all deals are derived. */
            commitment: string;
            /** @description The time at which the game was opened (RFC 3339, UTC). */
            created_at: string;
            /**
             * @description The deal that the game has in common with others. Absent once its secret is revealed: until then the cards stay
             *     hidden, also when the game is over.
             */
            deal?: components["schemas"]["Deal"];
            /** @description The version since which the caller's current choice exists. */
            decision: number | null;
            /** @description The deck of the game. */
            deck: components["schemas"]["DeckNamed"];
            /** @description The hash of all events up to this version. */
            head: string;
            /** @description True: the player, who is alone with bots, can ask for hints. Absent otherwise. */
            hints?: boolean;
            /** @description One player has all seats. */
            hotseat: boolean;
            /** @description The id of the game. */
            id: string;
            /** @description True if the game was imported from a record. Absent otherwise. */
            imported?: boolean;
            /** @description The code for others to see and join a private game. For members only. */
            invite?: string;
            /** @description All legal moves of the caller. Each can be posted unchanged. */
            legal_moves: components["schemas"]["ScoutMove"][];
            /** @description URLs of the parts of the game. */
            links: components["schemas"]["GameLinks"];
            /** @description The options of the game. */
            options: components["schemas"]["ScoutOptions"];
            /** @description The game that this branch continues. Absent in other games. */
            parent?: components["schemas"]["Parent"];
            /** @description Only members and holders of the invite see the game. */
            private: boolean;
            /** @description True: positions of the game may become puzzles, without names; sitting down agrees to it. Absent otherwise. */
            puzzles?: boolean;
            /** @description The id of the game that this one repeats. Absent in other games. */
            rematch_of?: string;
            /** @description The result; null until the game is finished. */
            result: components["schemas"]["Result"] | null;
            /** @description The ruleset and the version of its rules, such as `name/1`. */
            rules: string;
            /** @description The name of the ruleset. */
            ruleset: string;
            /** @description True: players seal their entropies, and open them when all seats are taken. Absent otherwise. */
            sealed?: boolean;
            /** @description The seats in order, from 0. */
            seats: components["schemas"]["SeatAssignment"][];
            /** @description `waiting` for players, `running`, `finished` with a result, or `aborted` without one. */
            status: components["schemas"]["Status"];
            /** @description The points that the cards count now, with `with=tally`; null before the game begins. Absent otherwise. */
            tally?: components["schemas"]["Tally"] | null;
            /** @description The seats that must act now. */
            to_act: number[];
            /** @description The last version of the caller's move that they can take back without asking, or null. Absent if no move can be taken back in this game. */
            undo?: number | null;
            /** @description The moves that can be taken back: those that revealed nothing, or also others by agreement. Absent: none. */
            undo_mode?: components["schemas"]["Undo"];
            /** @description The number of events so far. */
            version: number;
            /** @description The table as this perspective may see it; null before the game begins. */
            view: components["schemas"]["ScoutView"] | null;
            /** @description The open question. Absent if there is none. */
            vote?: components["schemas"]["Question"];
            /** @description The caller's seat. */
            you: number | null;
        };
        /** @description All events of a game so far, and what a verifier needs. */
        ScoutGameRecord: {
            /** @description The hash of the secret that all deals follow from. */
            commitment: string;
            deck: components["schemas"]["ScoutDeck"];
            /**
             * @description All events from the first one on, as the perspective sees them. The game's version is their number. In a
             *     complete record, the one with the secret, they have no hashes.
             */
            events: components["schemas"]["ScoutEntry"][];
            /** @constant */
            format: "stammtisch-record/1";
            /** @description The hash that covers all events of the record. */
            head: string;
            /** @description The id of the game. */
            id: string;
            /** @description The display names of the opener and of the players at the seats, by id, as of the time of the download. Unproven: no hash covers them. Former players have none. */
            names: {
                [key: string]: string;
            };
            options: components["schemas"]["ScoutOptions"];
            /** @description The game that a branch continues; null: it is no branch. */
            parent: components["schemas"]["Parent"] | null;
            /** @description The final scores and the winners; null while the game runs and if it was aborted. */
            result: components["schemas"]["Result"] | null;
            /** @description The ruleset and the version of its rules that this game is played by. */
            rules: string;
            /** @description The name of the ruleset. */
            ruleset: string;
            /** @description All seats, in their order. */
            seats: components["schemas"]["RecordedSeat"][];
            /** @description Null while the game runs, and in redacted records. */
            secret: string | null;
        };
        /** @description The terms of a new game. */
        ScoutGameRequest: {
            /**
             * @description The bot that goes on when a player leaves the running game, or `abort`, which ends the game. Default: the ruleset's best bot. Not for hotseat games, which nobody can leave.
             * @enum {string}
             */
            absent?: "abort" | "careful/1" | "easy/1" | "random/1" | "trained/1";
            /** @description The time for choices. Default: it is not limited. Not for hotseat games. */
            clock?: components["schemas"]["ClockInput"];
            /**
             * @description The name of a deck. Default: the ruleset's first deck.
             * @constant
             */
            deck?: "official";
            /** @description The contribution of a seat to the shuffles: up to 64 printable ASCII characters, public. Default: `""`. */
            entropy?: string;
            /** @description The player can ask for hints. Only if all seats but one are for bots. Default: `false`. */
            hints?: boolean;
            /** @description The opener plays all seats: for pass-and-play, analysis and tests. Default: `false`. */
            hotseat?: boolean;
            /** @description The options of the game. Default: the ruleset's defaults. */
            options?: components["schemas"]["ScoutOptionsInput"];
            /** @description Only members and holders of the invite code can see and join the game. Default: `false`. */
            private?: boolean;
            /** @description Positions of the game may become puzzles, without names. Players agree by sitting down. Not for private and hotseat games. Default: `false`. */
            puzzles?: boolean;
            /** @description Nobody sees an entropy before all are fixed: players sit down with a `seal`, and open their entropy when all seats are taken. Not for hotseat games, nor together with `entropy`. Default: `false`. */
            sealed?: boolean;
            /** @description The number of seats, or a list of who each seat is for: `me` (the opener), `open` (anybody), the name of a bot, or another player. */
            seats: number | (components["schemas"]["ScoutOccupant"] | components["schemas"]["KeptSeat"])[];
            /** @description The opener takes seat 0; with a list of `seats`, the seat `me`. With `false` the opener takes a seat later, or not at all. With a list without `me` the opener does not sit. In a sealed game the seat is kept for the opener, who takes it with a seal. Default: `true`. */
            sit?: boolean;
            /**
             * @description The moves that can be taken back: those that revealed nothing (`free`), also others if all players agree (`agreed`), or none. Default: `free`.
             * @enum {string}
             */
            undo?: "agreed" | "free" | "none";
        };
        /** @description An event as it is served: redacted for the viewer, with the hashes of the full event. */
        ScoutHashed: {
            /** @description The seats that have a choice after the event, rising; on the last event of an append. */
            acting?: number[];
            /** @description The time of the event (RFC 3339, UTC). */
            at: string;
            /** @description The seat whose choice caused it; null for the dealer and for players without a seat. */
            by: number | null;
            /** @description The event, redacted for the viewer. */
            event: components["schemas"]["ScoutEvent"];
            /** @description The hash of all events up to this one. 32 bytes in lower-case hex. */
            head: string;
            /** @description The number of events that follow in the same append; 0 on its last one. */
            more: number;
            /** @description The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it. */
            move?: components["schemas"]["ScoutMove"];
            /** @description The hash of what everybody may see of the event. 32 bytes in lower-case hex. */
            public: string;
            /** @description The hash of the whole event. 32 bytes in lower-case hex. */
            secret: string;
            /** @description The number of the event in its game, from 1. */
            version: number;
        };
        /** @description The moves that nothing speaks against, in worlds that the seat can imagine. */
        ScoutHint: {
            /**
             * @description The move that the first one is compared with. Absent: it is the only legal move, or that of the house player,
             *     because no world could be imagined.
             */
            against?: components["schemas"]["ScoutMove"];
            /** @description The points by which the first one is better than `against`. It may be chance: see `error`. */
            ahead: number;
            /** @description The standard error of `ahead`; the range of 95 % is `ahead` ± 1.96 times this. */
            error: number;
            /** @description The best first. The others of them are too close to it to tell. */
            moves: components["schemas"]["ScoutMove"][];
            /** @description The seat that asked. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The version of the table that it is about: that of the last event of the ruleset that stands. */
            version: number;
            /** @description The number of worlds in which `ahead` was measured. None of the moves was picked by them. */
            worlds: number;
        };
        /** @description The rules do not allow this move now. `legal_moves` lists the legal moves of the caller. */
        ScoutIllegalMoveProblem: {
            /** @description The version since which the current choice exists; null without a choice. */
            decision: number | null;
            /** @description An explanation of this case. */
            detail?: string;
            /** @description All legal moves of the caller. */
            legal_moves: components["schemas"]["ScoutMove"][];
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "illegal-move";
            /** @description The number of events so far. */
            version: number;
        };
        /** @description Hold your hand as it was dealt (SC-10). */
        ScoutKeepMove: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "keep";
        };
        /** @description All legal moves of a seat. */
        ScoutListedMoves: {
            /** @description The version since which the current choice exists; null without a choice. */
            decision: number | null;
            /** @description All legal moves. Each can be posted unchanged. */
            legal_moves: components["schemas"]["ScoutMove"][];
            /** @description The seat that has these moves. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The number of events so far. */
            version: number;
        };
        /** @description The seat begins the first round (SC-20). */
        ScoutLotDrawnEvent: {
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "lot_drawn";
        };
        ScoutMove: components["schemas"]["ScoutKeepMove"] | components["schemas"]["ScoutTurnMove"] | components["schemas"]["ScoutShowMove"] | components["schemas"]["ScoutScoutMove"];
        /**
         * @description The result of a move: its events as the mover may see them, and the game after it unless `Prefer: return=minimal`
         *     was sent.
         */
        ScoutMoved: {
            /** @description The events of the move, as the mover may see them. */
            events: components["schemas"]["ScoutHashed"][];
            /** @description The game after the move. Absent with `Prefer: return=minimal`. */
            game?: components["schemas"]["ScoutGame"];
            /** @description The hash of all events up to this version. 32 bytes in lower-case hex. */
            head: string;
            /** @description The number of events after the move. */
            version: number;
        };
        /** @enum {string} */
        ScoutOccupant: "careful/1" | "deep/1" | "easy/1" | "me" | "open" | "random/1" | "trained/1";
        /** @description The terms of the game, and the secret from which all deals follow. */
        ScoutOpenedEvent: {
            /** @description The bot that goes on when a player leaves the running game, or `abort`. Absent: they cannot leave. */
            absent?: components["schemas"]["Absent"];
            /** @description The time for choices. Absent: it is not limited. */
            clock?: components["schemas"]["Clock"];
            /** @description The hash of the secret, which all deals follow from. 32 bytes in lower-case hex. */
            commitment: string;
            /** @description The deal that the game has in common with others. */
            deal?: components["schemas"]["Deal"];
            /** @description The whole deck, so that the record needs nothing else. */
            deck: components["schemas"]["ScoutDeck"];
            /** @description The hash of the published description of these rules. 32 bytes in lower-case hex. */
            description: string;
            /** @description True: the player, who is alone with bots, can ask for hints. Absent: nobody can. */
            hints?: boolean;
            /** @description True: the opener plays all seats. */
            hotseat: boolean;
            /** @description A game that is not over after this number of events is aborted. Absent: no limit. */
            longest?: number;
            /** @description The player who opened the game. They need not have a seat. The id of a player: a guest's UUID, or `namespace:sub`. */
            opener: string;
            /** @description The options of the ruleset, all of them. */
            options: components["schemas"]["ScoutOptions"];
            parent?: components["schemas"]["Parent"];
            /** @description By seat. Absent: all are open. */
            places?: components["schemas"]["SeatTerms"][];
            /** @description True: only players and those who have the invitation code can see the game. */
            private: boolean;
            /**
             * @description The fairness protocol that the game follows.
             * @constant
             */
            protocol: "stammtisch/1";
            /** @description True: positions of the game may become puzzles, without names. Players agree by sitting down. Absent: they may not. */
            puzzles?: boolean;
            /** @description The id of the game that this one repeats. */
            rematch_of?: string;
            /** @description The ruleset and the version of its rules, `NAME/N`. */
            rules: string;
            /** @description The name of the ruleset. */
            ruleset: string;
            /** @description True: entropies are sealed. Absent: they are not. */
            sealed?: boolean;
            /** @description The number of seats. */
            seats: number;
            /** @description The secret that all deals follow from. Null for everybody until the game is over. */
            secret: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "opened";
            /** @description The moves that can be taken back: those that revealed nothing (`free`), or also others if all players agree (`agreed`). Absent: none. */
            undo?: components["schemas"]["Undo"];
        };
        /** @description Fixed when the game is opened. */
        ScoutOptions: {
            /**
             * @description The set to show after Scout & Show: any set that beats, or one with the card just taken.
             *
             *     - `any`: Any set that beats the active one
             *     - `scouted_card`: A set with the card just taken
             * @enum {string}
             */
            scout_and_show: "any" | "scouted_card";
            /**
             * @description The rules for two. official: the game for two: scouting costs a chip. seed: as with more.
             *
             *     - `official`: The game for two
             *     - `seed`: The same rules as with more players
             * @enum {string}
             */
            two_player: "official" | "seed";
        };
        /** @description Fixed when the game is opened. */
        ScoutOptionsInput: {
            /**
             * @description The set to show after Scout & Show: any set that beats, or one with the card just taken.
             *
             *     - `any`: Any set that beats the active one
             *     - `scouted_card`: A set with the card just taken Default: `"any"`.
             * @enum {string}
             */
            scout_and_show?: "any" | "scouted_card";
            /**
             * @description The rules for two. official: the game for two: scouting costs a chip. seed: as with more.
             *
             *     - `official`: The game for two
             *     - `seed`: The same rules as with more players Default: `"official"`.
             * @enum {string}
             */
            two_player?: "official" | "seed";
        };
        /** @description The seat has decided how to hold its hand; only the seat itself sees whether it turned it. */
        ScoutOrientedEvent: {
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description - `true`: turned
             *     - `false`: kept as dealt
             */
            turned: boolean | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "oriented";
        };
        /**
         * @description The caller ran out of time, so the move came too late. A bot plays on at the seat, or the game was aborted.
         *
         *     If `can_return` is true, the caller takes the `seat` again with `POST .../seats`. `game` is the game as it is now;
         *     absent in the channel and with `Prefer: return=minimal`.
         */
        ScoutOutOfTimeProblem: {
            /** @description True: the caller can take the seat again. */
            can_return: boolean;
            /** @description An explanation of this case. */
            detail?: string;
            game?: components["schemas"]["ScoutGame"];
            /** @description The seat that the caller has lost. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "out-of-time";
        };
        /** @enum {string} */
        ScoutPhase: "combo" | "deal" | "lot" | "orient" | "over" | "settle" | "turn";
        /** @description A card as the deck file lists it. */
        ScoutPrintedCard: {
            /** @description The lower one first. */
            numbers: number[];
            /** @description The numbers of seats with which the card is in play. */
            players: number[];
        };
        /** @description Every choice of a finished game, weighed as far as its seat could know, and where the results come from. */
        ScoutReview: {
            /** @description The accounts of the whole game, by seat. */
            accounts: components["schemas"]["Account"][];
            /** @description The choices of the reviewed seats, in their order. Forced moves and those of house players are left out. */
            choices: components["schemas"]["ScoutChoice"][];
            /** @constant */
            format: "stammtisch-review/1";
            /** @description The head of the record. All random numbers of the review follow from it. 32 bytes in lower-case hex. */
            head: string;
            /** @description The house player that plays on in the imagined worlds. */
            house: string;
            /** @description By reviewed seat with choices. */
            means: components["schemas"]["Mean"][];
            /** @description The number of worlds that were imagined: `quick`, `standard` or `full`. */
            plan: string;
            /** @description The rounds in their order. */
            rounds: components["schemas"]["ReviewedRound"][];
            /** @description The ruleset and the version of its rules. */
            rules: string;
            /**
             * @description `first`: accounts are provisional, and no choice has a category yet.
             * @enum {string}
             */
            state: "final" | "first";
            /** @description The losses, in points, from which on a choice is an inaccuracy, a mistake, a blunder. Empty: not measured yet. */
            thresholds: number[];
            /** @description The versions of choices for which no world could be imagined. */
            unweighed: number[];
        };
        /** @description A round that has been played. */
        ScoutRound: {
            /**
             * @description The reason why the round ended.
             *
             *     - `empty_hand`: a hand is empty
             *     - `unbeaten`: nobody has beaten the active set
             *     - `stuck`: no move is left
             */
            cause: components["schemas"]["ScoutCause"];
            /** @description The seats whose hands cost nothing. */
            exempt: number[];
            /** @description By seat: the points of the round. */
            points: number[];
        };
        /** @description The end of a round with its cause, and the points of every seat; hands of exempt seats cost nothing (SC-24). */
        ScoutRoundScoredEvent: {
            /**
             * @description - `empty_hand`: a hand is empty
             *     - `unbeaten`: nobody has beaten the active set
             *     - `stuck`: no move is left
             */
            cause: components["schemas"]["ScoutCause"];
            /** @description The seats whose hands cost nothing. */
            exempt: number[];
            /** @description By seat: what is added to the totals. */
            points: number[];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "round_scored";
        };
        /** @description Take a card from an end of the active set into your hand (SC-15). */
        ScoutScoutMove: {
            /**
             * @description A single card is the left one.
             *
             *     - `left`: left
             *     - `right`: right
             */
            end: components["schemas"]["ScoutEnd"];
            /**
             * @description Put it in upside down (SC-16).
             *
             *     - `true`: turned over
             *     - `false`: as it lay
             */
            flip: boolean;
            /** @description The index of the hand card to insert before, from 0; your number of cards: the right end. */
            position: number;
            /**
             * @description Scout & Show: spend that chip, and show a set next (SC-18).
             *
             *     - `true`: with Scout & Show
             *     - `false`: without showing
             */
            show: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "scout";
        };
        /** @description The seat took the card, shown as it lay. Only the seat itself sees its orientation and its place in the hand. */
        ScoutScoutedEvent: {
            /** @description [up, down]: the number that counts, and the one that is upside down. */
            card: number[];
            /**
             * @description - `left`: left
             *     - `right`: right
             */
            end: components["schemas"]["ScoutEnd"];
            /**
             * @description - `true`: turned over
             *     - `false`: as it lay
             */
            flip: boolean | null;
            /** @description The place in the hand, from 0 at the left. Null for everybody but the seat until the game is over. */
            position: number | null;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description - `true`: with Scout & Show
             *     - `false`: without showing
             */
            show: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "scouted";
        };
        /** @description Lay neighbouring cards of your hand down as the new active set; they must beat the old one (SC-13). */
        ScoutShowMove: {
            /** @description The number of cards. */
            count: number;
            /** @description The place of the leftmost card in your hand. */
            start: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "show";
        };
        /** @description The cards lie in the middle as they left the hand. Only the seat itself sees their place in the hand. */
        ScoutShownEvent: {
            /** @description The new active set, from left to right. */
            cards: number[][];
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The place of the leftmost card in the hand, from 0. Null for everybody but the seat until the game is over. */
            start: number | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "shown";
        };
        /** @description The choices of the caller in a game now. */
        ScoutSituation: {
            /** @description The reason why the game was aborted; absent otherwise. */
            cause?: components["schemas"]["Cause"];
            clock?: components["schemas"]["GameClock"];
            /** @description The version since which the choice of the seat exists; null: it has none. */
            decision: number | null;
            /** @description All of them; each can be sent as it is. */
            legal_moves: components["schemas"]["ScoutMove"][];
            /** @description Null until the game is finished. */
            result: components["schemas"]["Result"] | null;
            /** @description The seats with their players. Absent if nothing has changed since the last one. */
            seats?: components["schemas"]["SeatAssignment"][];
            /** @description The status of the game. */
            status: components["schemas"]["Status"];
            /** @description The seats that must act, rising. */
            to_act: number[];
            /**
             * @description The last version of the caller's move that they can take back without asking, or null; absent if the game has no
             *     undo.
             */
            undo?: number | null;
            /** @description The version of the game now. */
            version: number;
            /** @description The open question. Absent if there is none. */
            vote?: components["schemas"]["Question"];
            /** @description The seat of the caller, or of their perspective; null: a bystander. */
            you: number | null;
        };
        /**
         * @description The caller's choice has changed since the version in `If-Match`. `missed` lists the first
         *     events since that version, at most 32.
         */
        ScoutStaleDecisionProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /** @description The first events since the version in `If-Match`, at most 32. `GET .../events` has the others. */
            missed: components["schemas"]["ScoutHashed"][];
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 412;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "stale-decision";
            /** @description The number of events so far. */
            version: number;
        };
        /** @description An event of the record, as it looks from a perspective. */
        ScoutStep: {
            /** @description The event as the perspective sees it. Absent if that is the whole event, as in the record. */
            event?: components["schemas"]["ScoutEvent"];
            /** @description JSON Patch (RFC 6902) from the view before the event to the one after. */
            patch: (components["schemas"]["AddOperation"] | components["schemas"]["RemoveOperation"] | components["schemas"]["ReplaceOperation"])[];
            /** @description The points that the cards count after the event. Absent if it has not changed. */
            tally?: components["schemas"]["Tally"] | null;
        };
        /** @description It would be the seat's turn, but it has neither a chip nor a set that beats the active one (SC-44). */
        ScoutStuckEvent: {
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "stuck";
        };
        /** @description It is the seat's turn, or in the official game for two still its turn (SC-42). */
        ScoutTurnBeganEvent: {
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "turn_began";
        };
        /** @description Turn your whole hand by 180 degrees: the other numbers count, in reverse order (SC-11). */
        ScoutTurnMove: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "turn";
        };
        /** @description The table. The dealer acts in `lot` and `deal`, nobody in `settle` (what a move entails) and `over`. */
        ScoutView: {
            /** @description The active set, from left to right; cards are scouted from its ends. */
            active: number[][];
            /** @description The cards set aside for the second round of the official game for two, unseen. */
            aside: (number[] | null)[];
            /** @description By seat: the number of scout chips, one point each. */
            chips: number[];
            /** @description By seat: the number of beaten cards, one point each. */
            collected: number[];
            /** @description By seat: whether it still has the Scout & Show chip. */
            combo: boolean[];
            /** @description The name of the deck. It selects the deck when a game is opened. */
            deck: string;
            /** @description By seat: the cards from left to right. Cards of others are null; their number is not hidden. */
            hands: (number[] | null)[][];
            /** @description The index in the hand of the card just taken, in phase `combo`; null in others. */
            inserted: number | null;
            /** @description The options of the game. */
            options: components["schemas"]["ScoutOptions"];
            /** @description By seat: whether it has kept or turned its hand. */
            oriented: boolean[];
            /** @description The seat that showed the active set, even if nothing of it is left. */
            owner: number | null;
            /**
             * @description The phase: what the game waits for.
             *
             *     - `lot`: The first to begin is drawn by lot
             *     - `deal`: The cards are dealt
             *     - `orient`: Keep your hand, or turn it
             *     - `turn`: Show a set, or scout a card
             *     - `combo`: Show a set after the scouting
             *     - `settle`: The move is completed
             *     - `over`: The game is over
             */
            phase: components["schemas"]["ScoutPhase"];
            /** @description The number of the round, from 1. */
            round: number;
            /** @description The scored rounds, first to last. */
            rounds: components["schemas"]["ScoutRound"][];
            /** @description Plain scouts since the last show; not counted in the official game for two. */
            scouts: number;
            /** @description The seat that has, or will have, the first turn of the round. */
            starter: number | null;
            /** @description By seat: the points of all scored rounds. */
            totals: number[];
            /** @description The seat whose turn it is. */
            turn: number | null;
            /** @description The seats that have won; null until the game is over. */
            winners: number[] | null;
        };
        /** @description All rounds are played: these seats have the highest total (SC-26). */
        ScoutWonEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "won";
            /** @description The winning seats; several in a tie. */
            winners: number[];
        };
        /** @description A seat, its player (null: free, or a bot's), and the player's entropy for the shuffles. */
        SeatAssignment: {
            /** @description The bot that plays the seat. Absent otherwise. */
            bot?: string;
            /** @description The text that the player contributes to the shuffles. Empty in a sealed game until they are ready. */
            entropy: string;
            /** @description True if the player has left the running game and the bot goes on. Absent otherwise. */
            gone?: boolean;
            /** @description The player; null while the seat is free, or of a bot. */
            player: components["schemas"]["Player"] | null;
            /** @description True if the player has opened their entropy in such a game. Absent otherwise. */
            ready?: boolean;
            /** @description The player for whom the free seat is kept. Absent otherwise. */
            reserved?: components["schemas"]["Player"];
            /** @description The hash of the player's entropy, in a sealed game that has not begun. Absent otherwise. */
            seal?: string;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
        };
        /** @description The time that a seat has left. */
        SeatClock: {
            /** @description Milliseconds in the bank. While `runs_out` is not null: when the current choice arose. */
            left: number;
            /** @description Milliseconds in the reserve, as of the same time. */
            reserve: number;
            /** @description The time at which the seat has used all its time, delay and reserve included (RFC 3339, UTC). Null while it has no choice. */
            runs_out: string | null;
        };
        /** @description The smallest and the largest number of players. */
        SeatRange: {
            /** @description The smallest number of players, bots included. */
            least: number;
            /** @description The largest number of players, bots included. */
            most: number;
        };
        /**
         * @description The seat to take. Default: the seat that is kept for the caller or that the caller has left, else the first free
         *     one.
         */
        SeatRequest: {
            /** @description The contribution of a seat to the shuffles: up to 64 printable ASCII characters, public. Default: `""`. */
            entropy?: string;
            /** @description The hash of the entropy that the seat of a sealed game opens when all seats are taken, in lower-case hex. */
            seal?: string;
            /** @description The seat to take. Null or absent: the service chooses. */
            seat?: number | null;
        };
        /** @description The seat is taken or does not exist, or no seat is free. */
        SeatTakenProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "seat-taken";
        };
        /** @description The player whom a seat is for. Without fields it is open to everybody. */
        SeatTerms: {
            /** @description The bot that plays the seat, `NAME/VERSION`. */
            bot?: string;
            /** @description The id of a player: a guest's UUID, or `namespace:sub`. */
            player?: string;
        };
        /** @description A player has opened their entropy, so nobody leaves before the game begins. */
        SeatsFixedProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "seats-fixed";
        };
        /** @description A webhook with the secret that signs its deliveries. Only creating and rotating return the secret. */
        SecretWebhook: {
            /** @description Seconds after which `game.your_turn` is delivered, if the choice still stands. */
            after: number;
            /** @description The reason why it is disabled: its owner wanted it, the address answered 410 (`gone`), all attempts of three days failed, or because the operator has banned the owner. */
            cause: components["schemas"]["WebhookCause"] | null;
            /** @description The time at which it was created. */
            created_at: string;
            /** @description The time since which every attempt has failed; null if the last one succeeded. */
            failing_since: string | null;
            /** @description The id of the webhook. */
            id: string;
            /** @description `whsec_` and base64, as libraries of Standard Webhooks take it. */
            secret: string;
            /** @description `unverified` until the address has answered a ping, then `live`, or `disabled`. */
            status: components["schemas"]["WebhookStatus"];
            /** @description The events that are delivered. */
            types: components["schemas"]["WebhookEvent"][];
            /** @description The URL to which events are sent. */
            url: string;
        };
        /** @description The data that the tables of the same deal have in common. */
        SharedDeal: {
            /** @description The hash of the secret, in the terms of each game. */
            commitment: string;
            /** @description The id of the deal, in the terms of each game. */
            id: string;
            /** @description The secret that all cards follow from; null until everything is over. */
            secret: string | null;
        };
        /** @description A code that the device that signs out everywhere exchanges for its next token. */
        SignOut: {
            /** @description 128 random bits as 32 hexadecimal digits, chosen by the client. */
            code: string;
        };
        /** @description The choices of the caller in a game now. */
        Situation: {
            /** @description The reason why the game was aborted; absent otherwise. */
            cause?: components["schemas"]["Cause"];
            clock?: components["schemas"]["GameClock"];
            /** @description The version since which the choice of the seat exists; null: it has none. */
            decision: number | null;
            /** @description All of them; each can be sent as it is. */
            legal_moves: components["schemas"]["GameMove"][];
            /** @description Null until the game is finished. */
            result: components["schemas"]["Result"] | null;
            /** @description The seats with their players. Absent if nothing has changed since the last one. */
            seats?: components["schemas"]["SeatAssignment"][];
            /** @description The status of the game. */
            status: components["schemas"]["Status"];
            /** @description The seats that must act, rising. */
            to_act: number[];
            /**
             * @description The last version of the caller's move that they can take back without asking, or null; absent if the game has no
             *     undo.
             */
            undo?: number | null;
            /** @description The version of the game now. */
            version: number;
            /** @description The open question. Absent if there is none. */
            vote?: components["schemas"]["Question"];
            /** @description The seat of the caller, or of their perspective; null: a bystander. */
            you: number | null;
        };
        /** @enum {string} */
        SkyjoActionAction: "defence" | "double_move" | "draw_three" | "look_line" | "play_discarded_action" | "remove_one_each" | "steal_action" | "swap_own" | "swap_players";
        /** @description An action card in front of a seat; a fresh one cannot be played or discarded yet (SA-24). */
        SkyjoActionActionCard: {
            /** @description The card. */
            card: components["schemas"]["SkyjoActionAction"];
            /** @description It cannot be played or discarded before the next turn of its owner. */
            fresh: boolean;
        };
        /** @description The top card of the pile of action cards was laid open in a gap (SA-25). */
        SkyjoActionActionLaidOpenEvent: {
            /** @description The action card that lies there now. */
            card: components["schemas"]["SkyjoActionAction"];
            /** @description The gap among the open action cards, 0 to 3. */
            place: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "action_laid_open";
        };
        /**
         * @description The action card lies in front of the seat, not to be played before its next turn (SA-24, SA-33).
         *
         *     `laid` is the top card of their pile, laid open in place of an open card that was taken; none if the pile is empty.
         */
        SkyjoActionActionTakenEvent: {
            /** @description The action card that was taken. */
            card: components["schemas"]["SkyjoActionAction"];
            /** @description The action card that lies in its place now; empty if there is none. */
            laid: components["schemas"]["SkyjoActionAction"][];
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description - `pile`: the top one of the pile */
            source: components["schemas"]["SkyjoActionSource"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "action_taken";
        };
        /** @description All discarded action cards but the top one were shuffled and are their new pile (SA-67). */
        SkyjoActionActionsRestockedEvent: {
            /** @description The new pile of action cards; the last one is the top. Null for everybody until the game is over. */
            action_pile: (components["schemas"]["SkyjoActionAction"] | null)[];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "actions_restocked";
        };
        /** @description The choice of a house player for a seat, from what that seat sees. */
        SkyjoActionAdvice: {
            /** @description The move, which can be posted unchanged; null if the seat has no choice now. */
            move: components["schemas"]["SkyjoActionMove"] | null;
            /** @description The seat that is to choose. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The number of events so far. */
            version: number;
        };
        /** @description A defence of the seat has warded off the attack and is used up (SA-60). */
        SkyjoActionBlockedEvent: {
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "blocked";
        };
        SkyjoActionCard: number | "star";
        /** @description A choice of a player between several legal moves, weighed in worlds that its seat could imagine. */
        SkyjoActionChoice: {
            /** @description The house player might have made the same move. */
            as_house: boolean;
            /**
             * @description The move that seems to be better. Absent: none was found among the moves and worlds that were tried; this does
             *     not show that there is none.
             */
            best?: components["schemas"]["SkyjoActionMove"];
            /** @description The category of the least that the choice has cost with nine chances in ten. Absent: too close to tell. */
            category?: components["schemas"]["Category"];
            /** @description The standard error of `loss`; the range of 95 % is `loss` ± 1.96 times this. */
            error: number;
            /** @description The result that the seat could expect before, in points ahead. */
            expected: number;
            /** @description The player had a hint. */
            hinted: boolean;
            /**
             * @description The points by which that move is better. It may be chance: see `error`. Without `best` it is 0 and was not
             *     measured.
             */
            loss: number;
            /** @description The move that was made. */
            made: components["schemas"]["SkyjoActionMove"];
            /** @description The loss was measured in worlds that neither the best move nor the choice was picked by. */
            refined: boolean;
            /** @description Rounds are numbered from 0. */
            round: number;
            /** @description The seat that chose. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The version of the first event that it caused. The choice was made at the version before. */
            version: number;
            /** @description The number of worlds in which `loss` was measured. */
            worlds: number;
        };
        /** @description Clear a line of yours that has a star in it (SA-45). */
        SkyjoActionClearLineMove: {
            /**
             * @description - `c0`: column 1
             *     - `c1`: column 2
             *     - `c2`: column 3
             *     - `c3`: column 4
             *     - `r0`: row 1
             *     - `r1`: row 2
             *     - `r2`: row 3
             */
            line: components["schemas"]["SkyjoActionLine"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "clear_line";
        };
        /**
         * @description A round begins: twelve cards face down for each seat, one face up, the rest is the draw pile (SA-66).
         *
         *     Of the action cards four lie open, one may open their discard pile, the rest is their pile.
         */
        SkyjoActionDealtEvent: {
            /** @description The discard pile of the action cards: one card, or none. */
            action_discard: components["schemas"]["SkyjoActionAction"][];
            /** @description The other action cards, face down; the last one is the top. Null for everybody until the game is over. */
            action_pile: (components["schemas"]["SkyjoActionAction"] | null)[];
            /** @description The first card of the discard pile. The number on the card, or `star`. */
            discard: components["schemas"]["SkyjoActionCard"];
            /** @description The draw pile; the last card is its top. Null for everybody until the game is over. */
            draw: (components["schemas"]["SkyjoActionCard"] | null)[];
            /** @description By seat: the cards, at column * 3 + row. All lie face down. Null for everybody until the game is over. */
            layouts: (components["schemas"]["SkyjoActionCard"] | null)[][];
            /** @description The open action cards, by their place. */
            open: components["schemas"]["SkyjoActionAction"][];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "dealt";
        };
        /** @description The number of cards for each number, of stars, of action cards of each kind, and of blank cards. */
        SkyjoActionDeck: {
            /** @description The number of action cards of each kind. */
            actions: {
                [key: string]: number;
            };
            /** @description The number of blank cards in the box. They are not played with. */
            blank: number;
            /** @description The licence of these data, which records contain: an SPDX expression, `LicenseRef-` for others. */
            licence?: string;
            /** @description It selects the deck when a game is opened. */
            name: string;
            /** @description The number of cards of each value. */
            numbers: {
                [key: string]: number;
            };
            /** @description The source of the list of cards. */
            provenance: string;
            /** @description The ruleset that the deck is for. */
            ruleset: string;
            /** @description The number of star cards. */
            stars: number;
        };
        /** @description Put away an action card that has lain in front of you since an earlier turn, without effect (SA-35). */
        SkyjoActionDiscardMove: {
            /** @description The action card. */
            card: components["schemas"]["SkyjoActionAction"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "discard";
        };
        /** @description The seat's action card lies on their discard pile, without effect (SA-35). */
        SkyjoActionDiscardedEvent: {
            /** @description The action card that has no effect. */
            card: components["schemas"]["SkyjoActionAction"];
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "discarded";
        };
        /** @description Draw the top card of the draw pile (SA-31). */
        SkyjoActionDrawMove: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "draw";
        };
        /** @description One of three cards was drawn; nobody else sees it (SA-53). */
        SkyjoActionDrawnAsideEvent: {
            /** @description Null for everybody but the seat until the game is over. */
            card: components["schemas"]["SkyjoActionCard"] | null;
            /** @description The index of one of the three cards, 0 to 2. */
            place: number;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "drawn_aside";
        };
        /** @description The seat holds the top card of the draw pile; nobody else sees it. */
        SkyjoActionDrawnEvent: {
            /** @description Null for everybody but the seat until the game is over. */
            card: components["schemas"]["SkyjoActionCard"] | null;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "drawn";
        };
        /** @description Put one of the three drawn cards onto the discard pile (SA-53). */
        SkyjoActionDropMove: {
            /** @description The index of a drawn card. */
            place: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "drop";
        };
        /** @description One of the three cards is now the top discard. */
        SkyjoActionDroppedEvent: {
            /** @description The number on the card, or `star`. */
            card: components["schemas"]["SkyjoActionCard"];
            /** @description The index of one of the three cards, 0 to 2. */
            place: number;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "dropped";
        };
        /** @description The action card that was fetched has nothing to act on (SA-50). */
        SkyjoActionEffectLapsedEvent: {
            /** @description The action card that was fetched. */
            card: components["schemas"]["SkyjoActionAction"];
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "effect_lapsed";
        };
        /**
         * @description An event as a record has it: redacted for the viewer, with the hashes of the full event.
         *
         *     A complete record has no hashes, because they follow from its events and the secret. An *append* is what one command
         *     added to the log, all or nothing.
         */
        SkyjoActionEntry: {
            /** @description The seats that have a choice after the event, rising; on the last event of an append. */
            acting?: number[];
            /** @description The time of the event (RFC 3339, UTC). */
            at: string;
            /** @description The seat whose choice caused it; null for the dealer and for players without a seat. */
            by: number | null;
            /** @description The event, redacted for the viewer. */
            event: components["schemas"]["SkyjoActionEvent"];
            /** @description The hash of all events up to this one. 32 bytes in lower-case hex. */
            head?: string;
            /** @description The number of events that follow in the same append; 0 on its last one. */
            more: number;
            /** @description The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it. */
            move?: components["schemas"]["SkyjoActionMove"];
            /** @description The hash of what everybody may see of the event. 32 bytes in lower-case hex. */
            public?: string;
            /** @description The hash of the whole event. 32 bytes in lower-case hex. */
            secret?: string;
            /** @description The number of the event in its game, from 1. */
            version: number;
        };
        SkyjoActionEvent: components["schemas"]["SkyjoActionOpenedEvent"] | components["schemas"]["JoinedEvent"] | components["schemas"]["LeftEvent"] | components["schemas"]["DeclinedEvent"] | components["schemas"]["ReadiedEvent"] | components["schemas"]["BegunEvent"] | components["schemas"]["GoneEvent"] | components["schemas"]["RejoinedEvent"] | components["schemas"]["GrantedEvent"] | components["schemas"]["ResumedEvent"] | components["schemas"]["VotedEvent"] | components["schemas"]["TakenBackEvent"] | components["schemas"]["HintedEvent"] | components["schemas"]["EndedEvent"] | components["schemas"]["AbortedEvent"] | components["schemas"]["RevealedEvent"] | components["schemas"]["SkyjoActionDealtEvent"] | components["schemas"]["SkyjoActionFlippedEvent"] | components["schemas"]["SkyjoActionStarterFoundEvent"] | components["schemas"]["SkyjoActionPicksGrantedEvent"] | components["schemas"]["SkyjoActionPickSkippedEvent"] | components["schemas"]["SkyjoActionTurnBeganEvent"] | components["schemas"]["SkyjoActionMoveBeganEvent"] | components["schemas"]["SkyjoActionRanOutEvent"] | components["schemas"]["SkyjoActionRestockedEvent"] | components["schemas"]["SkyjoActionActionsRestockedEvent"] | components["schemas"]["SkyjoActionDrawnEvent"] | components["schemas"]["SkyjoActionTakenEvent"] | components["schemas"]["SkyjoActionSwappedEvent"] | components["schemas"]["SkyjoActionTossedEvent"] | components["schemas"]["SkyjoActionActionTakenEvent"] | components["schemas"]["SkyjoActionActionLaidOpenEvent"] | components["schemas"]["SkyjoActionPlayedEvent"] | components["schemas"]["SkyjoActionDiscardedEvent"] | components["schemas"]["SkyjoActionDrawnAsideEvent"] | components["schemas"]["SkyjoActionLineLookedEvent"] | components["schemas"]["SkyjoActionEffectLapsedEvent"] | components["schemas"]["SkyjoActionMovesAddedEvent"] | components["schemas"]["SkyjoActionKeptEvent"] | components["schemas"]["SkyjoActionKeptNoneEvent"] | components["schemas"]["SkyjoActionDroppedEvent"] | components["schemas"]["SkyjoActionVictimsNamedEvent"] | components["schemas"]["SkyjoActionPickedEvent"] | components["schemas"]["SkyjoActionExchangedEvent"] | components["schemas"]["SkyjoActionRemovedEvent"] | components["schemas"]["SkyjoActionReplacedEvent"] | components["schemas"]["SkyjoActionBlockedEvent"] | components["schemas"]["SkyjoActionStolenEvent"] | components["schemas"]["SkyjoActionReplayedEvent"] | components["schemas"]["SkyjoActionLineClearedEvent"] | components["schemas"]["SkyjoActionLinesOfferedEvent"] | components["schemas"]["SkyjoActionLinesKeptEvent"] | components["schemas"]["SkyjoActionFinalLapBeganEvent"] | components["schemas"]["SkyjoActionLayoutsRevealedEvent"] | components["schemas"]["SkyjoActionRoundScoredEvent"] | components["schemas"]["SkyjoActionWonEvent"];
        /** @description An event in a page or stream. */
        SkyjoActionEventItem: {
            /** @description The seats that have a choice after the event, rising; on the last event of an append. */
            acting?: number[];
            /** @description The time of the event (RFC 3339, UTC). */
            at: string;
            /** @description The seat whose choice caused it; null for the dealer and for players without a seat. */
            by: number | null;
            /** @description The event, redacted for the viewer. */
            event: components["schemas"]["SkyjoActionEvent"];
            /** @description The hash of all events up to this one. 32 bytes in lower-case hex. */
            head: string;
            /** @description The number of events that follow in the same append; 0 on its last one. */
            more: number;
            /** @description The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it. */
            move?: components["schemas"]["SkyjoActionMove"];
            /** @description The JSON Patch (RFC 6902), with `with=patch`, from the `view` of the version before to that of this version. Absent otherwise. */
            patch?: (components["schemas"]["AddOperation"] | components["schemas"]["RemoveOperation"] | components["schemas"]["ReplaceOperation"])[];
            /** @description The hash of what everybody may see of the event. 32 bytes in lower-case hex. */
            public: string;
            /** @description The hash of the whole event. 32 bytes in lower-case hex. */
            secret: string;
            /** @description The points that the cards count at this version, with `with=tally`, if they differ from those at the version before; null before the game begins. Absent otherwise. */
            tally?: components["schemas"]["Tally"] | null;
            /** @description The number of the event in its game, from 1. */
            version: number;
        };
        /** @description A page of a list. `next` is the URL of the next page, or null on the last one. */
        SkyjoActionEventItemPage: {
            /** @description The items in order. */
            items: components["schemas"]["SkyjoActionEventItem"][];
            /** @description The URL of the next page; null on the last one. */
            next: string | null;
        };
        /** @description The two cards have changed places, each as it lay, face up or face down. */
        SkyjoActionExchangedEvent: {
            one: components["schemas"]["SkyjoActionPlace"];
            other: components["schemas"]["SkyjoActionPlace"];
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "exchanged";
        };
        /**
         * @description A finished game with its views from every perspective, for programs that know no rules.
         *
         *     Only the record is proven by its hashes. The rest follows from the record by the rules.
         */
        SkyjoActionFilm: {
            /** @description The effects of the cards of the deck. */
            captions: components["schemas"]["Captions"];
            /** @constant */
            format: "stammtisch-film/1";
            /** @description By perspective (`all`, `bystander`, and the number of each seat), one step for each event of the record. Before the first step the view is null. */
            perspectives: {
                [key: string]: components["schemas"]["SkyjoActionStep"][];
            };
            /** @description The record that the film was made of. */
            record: components["schemas"]["SkyjoActionGameRecord"];
            /** @description The ruleset as `GET /v1/rulesets/NAME` describes it, so that the film needs no service. */
            ruleset: components["schemas"]["Ruleset"];
        };
        /** @description Some layout has no face-down card left; every other seat has one more turn (SA-25, SA-70). */
        SkyjoActionFinalLapBeganEvent: {
            /** @description The seat that ends the round. Seats are numbered from 0, rising clockwise. */
            finisher: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "final_lap_began";
        };
        /** @description Turn up a face-down card of your own: at the beginning of a round, or at the end of a move (SA-38). */
        SkyjoActionFlipMove: {
            /** @description A place in the own layout: column * 3 + row. */
            slot: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "flip";
        };
        /** @description The seat turned up one of its cards. */
        SkyjoActionFlippedEvent: {
            /** @description The number on the card, or `star`. */
            card: components["schemas"]["SkyjoActionCard"];
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description A place in the seat's layout: column * 3 + row. */
            slot: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "flipped";
        };
        /** @description A game as the caller may see it. `view` is null before the game begins; hidden cards in it are null. */
        SkyjoActionGame: {
            /** @description The bot that goes on when a player leaves the running game, or `abort`. Absent if they cannot leave. */
            absent?: components["schemas"]["Absent"];
            /** @description The reason why the game was aborted. Absent otherwise. */
            cause?: components["schemas"]["Cause"];
            /** @description The time for choices. Absent: it is not limited. */
            clock?: components["schemas"]["GameClock"];
            /** @description The hash of the secret from which all deals are derived. */
            commitment: string;
            /** @description The time at which the game was opened (RFC 3339, UTC). */
            created_at: string;
            /**
             * @description The deal that the game has in common with others. Absent once its secret is revealed: until then the cards stay
             *     hidden, also when the game is over.
             */
            deal?: components["schemas"]["Deal"];
            /** @description The version since which the caller's current choice exists. */
            decision: number | null;
            /** @description The deck of the game. */
            deck: components["schemas"]["DeckNamed"];
            /** @description The hash of all events up to this version. */
            head: string;
            /** @description True: the player, who is alone with bots, can ask for hints. Absent otherwise. */
            hints?: boolean;
            /** @description One player has all seats. */
            hotseat: boolean;
            /** @description The id of the game. */
            id: string;
            /** @description True if the game was imported from a record. Absent otherwise. */
            imported?: boolean;
            /** @description The code for others to see and join a private game. For members only. */
            invite?: string;
            /** @description All legal moves of the caller. Each can be posted unchanged. */
            legal_moves: components["schemas"]["SkyjoActionMove"][];
            /** @description URLs of the parts of the game. */
            links: components["schemas"]["GameLinks"];
            /** @description The options of the game. */
            options: components["schemas"]["SkyjoActionOptions"];
            /** @description The game that this branch continues. Absent in other games. */
            parent?: components["schemas"]["Parent"];
            /** @description Only members and holders of the invite see the game. */
            private: boolean;
            /** @description True: positions of the game may become puzzles, without names; sitting down agrees to it. Absent otherwise. */
            puzzles?: boolean;
            /** @description The id of the game that this one repeats. Absent in other games. */
            rematch_of?: string;
            /** @description The result; null until the game is finished. */
            result: components["schemas"]["Result"] | null;
            /** @description The ruleset and the version of its rules, such as `name/1`. */
            rules: string;
            /** @description The name of the ruleset. */
            ruleset: string;
            /** @description True: players seal their entropies, and open them when all seats are taken. Absent otherwise. */
            sealed?: boolean;
            /** @description The seats in order, from 0. */
            seats: components["schemas"]["SeatAssignment"][];
            /** @description `waiting` for players, `running`, `finished` with a result, or `aborted` without one. */
            status: components["schemas"]["Status"];
            /** @description The points that the cards count now, with `with=tally`; null before the game begins. Absent otherwise. */
            tally?: components["schemas"]["Tally"] | null;
            /** @description The seats that must act now. */
            to_act: number[];
            /** @description The last version of the caller's move that they can take back without asking, or null. Absent if no move can be taken back in this game. */
            undo?: number | null;
            /** @description The moves that can be taken back: those that revealed nothing, or also others by agreement. Absent: none. */
            undo_mode?: components["schemas"]["Undo"];
            /** @description The number of events so far. */
            version: number;
            /** @description The table as this perspective may see it; null before the game begins. */
            view: components["schemas"]["SkyjoActionView"] | null;
            /** @description The open question. Absent if there is none. */
            vote?: components["schemas"]["Question"];
            /** @description The caller's seat. */
            you: number | null;
        };
        /** @description All events of a game so far, and what a verifier needs. */
        SkyjoActionGameRecord: {
            /** @description The hash of the secret that all deals follow from. */
            commitment: string;
            deck: components["schemas"]["SkyjoActionDeck"];
            /**
             * @description All events from the first one on, as the perspective sees them. The game's version is their number. In a
             *     complete record, the one with the secret, they have no hashes.
             */
            events: components["schemas"]["SkyjoActionEntry"][];
            /** @constant */
            format: "stammtisch-record/1";
            /** @description The hash that covers all events of the record. */
            head: string;
            /** @description The id of the game. */
            id: string;
            /** @description The display names of the opener and of the players at the seats, by id, as of the time of the download. Unproven: no hash covers them. Former players have none. */
            names: {
                [key: string]: string;
            };
            options: components["schemas"]["SkyjoActionOptions"];
            /** @description The game that a branch continues; null: it is no branch. */
            parent: components["schemas"]["Parent"] | null;
            /** @description The final scores and the winners; null while the game runs and if it was aborted. */
            result: components["schemas"]["Result"] | null;
            /** @description The ruleset and the version of its rules that this game is played by. */
            rules: string;
            /** @description The name of the ruleset. */
            ruleset: string;
            /** @description All seats, in their order. */
            seats: components["schemas"]["RecordedSeat"][];
            /** @description Null while the game runs, and in redacted records. */
            secret: string | null;
        };
        /** @description The terms of a new game. */
        SkyjoActionGameRequest: {
            /**
             * @description The bot that goes on when a player leaves the running game, or `abort`, which ends the game. Default: the ruleset's best bot. Not for hotseat games, which nobody can leave.
             * @enum {string}
             */
            absent?: "abort" | "careful/1" | "easy/1" | "random/1";
            /** @description The time for choices. Default: it is not limited. Not for hotseat games. */
            clock?: components["schemas"]["ClockInput"];
            /**
             * @description The name of a deck. Default: the ruleset's first deck.
             * @constant
             */
            deck?: "skyjo_action";
            /** @description The contribution of a seat to the shuffles: up to 64 printable ASCII characters, public. Default: `""`. */
            entropy?: string;
            /** @description The player can ask for hints. Only if all seats but one are for bots. Default: `false`. */
            hints?: boolean;
            /** @description The opener plays all seats: for pass-and-play, analysis and tests. Default: `false`. */
            hotseat?: boolean;
            /** @description The options of the game. Default: the ruleset's defaults. */
            options?: components["schemas"]["SkyjoActionOptionsInput"];
            /** @description Only members and holders of the invite code can see and join the game. Default: `false`. */
            private?: boolean;
            /** @description Positions of the game may become puzzles, without names. Players agree by sitting down. Not for private and hotseat games. Default: `false`. */
            puzzles?: boolean;
            /** @description Nobody sees an entropy before all are fixed: players sit down with a `seal`, and open their entropy when all seats are taken. Not for hotseat games, nor together with `entropy`. Default: `false`. */
            sealed?: boolean;
            /** @description The number of seats, or a list of who each seat is for: `me` (the opener), `open` (anybody), the name of a bot, or another player. */
            seats: number | (components["schemas"]["SkyjoActionOccupant"] | components["schemas"]["KeptSeat"])[];
            /** @description The opener takes seat 0; with a list of `seats`, the seat `me`. With `false` the opener takes a seat later, or not at all. With a list without `me` the opener does not sit. In a sealed game the seat is kept for the opener, who takes it with a seal. Default: `true`. */
            sit?: boolean;
            /**
             * @description The moves that can be taken back: those that revealed nothing (`free`), also others if all players agree (`agreed`), or none. Default: `free`.
             * @enum {string}
             */
            undo?: "agreed" | "free" | "none";
        };
        /** @description An event as it is served: redacted for the viewer, with the hashes of the full event. */
        SkyjoActionHashed: {
            /** @description The seats that have a choice after the event, rising; on the last event of an append. */
            acting?: number[];
            /** @description The time of the event (RFC 3339, UTC). */
            at: string;
            /** @description The seat whose choice caused it; null for the dealer and for players without a seat. */
            by: number | null;
            /** @description The event, redacted for the viewer. */
            event: components["schemas"]["SkyjoActionEvent"];
            /** @description The hash of all events up to this one. 32 bytes in lower-case hex. */
            head: string;
            /** @description The number of events that follow in the same append; 0 on its last one. */
            more: number;
            /** @description The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it. */
            move?: components["schemas"]["SkyjoActionMove"];
            /** @description The hash of what everybody may see of the event. 32 bytes in lower-case hex. */
            public: string;
            /** @description The hash of the whole event. 32 bytes in lower-case hex. */
            secret: string;
            /** @description The number of the event in its game, from 1. */
            version: number;
        };
        /** @description The moves that nothing speaks against, in worlds that the seat can imagine. */
        SkyjoActionHint: {
            /**
             * @description The move that the first one is compared with. Absent: it is the only legal move, or that of the house player,
             *     because no world could be imagined.
             */
            against?: components["schemas"]["SkyjoActionMove"];
            /** @description The points by which the first one is better than `against`. It may be chance: see `error`. */
            ahead: number;
            /** @description The standard error of `ahead`; the range of 95 % is `ahead` ± 1.96 times this. */
            error: number;
            /** @description The best first. The others of them are too close to it to tell. */
            moves: components["schemas"]["SkyjoActionMove"][];
            /** @description The seat that asked. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The version of the table that it is about: that of the last event of the ruleset that stands. */
            version: number;
            /** @description The number of worlds in which `ahead` was measured. None of the moves was picked by them. */
            worlds: number;
        };
        /** @description The rules do not allow this move now. `legal_moves` lists the legal moves of the caller. */
        SkyjoActionIllegalMoveProblem: {
            /** @description The version since which the current choice exists; null without a choice. */
            decision: number | null;
            /** @description An explanation of this case. */
            detail?: string;
            /** @description All legal moves of the caller. */
            legal_moves: components["schemas"]["SkyjoActionMove"][];
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "illegal-move";
            /** @description The number of events so far. */
            version: number;
        };
        /** @description Leave the lines with stars in them where they are for now (SA-45). */
        SkyjoActionKeepLinesMove: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "keep_lines";
        };
        /** @description Keep one of the three drawn cards; it must then be swapped in (SA-53). */
        SkyjoActionKeepMove: {
            /** @description The index of a drawn card. */
            place: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "keep";
        };
        /** @description Keep none of the three drawn cards; in the end one of yours is turned up (SA-53). */
        SkyjoActionKeepNoneMove: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "keep_none";
        };
        /** @description The seat holds one of the three cards, which is still seen by nobody else. */
        SkyjoActionKeptEvent: {
            /** @description The index of one of the three cards, 0 to 2. */
            place: number;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "kept";
        };
        /** @description The seat keeps none of the three cards. */
        SkyjoActionKeptNoneEvent: {
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "kept_none";
        };
        /** @enum {string} */
        SkyjoActionKind: "choose" | "drop" | "end" | "fill" | "flip" | "keep" | "lines" | "look" | "moves" | "pick" | "place" | "replay" | "slot" | "steal" | "three" | "victims";
        /** @description The final lap has ended: all face-down cards are turned up (SA-71). */
        SkyjoActionLayoutsRevealedEvent: {
            /** @description Each card that lay face down. */
            cards: components["schemas"]["SkyjoActionTurnedUp"][];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "layouts_revealed";
        };
        /** @enum {string} */
        SkyjoActionLine: "c0" | "c1" | "c2" | "c3" | "r0" | "r1" | "r2";
        /** @description A line went onto the discard pile: the cards in the order in which they were laid there (SA-44 to SA-47). */
        SkyjoActionLineClearedEvent: {
            /** @description The points that are added to the round: negative for a line of stars, else 0. */
            bonus: number;
            /** @description The cards that lay there, in the order in which they were discarded. */
            cards: components["schemas"]["SkyjoActionCard"][];
            /**
             * @description - `c0`: column 1
             *     - `c1`: column 2
             *     - `c2`: column 3
             *     - `c3`: column 4
             *     - `r0`: row 1
             *     - `r1`: row 2
             *     - `r2`: row 3
             */
            line: components["schemas"]["SkyjoActionLine"];
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The places that are empty now: column * 3 + row. */
            slots: number[];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "line_cleared";
        };
        /** @description The seat looked at the face-down cards of a line; nobody else sees them (SA-54). */
        SkyjoActionLineLookedEvent: {
            /** @description The cards in these places. Null for everybody but the seat until the game is over. */
            cards: (components["schemas"]["SkyjoActionCard"] | null)[];
            /**
             * @description - `c0`: column 1
             *     - `c1`: column 2
             *     - `c2`: column 3
             *     - `c3`: column 4
             *     - `r0`: row 1
             *     - `r1`: row 2
             *     - `r2`: row 3
             */
            line: components["schemas"]["SkyjoActionLine"];
            /** @description The seat in whose layout the line is. Seats are numbered from 0, rising clockwise. */
            owner: number;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The places of the face-down cards: column * 3 + row. */
            slots: number[];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "line_looked";
        };
        /** @description The seat leaves its lines with stars in them where they are. */
        SkyjoActionLinesKeptEvent: {
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "lines_kept";
        };
        /** @description The seat may clear lines of its own that have a star in them (SA-45). */
        SkyjoActionLinesOfferedEvent: {
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "lines_offered";
        };
        /** @description All legal moves of a seat. */
        SkyjoActionListedMoves: {
            /** @description The version since which the current choice exists; null without a choice. */
            decision: number | null;
            /** @description All legal moves. Each can be posted unchanged. */
            legal_moves: components["schemas"]["SkyjoActionMove"][];
            /** @description The seat that has these moves. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The number of events so far. */
            version: number;
        };
        /** @description Look at the face-down cards of a line (SA-54). */
        SkyjoActionLookMove: {
            /**
             * @description - `c0`: column 1
             *     - `c1`: column 2
             *     - `c2`: column 3
             *     - `c3`: column 4
             *     - `r0`: row 1
             *     - `r1`: row 2
             *     - `r2`: row 3
             */
            line: components["schemas"]["SkyjoActionLine"];
            /** @description The seat of the layout. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "look";
        };
        SkyjoActionMove: components["schemas"]["SkyjoActionFlipMove"] | components["schemas"]["SkyjoActionDrawMove"] | components["schemas"]["SkyjoActionTakeMove"] | components["schemas"]["SkyjoActionSwapMove"] | components["schemas"]["SkyjoActionTossMove"] | components["schemas"]["SkyjoActionTakeActionMove"] | components["schemas"]["SkyjoActionSkipActionMove"] | components["schemas"]["SkyjoActionPlayMove"] | components["schemas"]["SkyjoActionDiscardMove"] | components["schemas"]["SkyjoActionPickMove"] | components["schemas"]["SkyjoActionLookMove"] | components["schemas"]["SkyjoActionKeepMove"] | components["schemas"]["SkyjoActionKeepNoneMove"] | components["schemas"]["SkyjoActionDropMove"] | components["schemas"]["SkyjoActionStealMove"] | components["schemas"]["SkyjoActionReplayMove"] | components["schemas"]["SkyjoActionClearLineMove"] | components["schemas"]["SkyjoActionKeepLinesMove"];
        /** @description Another move of the seat; `moves` are left, this one included (SA-25). */
        SkyjoActionMoveBeganEvent: {
            /** @description The number of moves that are left in this turn, this one included. */
            moves: number;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "move_began";
        };
        /**
         * @description The result of a move: its events as the mover may see them, and the game after it unless `Prefer: return=minimal`
         *     was sent.
         */
        SkyjoActionMoved: {
            /** @description The events of the move, as the mover may see them. */
            events: components["schemas"]["SkyjoActionHashed"][];
            /** @description The game after the move. Absent with `Prefer: return=minimal`. */
            game?: components["schemas"]["SkyjoActionGame"];
            /** @description The hash of all events up to this version. 32 bytes in lower-case hex. */
            head: string;
            /** @description The number of events after the move. */
            version: number;
        };
        /** @description The seat has `moves` more moves (SA-52, SA-59). */
        SkyjoActionMovesAddedEvent: {
            /** @description The number of moves that are added. */
            moves: number;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "moves_added";
        };
        /** @enum {string} */
        SkyjoActionOccupant: "careful/1" | "easy/1" | "me" | "open" | "random/1";
        /** @description The terms of the game, and the secret from which all deals follow. */
        SkyjoActionOpenedEvent: {
            /** @description The bot that goes on when a player leaves the running game, or `abort`. Absent: they cannot leave. */
            absent?: components["schemas"]["Absent"];
            /** @description The time for choices. Absent: it is not limited. */
            clock?: components["schemas"]["Clock"];
            /** @description The hash of the secret, which all deals follow from. 32 bytes in lower-case hex. */
            commitment: string;
            /** @description The deal that the game has in common with others. */
            deal?: components["schemas"]["Deal"];
            /** @description The whole deck, so that the record needs nothing else. */
            deck: components["schemas"]["SkyjoActionDeck"];
            /** @description The hash of the published description of these rules. 32 bytes in lower-case hex. */
            description: string;
            /** @description True: the player, who is alone with bots, can ask for hints. Absent: nobody can. */
            hints?: boolean;
            /** @description True: the opener plays all seats. */
            hotseat: boolean;
            /** @description A game that is not over after this number of events is aborted. Absent: no limit. */
            longest?: number;
            /** @description The player who opened the game. They need not have a seat. The id of a player: a guest's UUID, or `namespace:sub`. */
            opener: string;
            /** @description The options of the ruleset, all of them. */
            options: components["schemas"]["SkyjoActionOptions"];
            parent?: components["schemas"]["Parent"];
            /** @description By seat. Absent: all are open. */
            places?: components["schemas"]["SeatTerms"][];
            /** @description True: only players and those who have the invitation code can see the game. */
            private: boolean;
            /**
             * @description The fairness protocol that the game follows.
             * @constant
             */
            protocol: "stammtisch/1";
            /** @description True: positions of the game may become puzzles, without names. Players agree by sitting down. Absent: they may not. */
            puzzles?: boolean;
            /** @description The id of the game that this one repeats. */
            rematch_of?: string;
            /** @description The ruleset and the version of its rules, `NAME/N`. */
            rules: string;
            /** @description The name of the ruleset. */
            ruleset: string;
            /** @description True: entropies are sealed. Absent: they are not. */
            sealed?: boolean;
            /** @description The number of seats. */
            seats: number;
            /** @description The secret that all deals follow from. Null for everybody until the game is over. */
            secret: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "opened";
            /** @description The moves that can be taken back: those that revealed nothing (`free`), or also others if all players agree (`agreed`). Absent: none. */
            undo?: components["schemas"]["Undo"];
        };
        /** @description Fixed when the game is opened (SA-4). */
        SkyjoActionOptions: {
            /**
             * @description The discarded action card that `play_discarded_action` plays.
             *
             *     - `top`: The top one
             *     - `any`: Any of them
             * @enum {string}
             */
            discarded_action_choice: "any" | "top";
            /** @description A finisher's points of zero or less are never doubled. False: they may be. */
            double_only_positive: boolean;
            /** @description An action card opens their discard pile at the deal. False: it begins empty. */
            seed_action_discard: boolean;
            /** @description A row with three cards left can be a line. False: only complete rows of four. */
            short_rows: boolean;
            /**
             * @description The owner of a star may, or must, take an action card.
             *
             *     - `may`: The owner may take an action card
             *     - `must`: The owner must take an action card
             * @enum {string}
             */
            star_action: "may" | "must";
            /** @description A cleared line of nothing but stars takes off 10 points, of four stars 15. */
            star_line_bonus: boolean;
            /** @description A move may take the face-down top action card. False: only stars allow that. */
            take_from_action_pile: boolean;
            /** @description The game ends after the round in which some total reaches this. */
            target_points: number;
        };
        /** @description Fixed when the game is opened (SA-4). */
        SkyjoActionOptionsInput: {
            /**
             * @description The discarded action card that `play_discarded_action` plays.
             *
             *     - `top`: The top one
             *     - `any`: Any of them Default: `"top"`.
             * @enum {string}
             */
            discarded_action_choice?: "any" | "top";
            /** @description A finisher's points of zero or less are never doubled. False: they may be. Default: `true`. */
            double_only_positive?: boolean;
            /** @description An action card opens their discard pile at the deal. False: it begins empty. Default: `false`. */
            seed_action_discard?: boolean;
            /** @description A row with three cards left can be a line. False: only complete rows of four. Default: `true`. */
            short_rows?: boolean;
            /**
             * @description The owner of a star may, or must, take an action card.
             *
             *     - `may`: The owner may take an action card
             *     - `must`: The owner must take an action card Default: `"may"`.
             * @enum {string}
             */
            star_action?: "may" | "must";
            /** @description A cleared line of nothing but stars takes off 10 points, of four stars 15. Default: `true`. */
            star_line_bonus?: boolean;
            /** @description A move may take the face-down top action card. False: only stars allow that. Default: `true`. */
            take_from_action_pile?: boolean;
            /** @description The game ends after the round in which some total reaches this. Default: `100`. */
            target_points?: number;
        };
        /**
         * @description The caller ran out of time, so the move came too late. A bot plays on at the seat, or the game was aborted.
         *
         *     If `can_return` is true, the caller takes the `seat` again with `POST .../seats`. `game` is the game as it is now;
         *     absent in the channel and with `Prefer: return=minimal`.
         */
        SkyjoActionOutOfTimeProblem: {
            /** @description True: the caller can take the seat again. */
            can_return: boolean;
            /** @description An explanation of this case. */
            detail?: string;
            game?: components["schemas"]["SkyjoActionGame"];
            /** @description The seat that the caller has lost. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "out-of-time";
        };
        /**
         * @description A card that was to come from an empty pile, and where it goes: what a restock interrupts.
         *
         *     `held` to the hand of who draws, `three` to one of the three places, `layout` in place of a removed card: from the
         *     draw pile. `hand` in front of the seat, `open` to one of the four places: from the pile of action cards.
         */
        SkyjoActionOwed: {
            /** @description Its place there, from 0. */
            place: number;
            /** @description The seat that gets it. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description The place of the card.
             *
             *     - `held`: to be held
             *     - `three`: to the three
             *     - `layout`: in place of a removed card
             *     - `hand`: in front of the player
             *     - `open`: to the open action cards
             * @enum {string}
             */
            to: "hand" | "held" | "layout" | "open" | "three";
        };
        /** @description The open decision of the seat, or what goes on by itself, with the choices already made (SA-20). */
        SkyjoActionPending: {
            /** @description The action card that takes effect. */
            card: components["schemas"]["SkyjoActionAction"] | null;
            /** @description One of the three cards was kept, so that nothing is turned up after the others are dropped. */
            kept: boolean;
            /**
             * @description The decision, or what goes on by itself.
             *
             *     - `choose`: make a move
             *     - `place`: lay the card
             *     - `flip`: turn up a card
             *     - `pick`: pick a card
             *     - `look`: look at a line
             *     - `steal`: steal an action card
             *     - `replay`: play a discarded action card
             *     - `keep`: keep one of the three
             *     - `slot`: lay the card kept
             *     - `drop`: put a card onto the discard pile
             *     - `lines`: clear lines with stars
             *     - `three`: draw three cards
             *     - `victims`: the others lose cards
             *     - `moves`: more moves
             *     - `end`: the move ends
             *     - `fill`: the open action cards are filled up
             */
            kind: components["schemas"]["SkyjoActionKind"];
            /** @description The first of two cards to be exchanged. */
            picked: components["schemas"]["SkyjoActionPlace"] | null;
            /** @description The seat that decides, or for which it goes on. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The seats that are still to lose a card, next first. */
            victims: number[];
        };
        /** @enum {string} */
        SkyjoActionPhase: "deal" | "over" | "reveal" | "setup" | "turn";
        /** @description Name a card in a layout: one to exchange, or the one that its owner loses (SA-51, SA-55, SA-56). */
        SkyjoActionPickMove: {
            /** @description The seat of the layout. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description A place in the seat's layout: column * 3 + row. */
            slot: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "pick";
        };
        /** @description The seat takes no action card for its star: it does not want to, or there is none. */
        SkyjoActionPickSkippedEvent: {
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "pick_skipped";
        };
        /** @description The first of the two cards that are to be exchanged (SA-51, SA-56). */
        SkyjoActionPickedEvent: {
            place: components["schemas"]["SkyjoActionPlace"];
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "picked";
        };
        /** @description These seats, one after the other, may take an action card for a star of theirs (SA-22, SA-40). */
        SkyjoActionPicksGrantedEvent: {
            /** @description The seats in the order in which they choose. */
            seats: number[];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "picks_granted";
        };
        /** @description A place in a layout. */
        SkyjoActionPlace: {
            /** @description The seat of the layout. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The place in the layout: column * 3 + row. */
            slot: number;
        };
        /** @description Play an action card that has lain in front of you since an earlier turn (SA-34). */
        SkyjoActionPlayMove: {
            /** @description The action card. */
            card: components["schemas"]["SkyjoActionAction"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "play";
        };
        /** @description The seat's action card lies on their discard pile and takes effect (SA-34). */
        SkyjoActionPlayedEvent: {
            /** @description The action card that takes effect. */
            card: components["schemas"]["SkyjoActionAction"];
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "played";
        };
        /** @description A card is to be drawn and its pile is empty. */
        SkyjoActionRanOutEvent: {
            owed: components["schemas"]["SkyjoActionOwed"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ran_out";
        };
        /** @description The card went below all discards; if it lay face down nobody has seen it (SA-55). */
        SkyjoActionRemovedEvent: {
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description A place in the seat's layout: column * 3 + row. */
            slot: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "removed";
        };
        /** @description A drawn card lies face up in place of the removed one. */
        SkyjoActionReplacedEvent: {
            /** @description The number on the card, or `star`. */
            card: components["schemas"]["SkyjoActionCard"];
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description A place in the seat's layout: column * 3 + row. */
            slot: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "replaced";
        };
        /** @description Play a discarded action card once more (SA-58). */
        SkyjoActionReplayMove: {
            /** @description The action card. */
            card: components["schemas"]["SkyjoActionAction"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "replay";
        };
        /** @description The action card was lifted to the top of their discard pile and takes effect once more (SA-58). */
        SkyjoActionReplayedEvent: {
            /** @description The action card that takes effect once more. */
            card: components["schemas"]["SkyjoActionAction"];
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "replayed";
        };
        /** @description All discards but the top one were shuffled and are the new draw pile (SA-65). */
        SkyjoActionRestockedEvent: {
            /** @description The new draw pile; the last card is its top. Null for everybody until the game is over. */
            draw: (components["schemas"]["SkyjoActionCard"] | null)[];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "restocked";
        };
        /** @description Every choice of a finished game, weighed as far as its seat could know, and where the results come from. */
        SkyjoActionReview: {
            /** @description The accounts of the whole game, by seat. */
            accounts: components["schemas"]["Account"][];
            /** @description The choices of the reviewed seats, in their order. Forced moves and those of house players are left out. */
            choices: components["schemas"]["SkyjoActionChoice"][];
            /** @constant */
            format: "stammtisch-review/1";
            /** @description The head of the record. All random numbers of the review follow from it. 32 bytes in lower-case hex. */
            head: string;
            /** @description The house player that plays on in the imagined worlds. */
            house: string;
            /** @description By reviewed seat with choices. */
            means: components["schemas"]["Mean"][];
            /** @description The number of worlds that were imagined: `quick`, `standard` or `full`. */
            plan: string;
            /** @description The rounds in their order. */
            rounds: components["schemas"]["ReviewedRound"][];
            /** @description The ruleset and the version of its rules. */
            rules: string;
            /**
             * @description `first`: accounts are provisional, and no choice has a category yet.
             * @enum {string}
             */
            state: "final" | "first";
            /** @description The losses, in points, from which on a choice is an inaccuracy, a mistake, a blunder. Empty: not measured yet. */
            thresholds: number[];
            /** @description The versions of choices for which no world could be imagined. */
            unweighed: number[];
        };
        /** @description The points of every seat in this round, the finisher's doubled where due (SA-72, SA-73). */
        SkyjoActionRoundScoredEvent: {
            /** @description By seat: what is added to the totals. */
            points: number[];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "round_scored";
        };
        /** @description The choices of the caller in a game now. */
        SkyjoActionSituation: {
            /** @description The reason why the game was aborted; absent otherwise. */
            cause?: components["schemas"]["Cause"];
            clock?: components["schemas"]["GameClock"];
            /** @description The version since which the choice of the seat exists; null: it has none. */
            decision: number | null;
            /** @description All of them; each can be sent as it is. */
            legal_moves: components["schemas"]["SkyjoActionMove"][];
            /** @description Null until the game is finished. */
            result: components["schemas"]["Result"] | null;
            /** @description The seats with their players. Absent if nothing has changed since the last one. */
            seats?: components["schemas"]["SeatAssignment"][];
            /** @description The status of the game. */
            status: components["schemas"]["Status"];
            /** @description The seats that must act, rising. */
            to_act: number[];
            /**
             * @description The last version of the caller's move that they can take back without asking, or null; absent if the game has no
             *     undo.
             */
            undo?: number | null;
            /** @description The version of the game now. */
            version: number;
            /** @description The open question. Absent if there is none. */
            vote?: components["schemas"]["Question"];
            /** @description The seat of the caller, or of their perspective; null: a bystander. */
            you: number | null;
        };
        /** @description Take no action card for the star (SA-40). */
        SkyjoActionSkipActionMove: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "skip_action";
        };
        /** @description A card in a layout. */
        SkyjoActionSlot: {
            /** @description The card; null while the viewer may not see it. */
            card: components["schemas"]["SkyjoActionCard"] | null;
            /** @description The card lies face up. */
            up: boolean;
        };
        SkyjoActionSource: number | "pile";
        /**
         * @description The caller's choice has changed since the version in `If-Match`. `missed` lists the first
         *     events since that version, at most 32.
         */
        SkyjoActionStaleDecisionProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /** @description The first events since the version in `If-Match`, at most 32. `GET .../events` has the others. */
            missed: components["schemas"]["SkyjoActionHashed"][];
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 412;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "stale-decision";
            /** @description The number of events so far. */
            version: number;
        };
        /** @description The seat will have the first turn (SA-21). */
        SkyjoActionStarterFoundEvent: {
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "starter_found";
        };
        /** @description Play an action card of another seat as if it were yours (SA-57). */
        SkyjoActionStealMove: {
            /** @description The action card. */
            card: components["schemas"]["SkyjoActionAction"];
            /** @description The seat that loses the card. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "steal";
        };
        /** @description An event of the record, as it looks from a perspective. */
        SkyjoActionStep: {
            /** @description The event as the perspective sees it. Absent if that is the whole event, as in the record. */
            event?: components["schemas"]["SkyjoActionEvent"];
            /** @description JSON Patch (RFC 6902) from the view before the event to the one after. */
            patch: (components["schemas"]["AddOperation"] | components["schemas"]["RemoveOperation"] | components["schemas"]["ReplaceOperation"])[];
            /** @description The points that the cards count after the event. Absent if it has not changed. */
            tally?: components["schemas"]["Tally"] | null;
        };
        /** @description The victim's action card lies on their discard pile and takes effect for the seat (SA-57). */
        SkyjoActionStolenEvent: {
            /** @description The action card that takes effect. */
            card: components["schemas"]["SkyjoActionAction"];
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "stolen";
            /** @description The seat that had the card. Seats are numbered from 0, rising clockwise. */
            victim: number;
        };
        /** @description Lay the card you hold in place of one of yours, which goes to the discard pile (SA-36). */
        SkyjoActionSwapMove: {
            /** @description A place in the own layout: column * 3 + row. */
            slot: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "swap";
        };
        /** @description The held card lies face up in the slot; the one that lay there is now the top discard. */
        SkyjoActionSwappedEvent: {
            /** @description The card that was held. The number on the card, or `star`. */
            card: components["schemas"]["SkyjoActionCard"];
            /** @description The card that lay in the slot. The number on the card, or `star`. */
            out: components["schemas"]["SkyjoActionCard"];
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description A place in the seat's layout: column * 3 + row. */
            slot: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "swapped";
        };
        /** @description Take an action card: as your move, or for a star (SA-33, SA-40). */
        SkyjoActionTakeActionMove: {
            /** @description - `pile`: the top one of the pile */
            source: components["schemas"]["SkyjoActionSource"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "take_action";
        };
        /** @description Take the top card of the discard pile; it must then be swapped in (SA-32). */
        SkyjoActionTakeMove: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "take";
        };
        /** @description The seat holds the top card of the discard pile; `top` is the one below it, if there is one (SA-15). */
        SkyjoActionTakenEvent: {
            /** @description The number on the card, or `star`. */
            card: components["schemas"]["SkyjoActionCard"];
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The card below it, which is the top discard now; empty if there is none. */
            top: components["schemas"]["SkyjoActionCard"][];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "taken";
        };
        /** @description Put the drawn card onto the discard pile; then turn up one of yours (SA-37). */
        SkyjoActionTossMove: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "toss";
        };
        /** @description The drawn card is now the top discard. */
        SkyjoActionTossedEvent: {
            /** @description The number on the card, or `star`. */
            card: components["schemas"]["SkyjoActionCard"];
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tossed";
        };
        /** @description It is the seat's turn, and all its action cards are ready (SA-23). */
        SkyjoActionTurnBeganEvent: {
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "turn_began";
        };
        /** @description A card that lay face down. */
        SkyjoActionTurnedUp: {
            /** @description The number on the card, or `star`. */
            card: components["schemas"]["SkyjoActionCard"];
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description A place in the seat's layout: column * 3 + row. */
            slot: number;
        };
        /** @description Each of these seats, one after the other, is to lose a card (SA-55). */
        SkyjoActionVictimsNamedEvent: {
            /** @description The seats in the order in which they lose a card. */
            seats: number[];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "victims_named";
        };
        /**
         * @description The table. Who decides: the dealer while something is `owed` and in the phase `deal`; else the first
         *     seat of `stars`, if any, takes an action card for a star; else it is the pending seat's, and in `setup` everybody's.
         */
        SkyjoActionView: {
            /** @description The discarded action cards, face up; the last card is the top. */
            action_discard: components["schemas"]["SkyjoActionAction"][];
            /** @description The pile of action cards, face down; the last card is the top. */
            action_pile: (components["schemas"]["SkyjoActionAction"] | null)[];
            /** @description The name of the deck. It selects the deck when a game is opened. */
            deck: string;
            /** @description The discard pile; the last card is the top, face up. Null: a card that the viewer has never seen. */
            discard: (components["schemas"]["SkyjoActionCard"] | null)[];
            /** @description The draw pile, face down; the last card is the top. */
            draw: (components["schemas"]["SkyjoActionCard"] | null)[];
            /** @description The seat that turned up its last card and so ends the round. */
            finisher: number | null;
            /** @description By seat: the action cards in front of it, face up. Each costs 10 points at the end of the round. */
            hands: components["schemas"]["SkyjoActionActionCard"][][];
            /** @description The playing card in the hand of the seat `turn`. A drawn one is null for the others: see `held_from`. */
            held: components["schemas"]["SkyjoActionCard"] | null;
            /**
             * @description The place that the card in the hand comes from; null: no card is held.
             *
             *     - `draw`: drawn
             *     - `discard`: taken from the discard pile
             *     - `three`: one of the three
             */
            held_from: ("discard" | "draw" | "three") | null;
            /**
             * @description By seat: the twelve places of a layout in columns: index = column * 3 + row.
             *
             *     Null: the card is gone for the round.
             */
            layouts: (components["schemas"]["SkyjoActionSlot"] | null)[][];
            /** @description The number of moves that are left in this turn, the current one included. */
            moves: number;
            /** @description The four open action cards, by place; null is a gap. */
            open: (components["schemas"]["SkyjoActionAction"] | null)[];
            /** @description The options of the game. */
            options: components["schemas"]["SkyjoActionOptions"];
            /** @description The card that comes as soon as an empty pile is restocked. */
            owed: components["schemas"]["SkyjoActionOwed"] | null;
            /** @description The decision that is open, or what goes on by itself; null between turns and in the phase `setup`. */
            pending: components["schemas"]["SkyjoActionPending"] | null;
            /**
             * @description The phase: what the game waits for.
             *
             *     - `deal`: The cards are dealt
             *     - `setup`: Turn up two of your cards
             *     - `turn`: A move, or a choice that it brings
             *     - `reveal`: The final lap has ended, lines may be cleared
             *     - `over`: The game is over
             */
            phase: components["schemas"]["SkyjoActionPhase"];
            /** @description The number of the round, from 1; 0 before the first deal. */
            round: number;
            /** @description The points by seat of each scored round, first to last. */
            rounds: number[][];
            /** @description By seat: the points for cleared lines of stars in this round, zero or less. */
            star_bonus: number[];
            /** @description The seats that may take an action card for a star, in the order in which they do. */
            stars: number[];
            /** @description The seat that begins the round; null until it is known. */
            starter: number | null;
            /** @description The three drawn cards, by place; null is a place that is empty again. */
            three: (components["schemas"]["SkyjoActionSlot"] | null)[];
            /** @description By seat: the points of all scored rounds. */
            totals: number[];
            /** @description The seat whose turn it is. */
            turn: number | null;
            /** @description The seats that have won; null until the game is over. */
            winners: number[] | null;
        };
        /** @description Some total has reached the target: these seats have the lowest one (SA-74). */
        SkyjoActionWonEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "won";
            /** @description The winning seats; several in a tie. */
            winners: number[];
        };
        /** @description The choice of a house player for a seat, from what that seat sees. */
        SkyjoAdvice: {
            /** @description The move, which can be posted unchanged; null if the seat has no choice now. */
            move: components["schemas"]["SkyjoMove"] | null;
            /** @description The seat that is to choose. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The number of events so far. */
            version: number;
        };
        /** @description A choice of a player between several legal moves, weighed in worlds that its seat could imagine. */
        SkyjoChoice: {
            /** @description The house player might have made the same move. */
            as_house: boolean;
            /**
             * @description The move that seems to be better. Absent: none was found among the moves and worlds that were tried; this does
             *     not show that there is none.
             */
            best?: components["schemas"]["SkyjoMove"];
            /** @description The category of the least that the choice has cost with nine chances in ten. Absent: too close to tell. */
            category?: components["schemas"]["Category"];
            /** @description The standard error of `loss`; the range of 95 % is `loss` ± 1.96 times this. */
            error: number;
            /** @description The result that the seat could expect before, in points ahead. */
            expected: number;
            /** @description The player had a hint. */
            hinted: boolean;
            /**
             * @description The points by which that move is better. It may be chance: see `error`. Without `best` it is 0 and was not
             *     measured.
             */
            loss: number;
            /** @description The move that was made. */
            made: components["schemas"]["SkyjoMove"];
            /** @description The loss was measured in worlds that neither the best move nor the choice was picked by. */
            refined: boolean;
            /** @description Rounds are numbered from 0. */
            round: number;
            /** @description The seat that chose. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The version of the first event that it caused. The choice was made at the version before. */
            version: number;
            /** @description The number of worlds in which `loss` was measured. */
            worlds: number;
        };
        /** @description Three equal cards of a column went onto the discard pile (SK-28). */
        SkyjoColumnClearedEvent: {
            /** @description The number that stood on all three. The number on the card. */
            card: number;
            /** @description The number of the column, from 0 at the left. */
            column: number;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "column_cleared";
        };
        /** @description A round begins: twelve cards face down for each seat, one face up, the rest is the draw pile (SK-40). */
        SkyjoDealtEvent: {
            /** @description The first card of the discard pile. The number on the card. */
            discard: number;
            /** @description The draw pile; the last card is its top. Null for everybody until the game is over. */
            draw: (number | null)[];
            /** @description By seat: the cards, at column * 3 + row. All lie face down. Null for everybody until the game is over. */
            layouts: (number | null)[][];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "dealt";
        };
        /** @description The number of cards for each number. */
        SkyjoDeck: {
            /** @description The licence of these data, which records contain: an SPDX expression, `LicenseRef-` for others. */
            licence?: string;
            /** @description It selects the deck when a game is opened. */
            name: string;
            /** @description The number of cards of each value. */
            numbers: {
                [key: string]: number;
            };
            /** @description The source of the list of cards. */
            provenance: string;
            /** @description The ruleset that the deck is for. */
            ruleset: string;
        };
        /** @description Draw the top card of the draw pile (SK-21). */
        SkyjoDrawMove: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "draw";
        };
        /** @description The seat holds the top card of the draw pile; nobody else sees it. */
        SkyjoDrawnEvent: {
            /** @description Null for everybody but the seat until the game is over. */
            card: number | null;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "drawn";
        };
        /**
         * @description An event as a record has it: redacted for the viewer, with the hashes of the full event.
         *
         *     A complete record has no hashes, because they follow from its events and the secret. An *append* is what one command
         *     added to the log, all or nothing.
         */
        SkyjoEntry: {
            /** @description The seats that have a choice after the event, rising; on the last event of an append. */
            acting?: number[];
            /** @description The time of the event (RFC 3339, UTC). */
            at: string;
            /** @description The seat whose choice caused it; null for the dealer and for players without a seat. */
            by: number | null;
            /** @description The event, redacted for the viewer. */
            event: components["schemas"]["SkyjoEvent"];
            /** @description The hash of all events up to this one. 32 bytes in lower-case hex. */
            head?: string;
            /** @description The number of events that follow in the same append; 0 on its last one. */
            more: number;
            /** @description The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it. */
            move?: components["schemas"]["SkyjoMove"];
            /** @description The hash of what everybody may see of the event. 32 bytes in lower-case hex. */
            public?: string;
            /** @description The hash of the whole event. 32 bytes in lower-case hex. */
            secret?: string;
            /** @description The number of the event in its game, from 1. */
            version: number;
        };
        SkyjoEvent: components["schemas"]["SkyjoOpenedEvent"] | components["schemas"]["JoinedEvent"] | components["schemas"]["LeftEvent"] | components["schemas"]["DeclinedEvent"] | components["schemas"]["ReadiedEvent"] | components["schemas"]["BegunEvent"] | components["schemas"]["GoneEvent"] | components["schemas"]["RejoinedEvent"] | components["schemas"]["GrantedEvent"] | components["schemas"]["ResumedEvent"] | components["schemas"]["VotedEvent"] | components["schemas"]["TakenBackEvent"] | components["schemas"]["HintedEvent"] | components["schemas"]["EndedEvent"] | components["schemas"]["AbortedEvent"] | components["schemas"]["RevealedEvent"] | components["schemas"]["SkyjoDealtEvent"] | components["schemas"]["SkyjoFlippedEvent"] | components["schemas"]["SkyjoTurnBeganEvent"] | components["schemas"]["SkyjoRanOutEvent"] | components["schemas"]["SkyjoRestockedEvent"] | components["schemas"]["SkyjoDrawnEvent"] | components["schemas"]["SkyjoTakenEvent"] | components["schemas"]["SkyjoSwappedEvent"] | components["schemas"]["SkyjoTossedEvent"] | components["schemas"]["SkyjoColumnClearedEvent"] | components["schemas"]["SkyjoFinalLapBeganEvent"] | components["schemas"]["SkyjoLayoutsRevealedEvent"] | components["schemas"]["SkyjoRoundScoredEvent"] | components["schemas"]["SkyjoWonEvent"];
        /** @description An event in a page or stream. */
        SkyjoEventItem: {
            /** @description The seats that have a choice after the event, rising; on the last event of an append. */
            acting?: number[];
            /** @description The time of the event (RFC 3339, UTC). */
            at: string;
            /** @description The seat whose choice caused it; null for the dealer and for players without a seat. */
            by: number | null;
            /** @description The event, redacted for the viewer. */
            event: components["schemas"]["SkyjoEvent"];
            /** @description The hash of all events up to this one. 32 bytes in lower-case hex. */
            head: string;
            /** @description The number of events that follow in the same append; 0 on its last one. */
            more: number;
            /** @description The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it. */
            move?: components["schemas"]["SkyjoMove"];
            /** @description The JSON Patch (RFC 6902), with `with=patch`, from the `view` of the version before to that of this version. Absent otherwise. */
            patch?: (components["schemas"]["AddOperation"] | components["schemas"]["RemoveOperation"] | components["schemas"]["ReplaceOperation"])[];
            /** @description The hash of what everybody may see of the event. 32 bytes in lower-case hex. */
            public: string;
            /** @description The hash of the whole event. 32 bytes in lower-case hex. */
            secret: string;
            /** @description The points that the cards count at this version, with `with=tally`, if they differ from those at the version before; null before the game begins. Absent otherwise. */
            tally?: components["schemas"]["Tally"] | null;
            /** @description The number of the event in its game, from 1. */
            version: number;
        };
        /** @description A page of a list. `next` is the URL of the next page, or null on the last one. */
        SkyjoEventItemPage: {
            /** @description The items in order. */
            items: components["schemas"]["SkyjoEventItem"][];
            /** @description The URL of the next page; null on the last one. */
            next: string | null;
        };
        /**
         * @description A finished game with its views from every perspective, for programs that know no rules.
         *
         *     Only the record is proven by its hashes. The rest follows from the record by the rules.
         */
        SkyjoFilm: {
            /** @description The effects of the cards of the deck. */
            captions: components["schemas"]["Captions"];
            /** @constant */
            format: "stammtisch-film/1";
            /** @description By perspective (`all`, `bystander`, and the number of each seat), one step for each event of the record. Before the first step the view is null. */
            perspectives: {
                [key: string]: components["schemas"]["SkyjoStep"][];
            };
            /** @description The record that the film was made of. */
            record: components["schemas"]["SkyjoGameRecord"];
            /** @description The ruleset as `GET /v1/rulesets/NAME` describes it, so that the film needs no service. */
            ruleset: components["schemas"]["Ruleset"];
        };
        /** @description The seat has no face-down card left; every other seat has one more turn (SK-29, SK-50). */
        SkyjoFinalLapBeganEvent: {
            /** @description The seat that ends the round. Seats are numbered from 0, rising clockwise. */
            finisher: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "final_lap_began";
        };
        /** @description Turn up a face-down card of your own: at the beginning of a round, or after a toss (SK-20, SK-25). */
        SkyjoFlipMove: {
            /** @description A place in the own layout: column * 3 + row. */
            slot: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "flip";
        };
        /** @description The seat turned up one of its cards. */
        SkyjoFlippedEvent: {
            /** @description The number on the card. */
            card: number;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description A place in the seat's layout: column * 3 + row. */
            slot: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "flipped";
        };
        /** @description A game as the caller may see it. `view` is null before the game begins; hidden cards in it are null. */
        SkyjoGame: {
            /** @description The bot that goes on when a player leaves the running game, or `abort`. Absent if they cannot leave. */
            absent?: components["schemas"]["Absent"];
            /** @description The reason why the game was aborted. Absent otherwise. */
            cause?: components["schemas"]["Cause"];
            /** @description The time for choices. Absent: it is not limited. */
            clock?: components["schemas"]["GameClock"];
            /** @description The hash of the secret from which all deals are derived. */
            commitment: string;
            /** @description The time at which the game was opened (RFC 3339, UTC). */
            created_at: string;
            /**
             * @description The deal that the game has in common with others. Absent once its secret is revealed: until then the cards stay
             *     hidden, also when the game is over.
             */
            deal?: components["schemas"]["Deal"];
            /** @description The version since which the caller's current choice exists. */
            decision: number | null;
            /** @description The deck of the game. */
            deck: components["schemas"]["DeckNamed"];
            /** @description The hash of all events up to this version. */
            head: string;
            /** @description True: the player, who is alone with bots, can ask for hints. Absent otherwise. */
            hints?: boolean;
            /** @description One player has all seats. */
            hotseat: boolean;
            /** @description The id of the game. */
            id: string;
            /** @description True if the game was imported from a record. Absent otherwise. */
            imported?: boolean;
            /** @description The code for others to see and join a private game. For members only. */
            invite?: string;
            /** @description All legal moves of the caller. Each can be posted unchanged. */
            legal_moves: components["schemas"]["SkyjoMove"][];
            /** @description URLs of the parts of the game. */
            links: components["schemas"]["GameLinks"];
            /** @description The options of the game. */
            options: components["schemas"]["SkyjoOptions"];
            /** @description The game that this branch continues. Absent in other games. */
            parent?: components["schemas"]["Parent"];
            /** @description Only members and holders of the invite see the game. */
            private: boolean;
            /** @description True: positions of the game may become puzzles, without names; sitting down agrees to it. Absent otherwise. */
            puzzles?: boolean;
            /** @description The id of the game that this one repeats. Absent in other games. */
            rematch_of?: string;
            /** @description The result; null until the game is finished. */
            result: components["schemas"]["Result"] | null;
            /** @description The ruleset and the version of its rules, such as `name/1`. */
            rules: string;
            /** @description The name of the ruleset. */
            ruleset: string;
            /** @description True: players seal their entropies, and open them when all seats are taken. Absent otherwise. */
            sealed?: boolean;
            /** @description The seats in order, from 0. */
            seats: components["schemas"]["SeatAssignment"][];
            /** @description `waiting` for players, `running`, `finished` with a result, or `aborted` without one. */
            status: components["schemas"]["Status"];
            /** @description The points that the cards count now, with `with=tally`; null before the game begins. Absent otherwise. */
            tally?: components["schemas"]["Tally"] | null;
            /** @description The seats that must act now. */
            to_act: number[];
            /** @description The last version of the caller's move that they can take back without asking, or null. Absent if no move can be taken back in this game. */
            undo?: number | null;
            /** @description The moves that can be taken back: those that revealed nothing, or also others by agreement. Absent: none. */
            undo_mode?: components["schemas"]["Undo"];
            /** @description The number of events so far. */
            version: number;
            /** @description The table as this perspective may see it; null before the game begins. */
            view: components["schemas"]["SkyjoView"] | null;
            /** @description The open question. Absent if there is none. */
            vote?: components["schemas"]["Question"];
            /** @description The caller's seat. */
            you: number | null;
        };
        /** @description All events of a game so far, and what a verifier needs. */
        SkyjoGameRecord: {
            /** @description The hash of the secret that all deals follow from. */
            commitment: string;
            deck: components["schemas"]["SkyjoDeck"];
            /**
             * @description All events from the first one on, as the perspective sees them. The game's version is their number. In a
             *     complete record, the one with the secret, they have no hashes.
             */
            events: components["schemas"]["SkyjoEntry"][];
            /** @constant */
            format: "stammtisch-record/1";
            /** @description The hash that covers all events of the record. */
            head: string;
            /** @description The id of the game. */
            id: string;
            /** @description The display names of the opener and of the players at the seats, by id, as of the time of the download. Unproven: no hash covers them. Former players have none. */
            names: {
                [key: string]: string;
            };
            options: components["schemas"]["SkyjoOptions"];
            /** @description The game that a branch continues; null: it is no branch. */
            parent: components["schemas"]["Parent"] | null;
            /** @description The final scores and the winners; null while the game runs and if it was aborted. */
            result: components["schemas"]["Result"] | null;
            /** @description The ruleset and the version of its rules that this game is played by. */
            rules: string;
            /** @description The name of the ruleset. */
            ruleset: string;
            /** @description All seats, in their order. */
            seats: components["schemas"]["RecordedSeat"][];
            /** @description Null while the game runs, and in redacted records. */
            secret: string | null;
        };
        /** @description The terms of a new game. */
        SkyjoGameRequest: {
            /**
             * @description The bot that goes on when a player leaves the running game, or `abort`, which ends the game. Default: the ruleset's best bot. Not for hotseat games, which nobody can leave.
             * @enum {string}
             */
            absent?: "abort" | "careful/1" | "easy/1" | "random/1";
            /** @description The time for choices. Default: it is not limited. Not for hotseat games. */
            clock?: components["schemas"]["ClockInput"];
            /**
             * @description The name of a deck. Default: the ruleset's first deck.
             * @constant
             */
            deck?: "skyjo";
            /** @description The contribution of a seat to the shuffles: up to 64 printable ASCII characters, public. Default: `""`. */
            entropy?: string;
            /** @description The player can ask for hints. Only if all seats but one are for bots. Default: `false`. */
            hints?: boolean;
            /** @description The opener plays all seats: for pass-and-play, analysis and tests. Default: `false`. */
            hotseat?: boolean;
            /** @description The options of the game. Default: the ruleset's defaults. */
            options?: components["schemas"]["SkyjoOptionsInput"];
            /** @description Only members and holders of the invite code can see and join the game. Default: `false`. */
            private?: boolean;
            /** @description Positions of the game may become puzzles, without names. Players agree by sitting down. Not for private and hotseat games. Default: `false`. */
            puzzles?: boolean;
            /** @description Nobody sees an entropy before all are fixed: players sit down with a `seal`, and open their entropy when all seats are taken. Not for hotseat games, nor together with `entropy`. Default: `false`. */
            sealed?: boolean;
            /** @description The number of seats, or a list of who each seat is for: `me` (the opener), `open` (anybody), the name of a bot, or another player. */
            seats: number | (components["schemas"]["SkyjoOccupant"] | components["schemas"]["KeptSeat"])[];
            /** @description The opener takes seat 0; with a list of `seats`, the seat `me`. With `false` the opener takes a seat later, or not at all. With a list without `me` the opener does not sit. In a sealed game the seat is kept for the opener, who takes it with a seal. Default: `true`. */
            sit?: boolean;
            /**
             * @description The moves that can be taken back: those that revealed nothing (`free`), also others if all players agree (`agreed`), or none. Default: `free`.
             * @enum {string}
             */
            undo?: "agreed" | "free" | "none";
        };
        /** @description An event as it is served: redacted for the viewer, with the hashes of the full event. */
        SkyjoHashed: {
            /** @description The seats that have a choice after the event, rising; on the last event of an append. */
            acting?: number[];
            /** @description The time of the event (RFC 3339, UTC). */
            at: string;
            /** @description The seat whose choice caused it; null for the dealer and for players without a seat. */
            by: number | null;
            /** @description The event, redacted for the viewer. */
            event: components["schemas"]["SkyjoEvent"];
            /** @description The hash of all events up to this one. 32 bytes in lower-case hex. */
            head: string;
            /** @description The number of events that follow in the same append; 0 on its last one. */
            more: number;
            /** @description The move as it was accepted, on the first event that a seat's choice caused. Until the game is over only this seat sees it. */
            move?: components["schemas"]["SkyjoMove"];
            /** @description The hash of what everybody may see of the event. 32 bytes in lower-case hex. */
            public: string;
            /** @description The hash of the whole event. 32 bytes in lower-case hex. */
            secret: string;
            /** @description The number of the event in its game, from 1. */
            version: number;
        };
        /** @description The moves that nothing speaks against, in worlds that the seat can imagine. */
        SkyjoHint: {
            /**
             * @description The move that the first one is compared with. Absent: it is the only legal move, or that of the house player,
             *     because no world could be imagined.
             */
            against?: components["schemas"]["SkyjoMove"];
            /** @description The points by which the first one is better than `against`. It may be chance: see `error`. */
            ahead: number;
            /** @description The standard error of `ahead`; the range of 95 % is `ahead` ± 1.96 times this. */
            error: number;
            /** @description The best first. The others of them are too close to it to tell. */
            moves: components["schemas"]["SkyjoMove"][];
            /** @description The seat that asked. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The version of the table that it is about: that of the last event of the ruleset that stands. */
            version: number;
            /** @description The number of worlds in which `ahead` was measured. None of the moves was picked by them. */
            worlds: number;
        };
        /** @description The rules do not allow this move now. `legal_moves` lists the legal moves of the caller. */
        SkyjoIllegalMoveProblem: {
            /** @description The version since which the current choice exists; null without a choice. */
            decision: number | null;
            /** @description An explanation of this case. */
            detail?: string;
            /** @description All legal moves of the caller. */
            legal_moves: components["schemas"]["SkyjoMove"][];
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "illegal-move";
            /** @description The number of events so far. */
            version: number;
        };
        /** @description The round has ended: all face-down cards are turned up (SK-50). */
        SkyjoLayoutsRevealedEvent: {
            /** @description Each card that lay face down. */
            cards: components["schemas"]["SkyjoTurnedUp"][];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "layouts_revealed";
        };
        /** @description All legal moves of a seat. */
        SkyjoListedMoves: {
            /** @description The version since which the current choice exists; null without a choice. */
            decision: number | null;
            /** @description All legal moves. Each can be posted unchanged. */
            legal_moves: components["schemas"]["SkyjoMove"][];
            /** @description The seat that has these moves. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The number of events so far. */
            version: number;
        };
        SkyjoMove: components["schemas"]["SkyjoFlipMove"] | components["schemas"]["SkyjoDrawMove"] | components["schemas"]["SkyjoTakeMove"] | components["schemas"]["SkyjoSwapMove"] | components["schemas"]["SkyjoTossMove"];
        /**
         * @description The result of a move: its events as the mover may see them, and the game after it unless `Prefer: return=minimal`
         *     was sent.
         */
        SkyjoMoved: {
            /** @description The events of the move, as the mover may see them. */
            events: components["schemas"]["SkyjoHashed"][];
            /** @description The game after the move. Absent with `Prefer: return=minimal`. */
            game?: components["schemas"]["SkyjoGame"];
            /** @description The hash of all events up to this version. 32 bytes in lower-case hex. */
            head: string;
            /** @description The number of events after the move. */
            version: number;
        };
        /** @enum {string} */
        SkyjoOccupant: "careful/1" | "easy/1" | "me" | "open" | "random/1";
        /** @description The terms of the game, and the secret from which all deals follow. */
        SkyjoOpenedEvent: {
            /** @description The bot that goes on when a player leaves the running game, or `abort`. Absent: they cannot leave. */
            absent?: components["schemas"]["Absent"];
            /** @description The time for choices. Absent: it is not limited. */
            clock?: components["schemas"]["Clock"];
            /** @description The hash of the secret, which all deals follow from. 32 bytes in lower-case hex. */
            commitment: string;
            /** @description The deal that the game has in common with others. */
            deal?: components["schemas"]["Deal"];
            /** @description The whole deck, so that the record needs nothing else. */
            deck: components["schemas"]["SkyjoDeck"];
            /** @description The hash of the published description of these rules. 32 bytes in lower-case hex. */
            description: string;
            /** @description True: the player, who is alone with bots, can ask for hints. Absent: nobody can. */
            hints?: boolean;
            /** @description True: the opener plays all seats. */
            hotseat: boolean;
            /** @description A game that is not over after this number of events is aborted. Absent: no limit. */
            longest?: number;
            /** @description The player who opened the game. They need not have a seat. The id of a player: a guest's UUID, or `namespace:sub`. */
            opener: string;
            /** @description The options of the ruleset, all of them. */
            options: components["schemas"]["SkyjoOptions"];
            parent?: components["schemas"]["Parent"];
            /** @description By seat. Absent: all are open. */
            places?: components["schemas"]["SeatTerms"][];
            /** @description True: only players and those who have the invitation code can see the game. */
            private: boolean;
            /**
             * @description The fairness protocol that the game follows.
             * @constant
             */
            protocol: "stammtisch/1";
            /** @description True: positions of the game may become puzzles, without names. Players agree by sitting down. Absent: they may not. */
            puzzles?: boolean;
            /** @description The id of the game that this one repeats. */
            rematch_of?: string;
            /** @description The ruleset and the version of its rules, `NAME/N`. */
            rules: string;
            /** @description The name of the ruleset. */
            ruleset: string;
            /** @description True: entropies are sealed. Absent: they are not. */
            sealed?: boolean;
            /** @description The number of seats. */
            seats: number;
            /** @description The secret that all deals follow from. Null for everybody until the game is over. */
            secret: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "opened";
            /** @description The moves that can be taken back: those that revealed nothing (`free`), or also others if all players agree (`agreed`). Absent: none. */
            undo?: components["schemas"]["Undo"];
        };
        /** @description Fixed when the game is opened (SK-3). */
        SkyjoOptions: {
            /** @description A finisher's points of zero or less are never doubled. False: they may be. */
            double_only_positive: boolean;
            /** @description The game ends after the round in which some total reaches this. */
            target_points: number;
        };
        /** @description Fixed when the game is opened (SK-3). */
        SkyjoOptionsInput: {
            /** @description A finisher's points of zero or less are never doubled. False: they may be. Default: `true`. */
            double_only_positive?: boolean;
            /** @description The game ends after the round in which some total reaches this. Default: `100`. */
            target_points?: number;
        };
        /**
         * @description The caller ran out of time, so the move came too late. A bot plays on at the seat, or the game was aborted.
         *
         *     If `can_return` is true, the caller takes the `seat` again with `POST .../seats`. `game` is the game as it is now;
         *     absent in the channel and with `Prefer: return=minimal`.
         */
        SkyjoOutOfTimeProblem: {
            /** @description True: the caller can take the seat again. */
            can_return: boolean;
            /** @description An explanation of this case. */
            detail?: string;
            game?: components["schemas"]["SkyjoGame"];
            /** @description The seat that the caller has lost. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "out-of-time";
        };
        /** @enum {string} */
        SkyjoPhase: "deal" | "flip" | "over" | "place" | "restock" | "settle" | "setup" | "turn";
        /** @description The seat wants to draw and the draw pile is empty. */
        SkyjoRanOutEvent: {
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ran_out";
        };
        /** @description All discards but the top one were shuffled and are the new draw pile (SK-42). */
        SkyjoRestockedEvent: {
            /** @description The new draw pile; the last card is its top. Null for everybody until the game is over. */
            draw: (number | null)[];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "restocked";
        };
        /** @description Every choice of a finished game, weighed as far as its seat could know, and where the results come from. */
        SkyjoReview: {
            /** @description The accounts of the whole game, by seat. */
            accounts: components["schemas"]["Account"][];
            /** @description The choices of the reviewed seats, in their order. Forced moves and those of house players are left out. */
            choices: components["schemas"]["SkyjoChoice"][];
            /** @constant */
            format: "stammtisch-review/1";
            /** @description The head of the record. All random numbers of the review follow from it. 32 bytes in lower-case hex. */
            head: string;
            /** @description The house player that plays on in the imagined worlds. */
            house: string;
            /** @description By reviewed seat with choices. */
            means: components["schemas"]["Mean"][];
            /** @description The number of worlds that were imagined: `quick`, `standard` or `full`. */
            plan: string;
            /** @description The rounds in their order. */
            rounds: components["schemas"]["ReviewedRound"][];
            /** @description The ruleset and the version of its rules. */
            rules: string;
            /**
             * @description `first`: accounts are provisional, and no choice has a category yet.
             * @enum {string}
             */
            state: "final" | "first";
            /** @description The losses, in points, from which on a choice is an inaccuracy, a mistake, a blunder. Empty: not measured yet. */
            thresholds: number[];
            /** @description The versions of choices for which no world could be imagined. */
            unweighed: number[];
        };
        /** @description The points of every seat in this round, the finisher's doubled where due (SK-51). */
        SkyjoRoundScoredEvent: {
            /** @description By seat: what is added to the totals. */
            points: number[];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "round_scored";
        };
        /** @description The choices of the caller in a game now. */
        SkyjoSituation: {
            /** @description The reason why the game was aborted; absent otherwise. */
            cause?: components["schemas"]["Cause"];
            clock?: components["schemas"]["GameClock"];
            /** @description The version since which the choice of the seat exists; null: it has none. */
            decision: number | null;
            /** @description All of them; each can be sent as it is. */
            legal_moves: components["schemas"]["SkyjoMove"][];
            /** @description Null until the game is finished. */
            result: components["schemas"]["Result"] | null;
            /** @description The seats with their players. Absent if nothing has changed since the last one. */
            seats?: components["schemas"]["SeatAssignment"][];
            /** @description The status of the game. */
            status: components["schemas"]["Status"];
            /** @description The seats that must act, rising. */
            to_act: number[];
            /**
             * @description The last version of the caller's move that they can take back without asking, or null; absent if the game has no
             *     undo.
             */
            undo?: number | null;
            /** @description The version of the game now. */
            version: number;
            /** @description The open question. Absent if there is none. */
            vote?: components["schemas"]["Question"];
            /** @description The seat of the caller, or of their perspective; null: a bystander. */
            you: number | null;
        };
        /** @description A card in a layout. */
        SkyjoSlot: {
            /** @description The card; null while the viewer may not see it. */
            card: number | null;
            /** @description The card lies face up. */
            up: boolean;
        };
        /**
         * @description The caller's choice has changed since the version in `If-Match`. `missed` lists the first
         *     events since that version, at most 32.
         */
        SkyjoStaleDecisionProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /** @description The first events since the version in `If-Match`, at most 32. `GET .../events` has the others. */
            missed: components["schemas"]["SkyjoHashed"][];
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 412;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "stale-decision";
            /** @description The number of events so far. */
            version: number;
        };
        /** @description An event of the record, as it looks from a perspective. */
        SkyjoStep: {
            /** @description The event as the perspective sees it. Absent if that is the whole event, as in the record. */
            event?: components["schemas"]["SkyjoEvent"];
            /** @description JSON Patch (RFC 6902) from the view before the event to the one after. */
            patch: (components["schemas"]["AddOperation"] | components["schemas"]["RemoveOperation"] | components["schemas"]["ReplaceOperation"])[];
            /** @description The points that the cards count after the event. Absent if it has not changed. */
            tally?: components["schemas"]["Tally"] | null;
        };
        /** @description Lay the card you hold in place of one of yours, which goes to the discard pile (SK-23). */
        SkyjoSwapMove: {
            /** @description A place in the own layout: column * 3 + row. */
            slot: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "swap";
        };
        /** @description The held card lies face up in the slot; the one that lay there is now the top discard. */
        SkyjoSwappedEvent: {
            /** @description The card that was held. The number on the card. */
            card: number;
            /** @description The card that lay in the slot. The number on the card. */
            out: number;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description A place in the seat's layout: column * 3 + row. */
            slot: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "swapped";
        };
        /** @description Take the top card of the discard pile; it must then be swapped in (SK-22). */
        SkyjoTakeMove: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "take";
        };
        /** @description The seat holds the top card of the discard pile. */
        SkyjoTakenEvent: {
            /** @description The number on the card. */
            card: number;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "taken";
        };
        /** @description Put the drawn card onto the discard pile; then turn up one of yours (SK-24). */
        SkyjoTossMove: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "toss";
        };
        /** @description The drawn card is now the top discard. */
        SkyjoTossedEvent: {
            /** @description The number on the card. */
            card: number;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tossed";
        };
        /** @description It is the seat's turn: draw or take. */
        SkyjoTurnBeganEvent: {
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "turn_began";
        };
        /** @description A card that lay face down. */
        SkyjoTurnedUp: {
            /** @description The number on the card. */
            card: number;
            /** @description Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description A place in the seat's layout: column * 3 + row. */
            slot: number;
        };
        /** @description The table. The dealer acts in `deal` and `restock`, nobody in `settle` (what a move entails) and `over`. */
        SkyjoView: {
            /** @description The name of the deck. It selects the deck when a game is opened. */
            deck: string;
            /** @description The discard pile, face up; the last card is the top. */
            discard: number[];
            /** @description The draw pile, face down; the last card is the top. */
            draw: (number | null)[];
            /** @description The seat that turned up its last card and so ends the round. */
            finisher: number | null;
            /** @description The card in the hand of the seat `turn`. A drawn one is null for the others: see `held_from`. */
            held: number | null;
            /**
             * @description The pile from which the card in the hand comes; null: no card is held.
             *
             *     - `draw`: drawn
             *     - `discard`: taken from the discard pile
             */
            held_from: ("discard" | "draw") | null;
            /**
             * @description By seat: the twelve places of a layout in columns: index = column * 3 + row.
             *
             *     Null: the card is gone for the round.
             */
            layouts: (components["schemas"]["SkyjoSlot"] | null)[][];
            /** @description The options of the game. */
            options: components["schemas"]["SkyjoOptions"];
            /**
             * @description The phase: what the game waits for.
             *
             *     - `deal`: The cards are dealt
             *     - `setup`: Turn up two of your cards
             *     - `turn`: Draw, or take the top discard
             *     - `restock`: The discards are shuffled
             *     - `place`: Lay the card, or toss it
             *     - `flip`: Turn up one of your cards
             *     - `settle`: The move is completed
             *     - `over`: The game is over
             */
            phase: components["schemas"]["SkyjoPhase"];
            /** @description The number of the round, from 1; 0 before the first deal. */
            round: number;
            /** @description The points by seat of each scored round, first to last. */
            rounds: number[][];
            /** @description The seat that begins the round; null until it is known. */
            starter: number | null;
            /** @description By seat: the points of all scored rounds. */
            totals: number[];
            /** @description The seat whose turn it is. */
            turn: number | null;
            /** @description The seats that have won; null until the game is over. */
            winners: number[] | null;
        };
        /** @description Some total has reached the target: these seats have the lowest one (SK-53). */
        SkyjoWonEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "won";
            /** @description The winning seats; several in a tie. */
            winners: number[];
        };
        /**
         * @description The caller's choice has changed since the version in `If-Match`. `missed` lists the first
         *     events since that version, at most 32.
         */
        StaleDecisionProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /** @description The first events since the version in `If-Match`, at most 32. `GET .../events` has the others. */
            missed: components["schemas"]["Hashed"][];
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 412;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "stale-decision";
            /** @description The number of events so far. */
            version: number;
        };
        /** @description A player in the standings of a ruleset. Players with the same ordinal share a rank. */
        Standing: {
            /** @description The number of games that count, those included that the player left. */
            games: number;
            player: components["schemas"]["Player"];
            /** @description Null if the player has left all games. */
            points: components["schemas"]["Points"] | null;
            /** @description The place, from 1. */
            rank: number;
            rating: components["schemas"]["Rating"];
            /** @description The number of games that the player won, alone or with others. */
            wins: number;
        };
        /** @description A page of a list. `next` is the URL of the next page, or null on the last one. */
        StandingPage: {
            /** @description The items in order. */
            items: components["schemas"]["Standing"][];
            /** @description The URL of the next page; null on the last one. */
            next: string | null;
        };
        /** @enum {string} */
        State: "cancelled" | "open" | "over" | "planned";
        /** @enum {string} */
        Status: "aborted" | "finished" | "running" | "waiting";
        /** @description An event of the record, as it looks from a perspective. */
        Step: {
            event?: components["schemas"]["GameEvent"];
            /** @description JSON Patch (RFC 6902) from the view before the event to the one after. */
            patch: (components["schemas"]["AddOperation"] | components["schemas"]["RemoveOperation"] | components["schemas"]["ReplaceOperation"])[];
            /** @description The points that the cards count after the event. Absent if it has not changed. */
            tally?: components["schemas"]["Tally"] | null;
        };
        /** @description The games that the caller opened have used up their storage quota. `used` and `allowed` are bytes. */
        StorageExhaustedProblem: {
            /** @description The size from which on no further game can be opened, in bytes. */
            allowed: number;
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "storage-exhausted";
            /** @description The size of the caller's games, in bytes. */
            used: number;
        };
        /**
         * @description The seat took back its move: what the rules made happen after version `to` does not stand. `agreed`: all players
         *     said yes; otherwise the move had revealed nothing.
         */
        TakenBackEvent: {
            /** @description True: all players said yes. False: the move had revealed nothing. */
            agreed: boolean;
            /** @description The seat whose move it was. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The version whose table is back. */
            to: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "taken_back";
        };
        /** @description The points that the cards on the table count now, as far as the viewer sees them. */
        Tally: {
            /** @description By seat: what its cards would count now; null if that depends on cards that are hidden. */
            points: (number | null)[];
            /** @description The current values of cards that are not the printed ones, or can change, by their place in the view: `rows/0/2`. */
            values: {
                [key: string]: number;
            };
        };
        /** @description The seat to give time to, and how much. */
        TimeRequest: {
            /** @description The number of a seat, from 0. */
            seat: number;
            /** @description Seconds for the reserve of the seat: at most the `bank` of the clock, and four banks in all. */
            seconds: number;
        };
        /** @description The body exceeds the limit of the service. */
        TooLargeProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 413;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "too-large";
        };
        /** @description The game is too long for a review by the service. `stammtisch review` makes one from its record. */
        TooLongProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "too-long";
        };
        /** @description The caller has blocked as many players as is allowed. */
        TooManyBlocksProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "too-many-blocks";
        };
        /** @description The caller has reached the limit of unfinished games, joined or opened. */
        TooManyGamesProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "too-many-games";
        };
        /** @description Somebody to invite has too many invitations that they have not answered. The problem does not say who. */
        TooManyInvitationsProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "too-many-invitations";
        };
        /** @description The caller has reached the limit of changes of name and face. */
        TooManyNamesProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "too-many-names";
        };
        /** @description The caller has reached a limit of pairings or of their tables. */
        TooManyPairingsProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "too-many-pairings";
        };
        /** @description The caller exceeds a rate limit, or the limit of streams for a caller or an address. See `Retry-After`. */
        TooManyRequestsProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 429;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "too-many-requests";
        };
        /** @description The caller, or the integrating site, has reached the limit of webhooks. */
        TooManyWebhooksProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "too-many-webhooks";
        };
        /** @description The caller, or all players together, left their seats in this game too often. They cannot take a seat again. */
        TooRestlessProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "too-restless";
        };
        /** @description A token is required, or the token in the request is invalid. */
        UnauthenticatedProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 401;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "unauthenticated";
        };
        /**
         * @description The store cannot be read or written now, or the process has reached its limit of connections or streams.
         *
         *     Nothing was recorded, or a retry with the same `Idempotency-Key` returns its result.
         */
        UnavailableProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 503;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "unavailable";
        };
        /** @enum {string} */
        Undo: "agreed" | "free";
        /**
         * @description The body is compressed (`Content-Encoding`), or its `Content-Type` is not `application/json`, or, for a record,
         *     `application/vnd.stammtisch.record+json`.
         */
        UnsupportedMediaTypeProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 415;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "unsupported-media-type";
        };
        /** @description `Transfer-Encoding` has a coding besides `chunked`, such as `gzip`. */
        UnsupportedTransferCodingProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 501;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "unsupported-transfer-coding";
        };
        /** @description The URL is longer than 8 KiB. */
        UrlTooLongProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 414;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "url-too-long";
        };
        /** @description A vote on a question to all players. The first `yes` asks it. */
        VoteRequest: {
            /**
             * @description The seat whose question this answers: the `seat` of the game's `vote`. If that question has ended, the vote does
             *     not count. Null or absent: the question that is open; without one, `yes` asks.
             */
            asked_by?: number | null;
            /** @description The question: `abort` the game, or `undo` the latest move of the player who asks, with everything since. */
            on: components["schemas"]["Matter"];
            /** @description Agree. `false` ends the question. */
            yes: boolean;
        };
        /**
         * @description A player voted. The first `yes` asks the question. It is decided when all players who are present have said yes;
         *     a no ends it. So does any move, and anybody's leaving; a question of `abort` outlives moves.
         */
        VotedEvent: {
            /** @description The question: to abort the game, or to take back a move. */
            on: components["schemas"]["Matter"];
            /** @description The seat that voted. Seats are numbered from 0, rising clockwise. */
            seat: number;
            /** @description The version to which `undo` would take the game back. Absent otherwise. */
            to?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "voted";
            /** @description True: the player agrees. */
            yes: boolean;
        };
        /** @description A webhook of the caller, or of the integrating site. */
        Webhook: {
            /** @description Seconds after which `game.your_turn` is delivered, if the choice still stands. */
            after: number;
            /** @description The reason why it is disabled: its owner wanted it, the address answered 410 (`gone`), all attempts of three days failed, or because the operator has banned the owner. */
            cause: components["schemas"]["WebhookCause"] | null;
            /** @description The time at which it was created. */
            created_at: string;
            /** @description The time since which every attempt has failed; null if the last one succeeded. */
            failing_since: string | null;
            /** @description The id of the webhook. */
            id: string;
            /** @description `unverified` until the address has answered a ping, then `live`, or `disabled`. */
            status: components["schemas"]["WebhookStatus"];
            /** @description The events that are delivered. */
            types: components["schemas"]["WebhookEvent"][];
            /** @description The URL to which events are sent. */
            url: string;
        };
        /** @enum {string} */
        WebhookCause: "banned" | "failing" | "gone" | "owner";
        /** @description An event that is, was or will be delivered to a webhook. */
        WebhookDelivery: {
            /** @description The time at which the last attempt ended. */
            attempted_at: string | null;
            /** @description The number of attempts that were made. */
            attempts: number;
            /** @description The time of the event. */
            created_at: string;
            /** @description The id of the game; null of other events. */
            game: string | null;
            /** @description The value of the header `webhook-id`, the same in all attempts. */
            id: string;
            /** @description The time of the next attempt; null unless `pending`. */
            next_attempt_at: string | null;
            /** @description The player at that seat. */
            player: string | null;
            /** @description The HTTP status of the last answer; null without an answer, and for pings. */
            response: number | null;
            /** @description The seat that the event is about, if it is about one. */
            seat: number | null;
            /** @description `dead`: all attempts failed, or the webhook was disabled. It can be sent again. */
            status: components["schemas"]["DeliveryStatus"];
            /** @description The type of the event, or `webhook.ping`. */
            type: string;
            /** @description The version of the game after the event; null of other events. */
            version: number | null;
        };
        /** @description A page of a list. `next` is the URL of the next page, or null on the last one. */
        WebhookDeliveryPage: {
            /** @description The items in order. */
            items: components["schemas"]["WebhookDelivery"][];
            /** @description The URL of the next page; null on the last one. */
            next: string | null;
        };
        /** @enum {string} */
        WebhookEvent: "game.begun" | "game.gone" | "game.invited" | "game.over" | "game.vote" | "game.your_turn" | "pairing.opened" | "pairing.over" | "pairing.table_over";
        /** @description A page of a list. `next` is the URL of the next page, or null on the last one. */
        WebhookPage: {
            /** @description The items in order. */
            items: components["schemas"]["Webhook"][];
            /** @description The URL of the next page; null on the last one. */
            next: string | null;
        };
        /** @enum {string} */
        WebhookStatus: "disabled" | "live" | "unverified";
        /** @description The address of a new webhook, and what is delivered to it. Default: all events, turns at once. */
        WebhookTarget: {
            /** @description Seconds after which `game.your_turn` is delivered, if the player still has the same choice. Default: `0`. */
            after?: number;
            /** @description The events that are delivered. Default: `["game.invited","game.begun","game.your_turn","game.gone","game.vote","game.over","pairing.opened","pairing.table_over","pairing.over"]`. */
            types?: components["schemas"]["WebhookEvent"][];
            /** @description The URL of the receiver: `https`, a public domain name, port 443 or 1024 and higher, no user. */
            url: string;
        };
        /** @description A seat of a sealed game comes with a seal and without entropy; a seat of any other game without a seal. */
        WrongSealProblem: {
            /** @description An explanation of this case. */
            detail?: string;
            /**
             * @description The status code of the response.
             * @constant
             */
            status: 409;
            /** @description A title, the same for every problem of this type. */
            title: string;
            /** @constant */
            type: "wrong-seal";
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AbortedEvent = components['schemas']['AbortedEvent'];
export type Absent = components['schemas']['Absent'];
export type Account = components['schemas']['Account'];
export type AddOperation = components['schemas']['AddOperation'];
export type Advice = components['schemas']['Advice'];
export type AlreadySeatedProblem = components['schemas']['AlreadySeatedProblem'];
export type Audit = components['schemas']['Audit'];
export type BannedProblem = components['schemas']['BannedProblem'];
export type BegunEvent = components['schemas']['BegunEvent'];
export type BlockedByPlayerProblem = components['schemas']['BlockedByPlayerProblem'];
export type Blocks = components['schemas']['Blocks'];
export type BotLabel = components['schemas']['BotLabel'];
export type BranchRequest = components['schemas']['BranchRequest'];
export type CannotGiveTimeProblem = components['schemas']['CannotGiveTimeProblem'];
export type CannotReadyProblem = components['schemas']['CannotReadyProblem'];
export type CannotReturnProblem = components['schemas']['CannotReturnProblem'];
export type CannotVoteProblem = components['schemas']['CannotVoteProblem'];
export type Captions = components['schemas']['Captions'];
export type Category = components['schemas']['Category'];
export type Cause = components['schemas']['Cause'];
export type ChangedWebhook = components['schemas']['ChangedWebhook'];
export type CheckResult = components['schemas']['CheckResult'];
export type Choice = components['schemas']['Choice'];
export type Clock = components['schemas']['Clock'];
export type ClockInput = components['schemas']['ClockInput'];
export type Compared = components['schemas']['Compared'];
export type DailyPuzzle = components['schemas']['DailyPuzzle'];
export type Deal = components['schemas']['Deal'];
export type DealList = components['schemas']['DealList'];
export type DealWeek = components['schemas']['DealWeek'];
export type DeckNamed = components['schemas']['DeckNamed'];
export type DeclinedEvent = components['schemas']['DeclinedEvent'];
export type DeliveryStatus = components['schemas']['DeliveryStatus'];
export type Description = components['schemas']['Description'];
export type Difficulty = components['schemas']['Difficulty'];
export type Drawing = components['schemas']['Drawing'];
export type EndedEvent = components['schemas']['EndedEvent'];
export type EndpointRefusedProblem = components['schemas']['EndpointRefusedProblem'];
export type EntropyRequest = components['schemas']['EntropyRequest'];
export type Entry = components['schemas']['Entry'];
export type EventItem = components['schemas']['EventItem'];
export type EventItemPage = components['schemas']['EventItemPage'];
export type Explained = components['schemas']['Explained'];
export type ExplainedCard = components['schemas']['ExplainedCard'];
export type ExplainedRule = components['schemas']['ExplainedRule'];
export type ExplainedRules = components['schemas']['ExplainedRules'];
export type Face = components['schemas']['Face'];
export type FieldError = components['schemas']['FieldError'];
export type Film = components['schemas']['Film'];
export type ForbiddenProblem = components['schemas']['ForbiddenProblem'];
export type Game = components['schemas']['Game'];
export type GameClock = components['schemas']['GameClock'];
export type GameDeck = components['schemas']['GameDeck'];
export type GameEvent = components['schemas']['GameEvent'];
export type GameLinks = components['schemas']['GameLinks'];
export type GameMove = components['schemas']['GameMove'];
export type GameOptions = components['schemas']['GameOptions'];
export type GameRecord = components['schemas']['GameRecord'];
export type GameRecordInput = components['schemas']['GameRecordInput'];
export type GameRequest = components['schemas']['GameRequest'];
export type GameView = components['schemas']['GameView'];
export type GoneEvent = components['schemas']['GoneEvent'];
export type GoneProblem = components['schemas']['GoneProblem'];
export type GrantedEvent = components['schemas']['GrantedEvent'];
export type HandOverCode = components['schemas']['HandOverCode'];
export type Hashed = components['schemas']['Hashed'];
export type HeadTooLargeProblem = components['schemas']['HeadTooLargeProblem'];
export type Health = components['schemas']['Health'];
export type Hint = components['schemas']['Hint'];
export type HintedEvent = components['schemas']['HintedEvent'];
export type IdempotencyKeyReusedProblem = components['schemas']['IdempotencyKeyReusedProblem'];
export type Identity = components['schemas']['Identity'];
export type IllegalMoveProblem = components['schemas']['IllegalMoveProblem'];
export type InternalProblem = components['schemas']['InternalProblem'];
export type InvalidRecordProblem = components['schemas']['InvalidRecordProblem'];
export type IssuedCode = components['schemas']['IssuedCode'];
export type JoinedEvent = components['schemas']['JoinedEvent'];
export type KeptSeat = components['schemas']['KeptSeat'];
export type Labels = components['schemas']['Labels'];
export type LeftEvent = components['schemas']['LeftEvent'];
export type Lesson = components['schemas']['Lesson'];
export type LessonReply = components['schemas']['LessonReply'];
export type LessonStep = components['schemas']['LessonStep'];
export type ListedLabels = components['schemas']['ListedLabels'];
export type ListedMoves = components['schemas']['ListedMoves'];
export type LobbyGame = components['schemas']['LobbyGame'];
export type LobbyGamePage = components['schemas']['LobbyGamePage'];
export type LobbySeatAssignment = components['schemas']['LobbySeatAssignment'];
export type MalformedProblem = components['schemas']['MalformedProblem'];
export type Matter = components['schemas']['Matter'];
export type Mean = components['schemas']['Mean'];
export type MethodNotAllowedProblem = components['schemas']['MethodNotAllowedProblem'];
export type Moved = components['schemas']['Moved'];
export type NewPairing = components['schemas']['NewPairing'];
export type NextDeal = components['schemas']['NextDeal'];
export type NoHintProblem = components['schemas']['NoHintProblem'];
export type NoRematchProblem = components['schemas']['NoRematchProblem'];
export type NotAcceptableProblem = components['schemas']['NotAcceptableProblem'];
export type NotFinishedProblem = components['schemas']['NotFinishedProblem'];
export type NotFoundProblem = components['schemas']['NotFoundProblem'];
export type NotOpenerProblem = components['schemas']['NotOpenerProblem'];
export type NotRunningProblem = components['schemas']['NotRunningProblem'];
export type NotSeatedProblem = components['schemas']['NotSeatedProblem'];
export type NotUndoableProblem = components['schemas']['NotUndoableProblem'];
export type NotWaitingProblem = components['schemas']['NotWaitingProblem'];
export type OutOfTimeProblem = components['schemas']['OutOfTimeProblem'];
export type OwnReviews = components['schemas']['OwnReviews'];
export type OwnSeat = components['schemas']['OwnSeat'];
export type OwnTable = components['schemas']['OwnTable'];
export type PairedSeat = components['schemas']['PairedSeat'];
export type PairedTable = components['schemas']['PairedTable'];
export type PairingChange = components['schemas']['PairingChange'];
export type PairingDifference = components['schemas']['PairingDifference'];
export type PairingResource = components['schemas']['PairingResource'];
export type PairingSummary = components['schemas']['PairingSummary'];
export type PairingSummaryPage = components['schemas']['PairingSummaryPage'];
export type Parent = components['schemas']['Parent'];
export type Phrase = components['schemas']['Phrase'];
export type PhraseRequest = components['schemas']['PhraseRequest'];
export type PlaceLabel = components['schemas']['PlaceLabel'];
export type Played = components['schemas']['Played'];
export type Player = components['schemas']['Player'];
export type PlayerChanges = components['schemas']['PlayerChanges'];
export type PlayerMean = components['schemas']['PlayerMean'];
export type Point = components['schemas']['Point'];
export type Points = components['schemas']['Points'];
export type PointsGroup = components['schemas']['PointsGroup'];
export type Profile = components['schemas']['Profile'];
export type Progress = components['schemas']['Progress'];
export type Prompt = components['schemas']['Prompt'];
export type PuzzleAnswer = components['schemas']['PuzzleAnswer'];
export type Question = components['schemas']['Question'];
export type Rating = components['schemas']['Rating'];
export type ReadiedEvent = components['schemas']['ReadiedEvent'];
export type RecordedSeat = components['schemas']['RecordedSeat'];
export type RegistrationRequest = components['schemas']['RegistrationRequest'];
export type RejoinedEvent = components['schemas']['RejoinedEvent'];
export type RematchRequest = components['schemas']['RematchRequest'];
export type RemoveOperation = components['schemas']['RemoveOperation'];
export type ReplaceOperation = components['schemas']['ReplaceOperation'];
export type ReservedProblem = components['schemas']['ReservedProblem'];
export type Result = components['schemas']['Result'];
export type Results = components['schemas']['Results'];
export type ResumedEvent = components['schemas']['ResumedEvent'];
export type RevealedEvent = components['schemas']['RevealedEvent'];
export type Review = components['schemas']['Review'];
export type ReviewPending = components['schemas']['ReviewPending'];
export type ReviewedRound = components['schemas']['ReviewedRound'];
export type RulesMissingProblem = components['schemas']['RulesMissingProblem'];
export type Ruleset = components['schemas']['Ruleset'];
export type RulesetListed = components['schemas']['RulesetListed'];
export type RulesetListedPage = components['schemas']['RulesetListedPage'];
export type ScandaroonAdvice = components['schemas']['ScandaroonAdvice'];
export type ScandaroonArea = components['schemas']['ScandaroonArea'];
export type ScandaroonBoost = components['schemas']['ScandaroonBoost'];
export type ScandaroonBoostedEvent = components['schemas']['ScandaroonBoostedEvent'];
export type ScandaroonChangeTrump = components['schemas']['ScandaroonChangeTrump'];
export type ScandaroonChoice = components['schemas']['ScandaroonChoice'];
export type ScandaroonDeck = components['schemas']['ScandaroonDeck'];
export type ScandaroonDraw = components['schemas']['ScandaroonDraw'];
export type ScandaroonDrawnEvent = components['schemas']['ScandaroonDrawnEvent'];
export type ScandaroonEffect = components['schemas']['ScandaroonEffect'];
export type ScandaroonEntry = components['schemas']['ScandaroonEntry'];
export type ScandaroonEvent = components['schemas']['ScandaroonEvent'];
export type ScandaroonEventItem = components['schemas']['ScandaroonEventItem'];
export type ScandaroonEventItemPage = components['schemas']['ScandaroonEventItemPage'];
export type ScandaroonExchangeMove = components['schemas']['ScandaroonExchangeMove'];
export type ScandaroonExchangedEvent = components['schemas']['ScandaroonExchangedEvent'];
export type ScandaroonFace = components['schemas']['ScandaroonFace'];
export type ScandaroonFaceAbility = components['schemas']['ScandaroonFaceAbility'];
export type ScandaroonFilm = components['schemas']['ScandaroonFilm'];
export type ScandaroonFilter = components['schemas']['ScandaroonFilter'];
export type ScandaroonGame = components['schemas']['ScandaroonGame'];
export type ScandaroonGameRecord = components['schemas']['ScandaroonGameRecord'];
export type ScandaroonGameRequest = components['schemas']['ScandaroonGameRequest'];
export type ScandaroonHandsDealtEvent = components['schemas']['ScandaroonHandsDealtEvent'];
export type ScandaroonHashed = components['schemas']['ScandaroonHashed'];
export type ScandaroonHighScore = components['schemas']['ScandaroonHighScore'];
export type ScandaroonHint = components['schemas']['ScandaroonHint'];
export type ScandaroonIllegalMoveProblem = components['schemas']['ScandaroonIllegalMoveProblem'];
export type ScandaroonLimit = components['schemas']['ScandaroonLimit'];
export type ScandaroonListedMoves = components['schemas']['ScandaroonListedMoves'];
export type ScandaroonMove = components['schemas']['ScandaroonMove'];
export type ScandaroonMoved = components['schemas']['ScandaroonMoved'];
export type ScandaroonOccupant = components['schemas']['ScandaroonOccupant'];
export type ScandaroonOpenedEvent = components['schemas']['ScandaroonOpenedEvent'];
export type ScandaroonOptions = components['schemas']['ScandaroonOptions'];
export type ScandaroonOptionsInput = components['schemas']['ScandaroonOptionsInput'];
export type ScandaroonOutOfTimeProblem = components['schemas']['ScandaroonOutOfTimeProblem'];
export type ScandaroonOutcome = components['schemas']['ScandaroonOutcome'];
export type ScandaroonPassMove = components['schemas']['ScandaroonPassMove'];
export type ScandaroonPassedEvent = components['schemas']['ScandaroonPassedEvent'];
export type ScandaroonPending = components['schemas']['ScandaroonPending'];
export type ScandaroonPhase = components['schemas']['ScandaroonPhase'];
export type ScandaroonPlaceMove = components['schemas']['ScandaroonPlaceMove'];
export type ScandaroonPlayMove = components['schemas']['ScandaroonPlayMove'];
export type ScandaroonPlayedEvent = components['schemas']['ScandaroonPlayedEvent'];
export type ScandaroonPreparedEvent = components['schemas']['ScandaroonPreparedEvent'];
export type ScandaroonProtectedEvent = components['schemas']['ScandaroonProtectedEvent'];
export type ScandaroonRemove = components['schemas']['ScandaroonRemove'];
export type ScandaroonRemovedEvent = components['schemas']['ScandaroonRemovedEvent'];
export type ScandaroonReshuffledEvent = components['schemas']['ScandaroonReshuffledEvent'];
export type ScandaroonReturn = components['schemas']['ScandaroonReturn'];
export type ScandaroonReturnedEvent = components['schemas']['ScandaroonReturnedEvent'];
export type ScandaroonReview = components['schemas']['ScandaroonReview'];
export type ScandaroonRound = components['schemas']['ScandaroonRound'];
export type ScandaroonRoundScoredEvent = components['schemas']['ScandaroonRoundScoredEvent'];
export type ScandaroonSetTrumpMove = components['schemas']['ScandaroonSetTrumpMove'];
export type ScandaroonShift = components['schemas']['ScandaroonShift'];
export type ScandaroonShiftedEvent = components['schemas']['ScandaroonShiftedEvent'];
export type ScandaroonSituation = components['schemas']['ScandaroonSituation'];
export type ScandaroonSlot = components['schemas']['ScandaroonSlot'];
export type ScandaroonSpentEvent = components['schemas']['ScandaroonSpentEvent'];
export type ScandaroonSpot = components['schemas']['ScandaroonSpot'];
export type ScandaroonStaleDecisionProblem = components['schemas']['ScandaroonStaleDecisionProblem'];
export type ScandaroonStep = components['schemas']['ScandaroonStep'];
export type ScandaroonStolenEvent = components['schemas']['ScandaroonStolenEvent'];
export type ScandaroonStoneMove = components['schemas']['ScandaroonStoneMove'];
export type ScandaroonStonePlace = components['schemas']['ScandaroonStonePlace'];
export type ScandaroonStonePlayedEvent = components['schemas']['ScandaroonStonePlayedEvent'];
export type ScandaroonStopMove = components['schemas']['ScandaroonStopMove'];
export type ScandaroonSwap = components['schemas']['ScandaroonSwap'];
export type ScandaroonSwappedEvent = components['schemas']['ScandaroonSwappedEvent'];
export type ScandaroonSymbol = components['schemas']['ScandaroonSymbol'];
export type ScandaroonTableClearedEvent = components['schemas']['ScandaroonTableClearedEvent'];
export type ScandaroonTargetMove = components['schemas']['ScandaroonTargetMove'];
export type ScandaroonTargetedEvent = components['schemas']['ScandaroonTargetedEvent'];
export type ScandaroonTrump = components['schemas']['ScandaroonTrump'];
export type ScandaroonTrumpChangedEvent = components['schemas']['ScandaroonTrumpChangedEvent'];
export type ScandaroonTrumpFlippedEvent = components['schemas']['ScandaroonTrumpFlippedEvent'];
export type ScandaroonTrumpRevealedEvent = components['schemas']['ScandaroonTrumpRevealedEvent'];
export type ScandaroonTurnBeganEvent = components['schemas']['ScandaroonTurnBeganEvent'];
export type ScandaroonUseMove = components['schemas']['ScandaroonUseMove'];
export type ScandaroonUsedEvent = components['schemas']['ScandaroonUsedEvent'];
export type ScandaroonView = components['schemas']['ScandaroonView'];
export type ScandaroonWonEvent = components['schemas']['ScandaroonWonEvent'];
export type ScopinionAdvice = components['schemas']['ScopinionAdvice'];
export type ScopinionBoughtEvent = components['schemas']['ScopinionBoughtEvent'];
export type ScopinionBreakdown = components['schemas']['ScopinionBreakdown'];
export type ScopinionBuyMove = components['schemas']['ScopinionBuyMove'];
export type ScopinionCardsRevealedEvent = components['schemas']['ScopinionCardsRevealedEvent'];
export type ScopinionChoice = components['schemas']['ScopinionChoice'];
export type ScopinionColour = components['schemas']['ScopinionColour'];
export type ScopinionDealtEvent = components['schemas']['ScopinionDealtEvent'];
export type ScopinionDeck = components['schemas']['ScopinionDeck'];
export type ScopinionDrawOneMove = components['schemas']['ScopinionDrawOneMove'];
export type ScopinionDrawTwoMove = components['schemas']['ScopinionDrawTwoMove'];
export type ScopinionDrawnAsideEvent = components['schemas']['ScopinionDrawnAsideEvent'];
export type ScopinionDrawnEvent = components['schemas']['ScopinionDrawnEvent'];
export type ScopinionEndTriggeredEvent = components['schemas']['ScopinionEndTriggeredEvent'];
export type ScopinionEndTurnMove = components['schemas']['ScopinionEndTurnMove'];
export type ScopinionEntry = components['schemas']['ScopinionEntry'];
export type ScopinionEvent = components['schemas']['ScopinionEvent'];
export type ScopinionEventItem = components['schemas']['ScopinionEventItem'];
export type ScopinionEventItemPage = components['schemas']['ScopinionEventItemPage'];
export type ScopinionFilm = components['schemas']['ScopinionFilm'];
export type ScopinionFunction = components['schemas']['ScopinionFunction'];
export type ScopinionGame = components['schemas']['ScopinionGame'];
export type ScopinionGameRecord = components['schemas']['ScopinionGameRecord'];
export type ScopinionGameRequest = components['schemas']['ScopinionGameRequest'];
export type ScopinionGroup = components['schemas']['ScopinionGroup'];
export type ScopinionHashed = components['schemas']['ScopinionHashed'];
export type ScopinionHint = components['schemas']['ScopinionHint'];
export type ScopinionIllegalMoveProblem = components['schemas']['ScopinionIllegalMoveProblem'];
export type ScopinionKeepDrawnMove = components['schemas']['ScopinionKeepDrawnMove'];
export type ScopinionKeptEvent = components['schemas']['ScopinionKeptEvent'];
export type ScopinionKind = components['schemas']['ScopinionKind'];
export type ScopinionListedMoves = components['schemas']['ScopinionListedMoves'];
export type ScopinionMove = components['schemas']['ScopinionMove'];
export type ScopinionMoved = components['schemas']['ScopinionMoved'];
export type ScopinionOccupant = components['schemas']['ScopinionOccupant'];
export type ScopinionOpenedEvent = components['schemas']['ScopinionOpenedEvent'];
export type ScopinionOptions = components['schemas']['ScopinionOptions'];
export type ScopinionOptionsInput = components['schemas']['ScopinionOptionsInput'];
export type ScopinionOutOfTimeProblem = components['schemas']['ScopinionOutOfTimeProblem'];
export type ScopinionPhase = components['schemas']['ScopinionPhase'];
export type ScopinionPikOffMadeEvent = components['schemas']['ScopinionPikOffMadeEvent'];
export type ScopinionPikOffMove = components['schemas']['ScopinionPikOffMove'];
export type ScopinionPlayedEvent = components['schemas']['ScopinionPlayedEvent'];
export type ScopinionPrintedCard = components['schemas']['ScopinionPrintedCard'];
export type ScopinionRejectedEvent = components['schemas']['ScopinionRejectedEvent'];
export type ScopinionReview = components['schemas']['ScopinionReview'];
export type ScopinionScoredEvent = components['schemas']['ScopinionScoredEvent'];
export type ScopinionSecureMove = components['schemas']['ScopinionSecureMove'];
export type ScopinionSecuredEvent = components['schemas']['ScopinionSecuredEvent'];
export type ScopinionShuffledEvent = components['schemas']['ScopinionShuffledEvent'];
export type ScopinionSituation = components['schemas']['ScopinionSituation'];
export type ScopinionStaleDecisionProblem = components['schemas']['ScopinionStaleDecisionProblem'];
export type ScopinionStep = components['schemas']['ScopinionStep'];
export type ScopinionTakeMove = components['schemas']['ScopinionTakeMove'];
export type ScopinionTrashMove = components['schemas']['ScopinionTrashMove'];
export type ScopinionTrashedEvent = components['schemas']['ScopinionTrashedEvent'];
export type ScopinionTripleMove = components['schemas']['ScopinionTripleMove'];
export type ScopinionTurnBeganEvent = components['schemas']['ScopinionTurnBeganEvent'];
export type ScopinionTurnEndedEvent = components['schemas']['ScopinionTurnEndedEvent'];
export type ScopinionView = components['schemas']['ScopinionView'];
export type ScopinionWonEvent = components['schemas']['ScopinionWonEvent'];
export type ScoutAdvice = components['schemas']['ScoutAdvice'];
export type ScoutCause = components['schemas']['ScoutCause'];
export type ScoutChoice = components['schemas']['ScoutChoice'];
export type ScoutDealtEvent = components['schemas']['ScoutDealtEvent'];
export type ScoutDeck = components['schemas']['ScoutDeck'];
export type ScoutEnd = components['schemas']['ScoutEnd'];
export type ScoutEntry = components['schemas']['ScoutEntry'];
export type ScoutEvent = components['schemas']['ScoutEvent'];
export type ScoutEventItem = components['schemas']['ScoutEventItem'];
export type ScoutEventItemPage = components['schemas']['ScoutEventItemPage'];
export type ScoutFilm = components['schemas']['ScoutFilm'];
export type ScoutGame = components['schemas']['ScoutGame'];
export type ScoutGameRecord = components['schemas']['ScoutGameRecord'];
export type ScoutGameRequest = components['schemas']['ScoutGameRequest'];
export type ScoutHashed = components['schemas']['ScoutHashed'];
export type ScoutHint = components['schemas']['ScoutHint'];
export type ScoutIllegalMoveProblem = components['schemas']['ScoutIllegalMoveProblem'];
export type ScoutKeepMove = components['schemas']['ScoutKeepMove'];
export type ScoutListedMoves = components['schemas']['ScoutListedMoves'];
export type ScoutLotDrawnEvent = components['schemas']['ScoutLotDrawnEvent'];
export type ScoutMove = components['schemas']['ScoutMove'];
export type ScoutMoved = components['schemas']['ScoutMoved'];
export type ScoutOccupant = components['schemas']['ScoutOccupant'];
export type ScoutOpenedEvent = components['schemas']['ScoutOpenedEvent'];
export type ScoutOptions = components['schemas']['ScoutOptions'];
export type ScoutOptionsInput = components['schemas']['ScoutOptionsInput'];
export type ScoutOrientedEvent = components['schemas']['ScoutOrientedEvent'];
export type ScoutOutOfTimeProblem = components['schemas']['ScoutOutOfTimeProblem'];
export type ScoutPhase = components['schemas']['ScoutPhase'];
export type ScoutPrintedCard = components['schemas']['ScoutPrintedCard'];
export type ScoutReview = components['schemas']['ScoutReview'];
export type ScoutRound = components['schemas']['ScoutRound'];
export type ScoutRoundScoredEvent = components['schemas']['ScoutRoundScoredEvent'];
export type ScoutScoutMove = components['schemas']['ScoutScoutMove'];
export type ScoutScoutedEvent = components['schemas']['ScoutScoutedEvent'];
export type ScoutShowMove = components['schemas']['ScoutShowMove'];
export type ScoutShownEvent = components['schemas']['ScoutShownEvent'];
export type ScoutSituation = components['schemas']['ScoutSituation'];
export type ScoutStaleDecisionProblem = components['schemas']['ScoutStaleDecisionProblem'];
export type ScoutStep = components['schemas']['ScoutStep'];
export type ScoutStuckEvent = components['schemas']['ScoutStuckEvent'];
export type ScoutTurnBeganEvent = components['schemas']['ScoutTurnBeganEvent'];
export type ScoutTurnMove = components['schemas']['ScoutTurnMove'];
export type ScoutView = components['schemas']['ScoutView'];
export type ScoutWonEvent = components['schemas']['ScoutWonEvent'];
export type SeatAssignment = components['schemas']['SeatAssignment'];
export type SeatClock = components['schemas']['SeatClock'];
export type SeatRange = components['schemas']['SeatRange'];
export type SeatRequest = components['schemas']['SeatRequest'];
export type SeatTakenProblem = components['schemas']['SeatTakenProblem'];
export type SeatTerms = components['schemas']['SeatTerms'];
export type SeatsFixedProblem = components['schemas']['SeatsFixedProblem'];
export type SecretWebhook = components['schemas']['SecretWebhook'];
export type SharedDeal = components['schemas']['SharedDeal'];
export type SignOut = components['schemas']['SignOut'];
export type Situation = components['schemas']['Situation'];
export type SkyjoActionAction = components['schemas']['SkyjoActionAction'];
export type SkyjoActionActionCard = components['schemas']['SkyjoActionActionCard'];
export type SkyjoActionActionLaidOpenEvent = components['schemas']['SkyjoActionActionLaidOpenEvent'];
export type SkyjoActionActionTakenEvent = components['schemas']['SkyjoActionActionTakenEvent'];
export type SkyjoActionActionsRestockedEvent = components['schemas']['SkyjoActionActionsRestockedEvent'];
export type SkyjoActionAdvice = components['schemas']['SkyjoActionAdvice'];
export type SkyjoActionBlockedEvent = components['schemas']['SkyjoActionBlockedEvent'];
export type SkyjoActionCard = components['schemas']['SkyjoActionCard'];
export type SkyjoActionChoice = components['schemas']['SkyjoActionChoice'];
export type SkyjoActionClearLineMove = components['schemas']['SkyjoActionClearLineMove'];
export type SkyjoActionDealtEvent = components['schemas']['SkyjoActionDealtEvent'];
export type SkyjoActionDeck = components['schemas']['SkyjoActionDeck'];
export type SkyjoActionDiscardMove = components['schemas']['SkyjoActionDiscardMove'];
export type SkyjoActionDiscardedEvent = components['schemas']['SkyjoActionDiscardedEvent'];
export type SkyjoActionDrawMove = components['schemas']['SkyjoActionDrawMove'];
export type SkyjoActionDrawnAsideEvent = components['schemas']['SkyjoActionDrawnAsideEvent'];
export type SkyjoActionDrawnEvent = components['schemas']['SkyjoActionDrawnEvent'];
export type SkyjoActionDropMove = components['schemas']['SkyjoActionDropMove'];
export type SkyjoActionDroppedEvent = components['schemas']['SkyjoActionDroppedEvent'];
export type SkyjoActionEffectLapsedEvent = components['schemas']['SkyjoActionEffectLapsedEvent'];
export type SkyjoActionEntry = components['schemas']['SkyjoActionEntry'];
export type SkyjoActionEvent = components['schemas']['SkyjoActionEvent'];
export type SkyjoActionEventItem = components['schemas']['SkyjoActionEventItem'];
export type SkyjoActionEventItemPage = components['schemas']['SkyjoActionEventItemPage'];
export type SkyjoActionExchangedEvent = components['schemas']['SkyjoActionExchangedEvent'];
export type SkyjoActionFilm = components['schemas']['SkyjoActionFilm'];
export type SkyjoActionFinalLapBeganEvent = components['schemas']['SkyjoActionFinalLapBeganEvent'];
export type SkyjoActionFlipMove = components['schemas']['SkyjoActionFlipMove'];
export type SkyjoActionFlippedEvent = components['schemas']['SkyjoActionFlippedEvent'];
export type SkyjoActionGame = components['schemas']['SkyjoActionGame'];
export type SkyjoActionGameRecord = components['schemas']['SkyjoActionGameRecord'];
export type SkyjoActionGameRequest = components['schemas']['SkyjoActionGameRequest'];
export type SkyjoActionHashed = components['schemas']['SkyjoActionHashed'];
export type SkyjoActionHint = components['schemas']['SkyjoActionHint'];
export type SkyjoActionIllegalMoveProblem = components['schemas']['SkyjoActionIllegalMoveProblem'];
export type SkyjoActionKeepLinesMove = components['schemas']['SkyjoActionKeepLinesMove'];
export type SkyjoActionKeepMove = components['schemas']['SkyjoActionKeepMove'];
export type SkyjoActionKeepNoneMove = components['schemas']['SkyjoActionKeepNoneMove'];
export type SkyjoActionKeptEvent = components['schemas']['SkyjoActionKeptEvent'];
export type SkyjoActionKeptNoneEvent = components['schemas']['SkyjoActionKeptNoneEvent'];
export type SkyjoActionKind = components['schemas']['SkyjoActionKind'];
export type SkyjoActionLayoutsRevealedEvent = components['schemas']['SkyjoActionLayoutsRevealedEvent'];
export type SkyjoActionLine = components['schemas']['SkyjoActionLine'];
export type SkyjoActionLineClearedEvent = components['schemas']['SkyjoActionLineClearedEvent'];
export type SkyjoActionLineLookedEvent = components['schemas']['SkyjoActionLineLookedEvent'];
export type SkyjoActionLinesKeptEvent = components['schemas']['SkyjoActionLinesKeptEvent'];
export type SkyjoActionLinesOfferedEvent = components['schemas']['SkyjoActionLinesOfferedEvent'];
export type SkyjoActionListedMoves = components['schemas']['SkyjoActionListedMoves'];
export type SkyjoActionLookMove = components['schemas']['SkyjoActionLookMove'];
export type SkyjoActionMove = components['schemas']['SkyjoActionMove'];
export type SkyjoActionMoveBeganEvent = components['schemas']['SkyjoActionMoveBeganEvent'];
export type SkyjoActionMoved = components['schemas']['SkyjoActionMoved'];
export type SkyjoActionMovesAddedEvent = components['schemas']['SkyjoActionMovesAddedEvent'];
export type SkyjoActionOccupant = components['schemas']['SkyjoActionOccupant'];
export type SkyjoActionOpenedEvent = components['schemas']['SkyjoActionOpenedEvent'];
export type SkyjoActionOptions = components['schemas']['SkyjoActionOptions'];
export type SkyjoActionOptionsInput = components['schemas']['SkyjoActionOptionsInput'];
export type SkyjoActionOutOfTimeProblem = components['schemas']['SkyjoActionOutOfTimeProblem'];
export type SkyjoActionOwed = components['schemas']['SkyjoActionOwed'];
export type SkyjoActionPending = components['schemas']['SkyjoActionPending'];
export type SkyjoActionPhase = components['schemas']['SkyjoActionPhase'];
export type SkyjoActionPickMove = components['schemas']['SkyjoActionPickMove'];
export type SkyjoActionPickSkippedEvent = components['schemas']['SkyjoActionPickSkippedEvent'];
export type SkyjoActionPickedEvent = components['schemas']['SkyjoActionPickedEvent'];
export type SkyjoActionPicksGrantedEvent = components['schemas']['SkyjoActionPicksGrantedEvent'];
export type SkyjoActionPlace = components['schemas']['SkyjoActionPlace'];
export type SkyjoActionPlayMove = components['schemas']['SkyjoActionPlayMove'];
export type SkyjoActionPlayedEvent = components['schemas']['SkyjoActionPlayedEvent'];
export type SkyjoActionRanOutEvent = components['schemas']['SkyjoActionRanOutEvent'];
export type SkyjoActionRemovedEvent = components['schemas']['SkyjoActionRemovedEvent'];
export type SkyjoActionReplacedEvent = components['schemas']['SkyjoActionReplacedEvent'];
export type SkyjoActionReplayMove = components['schemas']['SkyjoActionReplayMove'];
export type SkyjoActionReplayedEvent = components['schemas']['SkyjoActionReplayedEvent'];
export type SkyjoActionRestockedEvent = components['schemas']['SkyjoActionRestockedEvent'];
export type SkyjoActionReview = components['schemas']['SkyjoActionReview'];
export type SkyjoActionRoundScoredEvent = components['schemas']['SkyjoActionRoundScoredEvent'];
export type SkyjoActionSituation = components['schemas']['SkyjoActionSituation'];
export type SkyjoActionSkipActionMove = components['schemas']['SkyjoActionSkipActionMove'];
export type SkyjoActionSlot = components['schemas']['SkyjoActionSlot'];
export type SkyjoActionSource = components['schemas']['SkyjoActionSource'];
export type SkyjoActionStaleDecisionProblem = components['schemas']['SkyjoActionStaleDecisionProblem'];
export type SkyjoActionStarterFoundEvent = components['schemas']['SkyjoActionStarterFoundEvent'];
export type SkyjoActionStealMove = components['schemas']['SkyjoActionStealMove'];
export type SkyjoActionStep = components['schemas']['SkyjoActionStep'];
export type SkyjoActionStolenEvent = components['schemas']['SkyjoActionStolenEvent'];
export type SkyjoActionSwapMove = components['schemas']['SkyjoActionSwapMove'];
export type SkyjoActionSwappedEvent = components['schemas']['SkyjoActionSwappedEvent'];
export type SkyjoActionTakeActionMove = components['schemas']['SkyjoActionTakeActionMove'];
export type SkyjoActionTakeMove = components['schemas']['SkyjoActionTakeMove'];
export type SkyjoActionTakenEvent = components['schemas']['SkyjoActionTakenEvent'];
export type SkyjoActionTossMove = components['schemas']['SkyjoActionTossMove'];
export type SkyjoActionTossedEvent = components['schemas']['SkyjoActionTossedEvent'];
export type SkyjoActionTurnBeganEvent = components['schemas']['SkyjoActionTurnBeganEvent'];
export type SkyjoActionTurnedUp = components['schemas']['SkyjoActionTurnedUp'];
export type SkyjoActionVictimsNamedEvent = components['schemas']['SkyjoActionVictimsNamedEvent'];
export type SkyjoActionView = components['schemas']['SkyjoActionView'];
export type SkyjoActionWonEvent = components['schemas']['SkyjoActionWonEvent'];
export type SkyjoAdvice = components['schemas']['SkyjoAdvice'];
export type SkyjoChoice = components['schemas']['SkyjoChoice'];
export type SkyjoColumnClearedEvent = components['schemas']['SkyjoColumnClearedEvent'];
export type SkyjoDealtEvent = components['schemas']['SkyjoDealtEvent'];
export type SkyjoDeck = components['schemas']['SkyjoDeck'];
export type SkyjoDrawMove = components['schemas']['SkyjoDrawMove'];
export type SkyjoDrawnEvent = components['schemas']['SkyjoDrawnEvent'];
export type SkyjoEntry = components['schemas']['SkyjoEntry'];
export type SkyjoEvent = components['schemas']['SkyjoEvent'];
export type SkyjoEventItem = components['schemas']['SkyjoEventItem'];
export type SkyjoEventItemPage = components['schemas']['SkyjoEventItemPage'];
export type SkyjoFilm = components['schemas']['SkyjoFilm'];
export type SkyjoFinalLapBeganEvent = components['schemas']['SkyjoFinalLapBeganEvent'];
export type SkyjoFlipMove = components['schemas']['SkyjoFlipMove'];
export type SkyjoFlippedEvent = components['schemas']['SkyjoFlippedEvent'];
export type SkyjoGame = components['schemas']['SkyjoGame'];
export type SkyjoGameRecord = components['schemas']['SkyjoGameRecord'];
export type SkyjoGameRequest = components['schemas']['SkyjoGameRequest'];
export type SkyjoHashed = components['schemas']['SkyjoHashed'];
export type SkyjoHint = components['schemas']['SkyjoHint'];
export type SkyjoIllegalMoveProblem = components['schemas']['SkyjoIllegalMoveProblem'];
export type SkyjoLayoutsRevealedEvent = components['schemas']['SkyjoLayoutsRevealedEvent'];
export type SkyjoListedMoves = components['schemas']['SkyjoListedMoves'];
export type SkyjoMove = components['schemas']['SkyjoMove'];
export type SkyjoMoved = components['schemas']['SkyjoMoved'];
export type SkyjoOccupant = components['schemas']['SkyjoOccupant'];
export type SkyjoOpenedEvent = components['schemas']['SkyjoOpenedEvent'];
export type SkyjoOptions = components['schemas']['SkyjoOptions'];
export type SkyjoOptionsInput = components['schemas']['SkyjoOptionsInput'];
export type SkyjoOutOfTimeProblem = components['schemas']['SkyjoOutOfTimeProblem'];
export type SkyjoPhase = components['schemas']['SkyjoPhase'];
export type SkyjoRanOutEvent = components['schemas']['SkyjoRanOutEvent'];
export type SkyjoRestockedEvent = components['schemas']['SkyjoRestockedEvent'];
export type SkyjoReview = components['schemas']['SkyjoReview'];
export type SkyjoRoundScoredEvent = components['schemas']['SkyjoRoundScoredEvent'];
export type SkyjoSituation = components['schemas']['SkyjoSituation'];
export type SkyjoSlot = components['schemas']['SkyjoSlot'];
export type SkyjoStaleDecisionProblem = components['schemas']['SkyjoStaleDecisionProblem'];
export type SkyjoStep = components['schemas']['SkyjoStep'];
export type SkyjoSwapMove = components['schemas']['SkyjoSwapMove'];
export type SkyjoSwappedEvent = components['schemas']['SkyjoSwappedEvent'];
export type SkyjoTakeMove = components['schemas']['SkyjoTakeMove'];
export type SkyjoTakenEvent = components['schemas']['SkyjoTakenEvent'];
export type SkyjoTossMove = components['schemas']['SkyjoTossMove'];
export type SkyjoTossedEvent = components['schemas']['SkyjoTossedEvent'];
export type SkyjoTurnBeganEvent = components['schemas']['SkyjoTurnBeganEvent'];
export type SkyjoTurnedUp = components['schemas']['SkyjoTurnedUp'];
export type SkyjoView = components['schemas']['SkyjoView'];
export type SkyjoWonEvent = components['schemas']['SkyjoWonEvent'];
export type StaleDecisionProblem = components['schemas']['StaleDecisionProblem'];
export type Standing = components['schemas']['Standing'];
export type StandingPage = components['schemas']['StandingPage'];
export type State = components['schemas']['State'];
export type Status = components['schemas']['Status'];
export type Step = components['schemas']['Step'];
export type StorageExhaustedProblem = components['schemas']['StorageExhaustedProblem'];
export type TakenBackEvent = components['schemas']['TakenBackEvent'];
export type Tally = components['schemas']['Tally'];
export type TimeRequest = components['schemas']['TimeRequest'];
export type TooLargeProblem = components['schemas']['TooLargeProblem'];
export type TooLongProblem = components['schemas']['TooLongProblem'];
export type TooManyBlocksProblem = components['schemas']['TooManyBlocksProblem'];
export type TooManyGamesProblem = components['schemas']['TooManyGamesProblem'];
export type TooManyInvitationsProblem = components['schemas']['TooManyInvitationsProblem'];
export type TooManyNamesProblem = components['schemas']['TooManyNamesProblem'];
export type TooManyPairingsProblem = components['schemas']['TooManyPairingsProblem'];
export type TooManyRequestsProblem = components['schemas']['TooManyRequestsProblem'];
export type TooManyWebhooksProblem = components['schemas']['TooManyWebhooksProblem'];
export type TooRestlessProblem = components['schemas']['TooRestlessProblem'];
export type UnauthenticatedProblem = components['schemas']['UnauthenticatedProblem'];
export type UnavailableProblem = components['schemas']['UnavailableProblem'];
export type Undo = components['schemas']['Undo'];
export type UnsupportedMediaTypeProblem = components['schemas']['UnsupportedMediaTypeProblem'];
export type UnsupportedTransferCodingProblem = components['schemas']['UnsupportedTransferCodingProblem'];
export type UrlTooLongProblem = components['schemas']['UrlTooLongProblem'];
export type VoteRequest = components['schemas']['VoteRequest'];
export type VotedEvent = components['schemas']['VotedEvent'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookCause = components['schemas']['WebhookCause'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type WebhookDeliveryPage = components['schemas']['WebhookDeliveryPage'];
export type WebhookEvent = components['schemas']['WebhookEvent'];
export type WebhookPage = components['schemas']['WebhookPage'];
export type WebhookStatus = components['schemas']['WebhookStatus'];
export type WebhookTarget = components['schemas']['WebhookTarget'];
export type WrongSealProblem = components['schemas']['WrongSealProblem'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
