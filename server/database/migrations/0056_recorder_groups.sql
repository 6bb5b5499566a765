-- additive
-- Recorder groups: sites that reach the same cameras and take them over from each other.
CREATE TABLE recorder_group (
  group_id text PRIMARY KEY,
  group_name text NOT NULL,
  -- Cameras go back by themselves to a site that has returned.
  returns_by_itself boolean NOT NULL DEFAULT false,
  version integer NOT NULL DEFAULT 1,
  created_at bigint NOT NULL
);
-- A site is in one group at most.
CREATE TABLE recorder_member (
  site_id text PRIMARY KEY REFERENCES site ON DELETE CASCADE,
  group_id text NOT NULL REFERENCES recorder_group ON DELETE CASCADE,
  is_spare boolean NOT NULL,
  -- Most cameras that it records, its own and those that it took.
  camera_max integer NOT NULL,
  -- By the clock of the database; null: never.
  heard_at bigint,
  -- When its cameras were last taken over, and how many no member had room for; null: it has its own.
  taken_at bigint,
  without_room integer NOT NULL DEFAULT 0
);
CREATE INDEX recorder_member_group ON recorder_member (group_id);

-- The one server that judges the silence of sites, by the clock of the database; one row.
CREATE TABLE recorder_watch (
  watch_id integer PRIMARY KEY,
  holder text NOT NULL,
  -- Rises with each change of the holder.
  epoch bigint NOT NULL,
  beat_at bigint NOT NULL,
  -- Since when it has heard all sites that are connected without a break.
  since bigint NOT NULL,
  -- Since when sites that are not can dial it without a break.
  open_since bigint NOT NULL,
  CONSTRAINT recorder_watch_watch_id_check CHECK (watch_id = 1)
);
INSERT INTO recorder_watch VALUES (1, '', 0, 0, 0, 0);

-- Rises each time the device goes to another site.
ALTER TABLE device ADD COLUMN site_epoch bigint NOT NULL DEFAULT 0;
-- Where it belongs while another site of the group has it; null: where it is.
ALTER TABLE device ADD COLUMN home_site_id text REFERENCES site ON DELETE SET NULL;
CREATE INDEX device_home_site ON device (home_site_id);
-- Which sites had a device and when: there its recordings lie. A device that never moved has none.
CREATE TABLE device_stay (
  device_id text NOT NULL REFERENCES device ON DELETE CASCADE,
  site_epoch bigint NOT NULL,
  site_id text NOT NULL REFERENCES site ON DELETE CASCADE,
  since bigint NOT NULL,
  -- Null: still.
  until bigint,
  PRIMARY KEY (device_id, site_epoch)
);
CREATE INDEX device_stay_site ON device_stay (site_id);

-- Where an export was ordered; null: where its device is.
ALTER TABLE export_task ADD COLUMN site_id text;

-- Recordings of a channel may lie at several sites.
ALTER TABLE footage_removal DROP CONSTRAINT footage_removal_pkey;
ALTER TABLE footage_removal ADD PRIMARY KEY (channel_id, site_id);
