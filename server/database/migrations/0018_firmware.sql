-- Firmware for devices: packages that were uploaded, and the newest upgrade of each device.
CREATE TABLE firmware_package (
  package_id text PRIMARY KEY,
  owner_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  device_model text NOT NULL,
  version text NOT NULL,
  file_name text NOT NULL,
  size_bytes bigint NOT NULL,
  sha256 text NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX firmware_package_owner ON firmware_package (owner_id, created_at DESC);

CREATE TABLE device_upgrade (
  device_id text PRIMARY KEY REFERENCES device ON DELETE CASCADE,
  -- The package may be gone by now.
  package_id text NOT NULL,
  from_version text NOT NULL,
  to_version text NOT NULL,
  state text NOT NULL,
  percent integer NOT NULL,
  reason text,
  started_at bigint NOT NULL,
  ended_at bigint
);
CREATE INDEX device_upgrade_running ON device_upgrade (device_id) WHERE state NOT IN ('finished', 'failed');

-- When motion and people of a channel count, where the camera itself has no plan for it.
CREATE TABLE arming_plan (
  channel_id text NOT NULL REFERENCES channel ON DELETE CASCADE,
  section text NOT NULL,
  -- As the configuration has it: {day, entryList}.
  plan jsonb NOT NULL,
  PRIMARY KEY (channel_id, section)
);
