-- Numbers and names of the presets that a camera keeps under tokens of its own, and patrols over them.
CREATE TABLE preset (
  channel_id text NOT NULL REFERENCES channel ON DELETE CASCADE,
  preset_index integer NOT NULL,
  -- The device's own text.
  token text NOT NULL,
  -- null: as the device calls it.
  name text,
  PRIMARY KEY (channel_id, preset_index),
  UNIQUE (channel_id, token)
);

CREATE TABLE patrol (
  patrol_id text PRIMARY KEY,
  channel_id text NOT NULL REFERENCES channel ON DELETE CASCADE,
  name text NOT NULL,
  -- {presetIndex, stay} for each stop, in order; stay in seconds.
  stops jsonb NOT NULL
);
CREATE INDEX patrol_channel ON patrol (channel_id);
