-- additive
-- Keys by which native shells sign an account in without its password. One step is under way at a time: a challenge, then a ticket.
CREATE TABLE sign_in_key (
  -- Thumbprint of the public key (RFC 7638).
  key_id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  -- Coordinates of the public key on P-256, base64url.
  x text NOT NULL,
  y text NOT NULL,
  -- Hash of the browser's id: tickets work there alone.
  browser_id text NOT NULL,
  agent text NOT NULL,
  address text NOT NULL,
  created_at bigint NOT NULL,
  last_used_at bigint NOT NULL,
  -- SHA-256 of what is open until pending_until.
  challenge_hash bytea,
  ticket_hash bytea,
  pending_until bigint NOT NULL DEFAULT 0,
  CONSTRAINT sign_in_key_pending_check CHECK (challenge_hash IS NULL OR ticket_hash IS NULL)
);
CREATE INDEX sign_in_key_account ON sign_in_key (account_id);
CREATE UNIQUE INDEX sign_in_key_ticket ON sign_in_key (ticket_hash);
-- The key that opened the session; null: the password did.
ALTER TABLE session ADD COLUMN sign_in_key_id text;
