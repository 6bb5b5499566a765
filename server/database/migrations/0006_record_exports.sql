-- Exports of recordings: who asked for what, and how far its site is with it. The files themselves lie on the site.
CREATE TABLE export_task (
  task_id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  -- What was asked for, with the ids the site needs.
  items jsonb NOT NULL,
  -- Of the file, without its ending; empty: by camera and time.
  name text NOT NULL,
  -- Of the items, so that a revocation finds its tasks.
  device_serials text[] NOT NULL,
  -- queued, running, finished, failed.
  state text NOT NULL,
  code integer,
  -- What the site said last; null until it said anything.
  report jsonb,
  -- The first right among the items that ends by time.
  until bigint,
  created_at bigint NOT NULL,
  -- When the row goes, and the file with it.
  expires_at bigint NOT NULL
);
CREATE INDEX export_task_account ON export_task (account_id, created_at);
CREATE INDEX export_task_devices ON export_task USING gin (device_serials);
