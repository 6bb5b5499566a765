-- additive
-- In which cells of the picture feet were in an hour: where nobody was in an area, no sighting is looked at.
CREATE TABLE sighting_hour (
  channel_id text NOT NULL REFERENCES channel ON DELETE CASCADE,
  object_class text NOT NULL,
  -- Hours since 1970 UTC, of the starts of sightings.
  hour integer NOT NULL,
  -- All bits of foot_cells of its sightings; those of deleted ones may remain.
  foot_cells bigint NOT NULL,
  PRIMARY KEY (channel_id, object_class, hour) INCLUDE (foot_cells)
);
INSERT INTO sighting_hour (channel_id, object_class, hour, foot_cells)
  SELECT channel_id, object_class, (start_time / 3600000)::integer, bit_or(foot_cells) FROM sighting GROUP BY 1, 2, 3;
-- A trigger, so that hours are complete also after a server of an earlier version has run.
CREATE FUNCTION add_sighting_hours() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sighting_hour AS known (channel_id, object_class, hour, foot_cells)
    SELECT channel_id, object_class, (start_time / 3600000)::integer, bit_or(foot_cells)
    FROM added GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (channel_id, object_class, hour) DO UPDATE SET foot_cells = known.foot_cells | excluded.foot_cells;
  RETURN NULL;
END $$;
CREATE TRIGGER sighting_hours AFTER INSERT ON sighting
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_sighting_hours();
