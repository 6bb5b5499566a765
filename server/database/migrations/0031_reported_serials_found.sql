-- A device is found by the serial on its sticker too, where it bears another one here.
DROP INDEX device_bigrams;
ALTER TABLE device DROP COLUMN name_bigrams;
ALTER TABLE device ADD COLUMN name_bigrams text[] GENERATED ALWAYS AS
  (bigrams(device_name || E'\n' || device_serial || coalesce(E'\n' || reported_serial, ''))) STORED;
CREATE INDEX device_bigrams ON device USING gin (name_bigrams) WITH (fastupdate = off);
ANALYZE device;
