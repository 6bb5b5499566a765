-- additive
-- Tasks of edge intelligence: what the site of a channel watches for in its pictures.
CREATE TABLE analysis_task (
  task_id text PRIMARY KEY,
  channel_id text NOT NULL REFERENCES channel ON DELETE CASCADE,
  task_name text NOT NULL,
  algorithm text NOT NULL,
  -- Lines, zones and masks in shares of the picture.
  regions jsonb NOT NULL,
  classes text[] NOT NULL,
  threshold integer NOT NULL,
  -- Shares of the picture's height.
  min_height double precision NOT NULL,
  max_height double precision NOT NULL,
  -- Seconds.
  dwell_s integer NOT NULL,
  density_levels integer[] NOT NULL,
  -- Null: always.
  plan jsonb,
  holidays text[] NOT NULL,
  is_enabled boolean NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at bigint NOT NULL,
  CONSTRAINT analysis_task_algorithm_check CHECK (algorithm IN (
    'lineCrossing', 'intrusion', 'entrance', 'exit', 'loitering', 'crowdDensity', 'counting', 'objectLeft', 'objectRemoved'))
);
CREATE INDEX analysis_task_channel ON analysis_task (channel_id);
