-- Organisations, devices and channels, with names that are searched by their pairs of characters.
-- Names change rarely: without the pending list of fast updates a search never has to read through it.
CREATE FUNCTION bigrams(words text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(DISTINCT substr(lower(words), at, 2)), '{}') FROM generate_series(1, length(words) - 1) AS at
$$;

CREATE TABLE organization (
  organization_id text PRIMARY KEY,
  owner_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  organization_name text NOT NULL,
  parent_id text REFERENCES organization ON DELETE RESTRICT,
  -- Ids from the topmost ancestor to the organisation itself.
  path text[] NOT NULL,
  name_bigrams text[] GENERATED ALWAYS AS (bigrams(organization_name)) STORED,
  version integer NOT NULL DEFAULT 1,
  created_at bigint NOT NULL
);
CREATE INDEX organization_parent ON organization (owner_id, parent_id);
CREATE INDEX organization_path ON organization USING gin (path) WITH (fastupdate = off);
CREATE INDEX organization_bigrams ON organization USING gin (name_bigrams) WITH (fastupdate = off);

CREATE TABLE device (
  device_id text PRIMARY KEY,
  owner_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  device_serial text NOT NULL UNIQUE,
  device_name text NOT NULL,
  device_type integer NOT NULL,
  device_model text NOT NULL,
  device_version text NOT NULL,
  manufacturer text NOT NULL,
  -- Null stands in the root.
  organization_id text REFERENCES organization ON DELETE RESTRICT,
  driver text NOT NULL,
  native jsonb NOT NULL,
  address text NOT NULL,
  device_user_name text NOT NULL,
  -- AES-256-GCM of target, user and password with the master key: a target's query may hold secrets too.
  credentials bytea NOT NULL,
  is_operator_address boolean NOT NULL,
  capabilities jsonb NOT NULL DEFAULT '[]',
  status integer NOT NULL DEFAULT -1,
  status_reason text,
  status_at bigint,
  latest_online bigint,
  name_bigrams text[] GENERATED ALWAYS AS (bigrams(device_name || E'\n' || device_serial)) STORED,
  version integer NOT NULL DEFAULT 1,
  created_at bigint NOT NULL
);
CREATE INDEX device_owner ON device (owner_id, device_name, device_id);
CREATE INDEX device_organization ON device (organization_id);
CREATE INDEX device_bigrams ON device USING gin (name_bigrams) WITH (fastupdate = off);

CREATE TABLE channel (
  channel_id text PRIMARY KEY,
  device_id text NOT NULL REFERENCES device ON DELETE CASCADE,
  channel_no integer NOT NULL,
  channel_name text NOT NULL,
  channel_type integer NOT NULL DEFAULT 0,
  status integer NOT NULL DEFAULT -1,
  is_recording boolean NOT NULL DEFAULT false,
  -- Streams as the probe found them: quality, codec, width, height, fps, audio.
  streams jsonb NOT NULL DEFAULT '[]',
  -- Quality that is recorded, or null where nothing is.
  record_quality integer,
  backfill_from bigint,
  name_bigrams text[] GENERATED ALWAYS AS (bigrams(channel_name)) STORED,
  UNIQUE (device_id, channel_no)
);
CREATE INDEX channel_bigrams ON channel USING gin (name_bigrams) WITH (fastupdate = off);

-- Channels whose footage the site still has to remove, because it was away when the device was deleted.
CREATE TABLE footage_removal (
  channel_id text PRIMARY KEY,
  device_serial text NOT NULL,
  requested_at bigint NOT NULL
);
