-- additive
-- Floor plans of organisations: a picture each, and the cameras that stand on it.
CREATE TABLE floor_plan (
  floor_plan_id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organization ON DELETE CASCADE,
  plan_name text NOT NULL,
  plan_name_key text NOT NULL,
  picture_type text NOT NULL,
  -- As it was sent. Its size is read from its first bytes; it is decoded in browsers alone.
  picture bytea NOT NULL,
  picture_at bigint NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at bigint NOT NULL,
  changed_at bigint NOT NULL,
  UNIQUE (organization_id, plan_name_key),
  CONSTRAINT floor_plan_picture_type_check CHECK (picture_type IN ('image/png', 'image/jpeg', 'image/webp')),
  CONSTRAINT floor_plan_size_check CHECK (width > 0 AND height > 0)
);
-- Pictures are compressed already.
ALTER TABLE floor_plan ALTER COLUMN picture SET STORAGE EXTERNAL;

CREATE TABLE floor_plan_camera (
  floor_plan_id text NOT NULL REFERENCES floor_plan ON DELETE CASCADE,
  channel_id text NOT NULL REFERENCES channel ON DELETE CASCADE,
  -- Fractions of width and height, from the upper left corner.
  x double precision NOT NULL,
  y double precision NOT NULL,
  -- Degrees, clockwise from the upper edge.
  direction integer NOT NULL,
  view_angle integer NOT NULL,
  PRIMARY KEY (floor_plan_id, channel_id),
  CONSTRAINT floor_plan_camera_place_check CHECK (x BETWEEN 0 AND 1 AND y BETWEEN 0 AND 1),
  CONSTRAINT floor_plan_camera_view_check CHECK (direction BETWEEN 0 AND 359 AND view_angle BETWEEN 1 AND 360)
);
CREATE INDEX floor_plan_camera_channel ON floor_plan_camera (channel_id);
