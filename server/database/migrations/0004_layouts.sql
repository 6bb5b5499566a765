-- Saved layouts of the live wall: personal, or shared with all accounts of one owner.
CREATE TABLE layout (
  layout_id text PRIMARY KEY,
  creator_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  -- The account that the creator works for, which is the creator itself unless it is a sub-account.
  owner_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  layout_name text NOT NULL,
  layout_name_key text NOT NULL,
  split integer NOT NULL,
  -- {position, deviceSerial, channelNo} for each window with a channel. What of it a viewer is shown is decided at reading.
  tiles jsonb NOT NULL,
  is_shared boolean NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at bigint NOT NULL,
  changed_at bigint NOT NULL,
  UNIQUE (creator_id, layout_name_key)
);
CREATE INDEX layout_shared ON layout (owner_id) WHERE is_shared;
