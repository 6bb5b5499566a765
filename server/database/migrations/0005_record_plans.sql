-- When channels are recorded and for how long it is kept; footage that is locked, and bookmarks.
-- IANA name; null is the zone of this installation.
ALTER TABLE device ADD COLUMN time_zone text;
-- Plan, holidays, pre-roll and what is kept; null is the default: always, as long as the installation keeps footage.
ALTER TABLE channel ADD COLUMN record_plan jsonb;
ALTER TABLE channel ADD COLUMN record_version integer NOT NULL DEFAULT 1;

CREATE TABLE footage_lock (
  lock_id text PRIMARY KEY,
  channel_id text NOT NULL REFERENCES channel ON DELETE CASCADE,
  start_time bigint NOT NULL,
  end_time bigint NOT NULL,
  name text NOT NULL,
  reason text NOT NULL,
  created_by text REFERENCES account ON DELETE SET NULL,
  created_at bigint NOT NULL,
  CHECK (end_time > start_time)
);
CREATE INDEX footage_lock_channel ON footage_lock (channel_id, start_time);
CREATE INDEX footage_lock_creator ON footage_lock (created_by);

CREATE TABLE bookmark (
  bookmark_id text PRIMARY KEY,
  channel_id text NOT NULL REFERENCES channel ON DELETE CASCADE,
  start_time bigint NOT NULL,
  end_time bigint NOT NULL,
  name text NOT NULL,
  created_by text REFERENCES account ON DELETE SET NULL,
  created_at bigint NOT NULL,
  CHECK (end_time >= start_time)
);
CREATE INDEX bookmark_channel ON bookmark (channel_id, start_time);
CREATE INDEX bookmark_creator ON bookmark (created_by);
