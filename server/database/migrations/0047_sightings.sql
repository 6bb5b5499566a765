-- additive
-- Objects that edge intelligence saw, for the search: of one object one row, or one for each five minutes.
CREATE TABLE sighting (
  sighting_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  channel_id text NOT NULL REFERENCES channel ON DELETE CASCADE,
  -- Owner of the device then. Not a reference: a later owner does not see it.
  owner_id text NOT NULL,
  track_id integer NOT NULL,
  object_class text NOT NULL,
  score double precision NOT NULL,
  start_time bigint NOT NULL,
  end_time bigint NOT NULL,
  best_time bigint NOT NULL,
  -- [milliseconds after start_time, x, y, width, height] of its boxes, in shares of the picture.
  boxes jsonb NOT NULL,
  -- Where its foot went, in shares of the picture; where it began.
  foot_path path NOT NULL,
  foot_start point NOT NULL,
  -- A bit for each of 8 × 8 cells of the picture in which its foot was: bit 8 × row + column.
  foot_cells bigint NOT NULL,
  regions text[] NOT NULL,
  -- JPEG.
  picture bytea,
  CONSTRAINT sighting_object_class_check CHECK (object_class IN ('person', 'vehicle', 'bicycle', 'animal', 'bag'))
);
-- JPEG does not get smaller.
ALTER TABLE sighting ALTER COLUMN picture SET STORAGE EXTERNAL;
-- What a search asks is in the index, so that it reads the rows of its page alone.
CREATE INDEX sighting_search ON sighting (channel_id, object_class, start_time, sighting_id)
  INCLUDE (end_time, owner_id, foot_cells);
