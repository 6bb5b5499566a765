-- Words of one character have no pairs: they are found by the characters of the names themselves.
CREATE FUNCTION characters(words text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(DISTINCT one), '{}') FROM unnest(string_to_array(lower(words), NULL)) AS one
$$;
CREATE INDEX channel_characters ON channel USING gin (characters(channel_name)) WITH (fastupdate = off);
CREATE INDEX device_characters ON device
  USING gin (characters(device_name || E'\n' || device_serial)) WITH (fastupdate = off);
-- How common each character is decides between the index and reading until enough was found.
ANALYZE channel;
ANALYZE device;
