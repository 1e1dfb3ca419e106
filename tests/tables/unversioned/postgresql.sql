CREATE TABLE stammtisch_codes (
    hash TEXT NOT NULL,
    player TEXT NOT NULL,
    expires BIGINT NOT NULL,
    once BOOLEAN NOT NULL,
    PRIMARY KEY (hash)
);
CREATE INDEX ix_stammtisch_codes_expires ON stammtisch_codes (expires);
CREATE INDEX ix_stammtisch_codes_player ON stammtisch_codes (player);
CREATE TABLE stammtisch_invites (
    game TEXT NOT NULL,
    code TEXT NOT NULL,
    PRIMARY KEY (game)
);
CREATE TABLE stammtisch_moderation (
    number BIGSERIAL NOT NULL,
    at TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    reason TEXT,
    open BOOLEAN NOT NULL,
    PRIMARY KEY (number)
);
CREATE INDEX ix_stammtisch_moderation_subject ON stammtisch_moderation (subject);
CREATE INDEX stammtisch_moderation_open ON stammtisch_moderation (open) WHERE open;
CREATE TABLE stammtisch_players (
    id TEXT NOT NULL,
    name TEXT,
    revision BIGINT NOT NULL,
    issued BIGINT NOT NULL,
    renames INTEGER NOT NULL,
    forgotten_at TEXT,
    banned_at TEXT,
    leaving BOOLEAN NOT NULL,
    generation INTEGER NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX stammtisch_players_banned ON stammtisch_players (banned_at) WHERE banned_at IS NOT NULL;
CREATE INDEX stammtisch_players_changed ON stammtisch_players (revision) WHERE revision > 0;
CREATE INDEX stammtisch_players_forgotten ON stammtisch_players (forgotten_at) WHERE forgotten_at IS NOT NULL;
CREATE INDEX stammtisch_players_generation ON stammtisch_players (generation) WHERE generation > 0;
CREATE INDEX stammtisch_players_leaving ON stammtisch_players (leaving) WHERE leaving;
CREATE TABLE stammtisch_webhooks (
    id TEXT NOT NULL,
    owner TEXT NOT NULL,
    url TEXT NOT NULL,
    types TEXT NOT NULL,
    after INTEGER NOT NULL,
    status TEXT NOT NULL,
    cause TEXT,
    created BIGINT NOT NULL,
    live BIGINT,
    number INTEGER NOT NULL,
    rotated BIGINT,
    failing BIGINT,
    request TEXT,
    rotation TEXT,
    changed BIGINT NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX ix_stammtisch_webhooks_owner ON stammtisch_webhooks (owner);
