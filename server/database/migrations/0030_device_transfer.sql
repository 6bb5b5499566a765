-- Devices offered to another account, until it accepts or refuses. One offer for each device: a new one takes the place of the earlier.
-- Times are milliseconds since 1970 UTC.
CREATE TABLE device_transfer (
  device_id text PRIMARY KEY REFERENCES device ON DELETE CASCADE,
  transfer_id text NOT NULL UNIQUE,
  giver_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  taker_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  created_at bigint NOT NULL,
  end_time bigint NOT NULL
);
CREATE INDEX device_transfer_giver ON device_transfer (giver_id);
CREATE INDEX device_transfer_taker ON device_transfer (taker_id);
