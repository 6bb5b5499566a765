-- What keeps a stolen session, and whoever runs the installation, from becoming somebody else. Times are milliseconds since 1970 UTC.

-- The password, and a code where a second factor is on, were last given in this session; 0: never since it was opened.
ALTER TABLE session ADD COLUMN proved_at bigint NOT NULL DEFAULT 0;

-- When the operator reset the password and the second factor of an account last; 0: never.
ALTER TABLE account ADD COLUMN password_reset_at bigint NOT NULL DEFAULT 0;
ALTER TABLE account ADD COLUMN factor_reset_at bigint NOT NULL DEFAULT 0;
-- Until then nothing shows it pictures, after a reset that went through the operator's hands.
ALTER TABLE account ADD COLUMN video_closed_until bigint NOT NULL DEFAULT 0;

-- Recovery codes are kept by argon2id under one salt per account; null: still by SHA-256 alone, until the next start of the server.
ALTER TABLE second_factor ADD COLUMN recovery_salt bytea;
-- When they were made: codes from after a reset prove nothing about who had the account before it.
ALTER TABLE second_factor ADD COLUMN recovery_at bigint NOT NULL DEFAULT 0;

-- What an account is told until it says that it has seen it.
CREATE TABLE account_notice (
  notice_id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('passwordReset', 'factorReset')),
  -- Name of who did it, as it was then.
  by_name text NOT NULL,
  at bigint NOT NULL,
  confirmed_at bigint
);
CREATE INDEX account_notice_open ON account_notice (account_id) WHERE confirmed_at IS NULL;

-- One link per account by which a new password is set; the newest counts.
CREATE TABLE password_reset (
  account_id text PRIMARY KEY REFERENCES account ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE,
  -- It went through the hands of the operator instead of to the account's own address.
  closes_video boolean NOT NULL,
  by_name text NOT NULL,
  expires_at bigint NOT NULL
);
