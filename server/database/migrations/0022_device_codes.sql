-- One code per device: whoever has it, and the serial, may take the device over while it holds.
CREATE TABLE device_code (
  device_id text PRIMARY KEY REFERENCES device ON DELETE CASCADE,
  code_hash text NOT NULL,
  code_until bigint NOT NULL,
  code_tries integer NOT NULL DEFAULT 0
);
