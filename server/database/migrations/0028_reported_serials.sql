-- What a device says is its serial, where another device had that name already; null: as `device_serial`.
ALTER TABLE device ADD COLUMN reported_serial text;
CREATE INDEX device_reported ON device (reported_serial) WHERE reported_serial IS NOT NULL;
