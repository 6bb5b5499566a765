-- Codes, second factors, known and trusted browsers, invitations, and the tries that budgets count. Times are milliseconds since 1970 UTC.
ALTER TABLE account ADD COLUMN avatar text NOT NULL DEFAULT '';
-- The privacy policy of this time was agreed to.
ALTER TABLE account ADD COLUMN privacy_time bigint NOT NULL DEFAULT 0;

-- A browser's id is what skips the second factor: like a password it is kept as a hash alone.
ALTER TABLE session ADD COLUMN agent text NOT NULL DEFAULT '';
UPDATE session SET browser_id = encode(sha256(convert_to(browser_id, 'UTF8')), 'hex');
UPDATE known_browser SET browser_id = encode(sha256(convert_to(browser_id, 'UTF8')), 'hex');
ALTER TABLE known_browser ADD COLUMN agent text NOT NULL DEFAULT '';
-- Null: known, but asked for the second factor.
ALTER TABLE known_browser ADD COLUMN trusted_at bigint;

-- One row per try and per budget that it uses up. `key` is a hash: people type passwords into the field of the name.
CREATE TABLE attempt (
  attempt_id text NOT NULL,
  key text NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (attempt_id, key)
);
CREATE INDEX attempt_key ON attempt (key, at);
CREATE INDEX attempt_at ON attempt (at);

CREATE TABLE verify_code (
  purpose text NOT NULL,
  target text NOT NULL,
  -- The account that binds a contact; empty for all other purposes.
  account_id text NOT NULL DEFAULT '',
  code_hash bytea NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  expires_at bigint NOT NULL,
  PRIMARY KEY (purpose, target, account_id)
);

CREATE TABLE second_factor (
  account_id text PRIMARY KEY REFERENCES account ON DELETE CASCADE,
  method text NOT NULL CHECK (method IN ('totp', 'message')),
  -- Sealed; empty for codes that are sent.
  secret bytea NOT NULL,
  is_enabled boolean NOT NULL DEFAULT false,
  -- The last step of the clock whose code was taken: a code works once.
  last_step bigint NOT NULL DEFAULT 0
);

CREATE TABLE recovery_code (
  account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  PRIMARY KEY (account_id, code_hash)
);

-- Proofs that were used up, until they would have ended anyway.
CREATE TABLE spent_proof (
  proof_hash bytea PRIMARY KEY,
  expires_at bigint NOT NULL
);

CREATE TABLE invitation (
  invitation_id text PRIMARY KEY,
  token_hash bytea NOT NULL UNIQUE,
  created_by text NOT NULL REFERENCES account ON DELETE CASCADE,
  user_type integer NOT NULL,
  description text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL
);
CREATE INDEX invitation_creator ON invitation (created_by);
