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

-- EN-22: cloud plans of pictures (1), whose copies in object stores the server keeps itself.
ALTER TABLE cloud_plan DROP CONSTRAINT cloud_plan_combo_type_check;
ALTER TABLE cloud_plan ADD CONSTRAINT cloud_plan_combo_type_check CHECK (combo_type IN (1, 2, 3));
CREATE TABLE alarm_picture_copy (
  start_time bigint NOT NULL,
  alarm_id text NOT NULL,
  channel_id text NOT NULL,
  owner_id text NOT NULL,
  -- The site that reaches the store.
  site_id text NOT NULL,
  -- What a store holds is forgotten with it.
  store_id text NOT NULL REFERENCES object_store ON DELETE CASCADE,
  content_type text NOT NULL,
  -- Of the object: the picture, sealed.
  bytes integer NOT NULL,
  kept_until bigint NOT NULL,
  PRIMARY KEY (start_time, alarm_id)
);
CREATE INDEX alarm_picture_copy_store ON alarm_picture_copy (store_id);
CREATE INDEX alarm_picture_copy_channel ON alarm_picture_copy (channel_id);
CREATE INDEX alarm_picture_copy_until ON alarm_picture_copy (kept_until);
