-- The alarm centre: who sees to an alarm and when it is closed, rules with what they did, channels, silence, keys of other programs.
ALTER TABLE alarm
  ADD COLUMN assigned_to text,
  ADD COLUMN assigned_at bigint,
  ADD COLUMN closed_at bigint,
  -- Null with closed_at: the end that the device told closed what was acknowledged.
  ADD COLUMN closed_by text;

CREATE TABLE alarm_rule (
  rule_id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  definition jsonb NOT NULL,
  is_enabled boolean NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at bigint NOT NULL
);
CREATE INDEX alarm_rule_account ON alarm_rule (account_id, created_at);

CREATE TABLE alarm_channel (
  channel_id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  kind text NOT NULL,
  channel_name text NOT NULL,
  is_enabled boolean NOT NULL,
  settings jsonb NOT NULL,
  -- The secret settings as JSON, sealed for this row.
  sealed bytea NOT NULL,
  -- Names of the secret settings that are kept.
  kept_secrets text[] NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at bigint NOT NULL,
  last_at bigint,
  last_reason text
);
CREATE INDEX alarm_channel_account ON alarm_channel (account_id, created_at);

-- One row per rule, action, channel and alarm, written with the position of the outbox: done once over restarts.
CREATE TABLE alarm_delivery (
  delivery_id text PRIMARY KEY,
  rule_id text NOT NULL,
  account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  -- Place of the action in its rule, and the channel of a message; together with rule and alarm they are unique.
  step text NOT NULL,
  action jsonb NOT NULL,
  channel_id text,
  start_time bigint NOT NULL,
  alarm_id text NOT NULL,
  type text NOT NULL,
  -- Type and source of the alarm: what comes again within the pause of the rule is only counted.
  fold_key text NOT NULL,
  folded_count integer NOT NULL DEFAULT 0,
  -- waiting, done, failed, skipped.
  state text NOT NULL,
  reason text,
  detail text NOT NULL DEFAULT '',
  attempts integer NOT NULL DEFAULT 0,
  created_at bigint NOT NULL,
  done_at bigint,
  -- Of the next attempt; moved ahead while one runs.
  due_at bigint NOT NULL,
  UNIQUE (rule_id, alarm_id, step)
);
CREATE INDEX alarm_delivery_due ON alarm_delivery (due_at) WHERE state = 'waiting';
CREATE INDEX alarm_delivery_account ON alarm_delivery (account_id, created_at DESC);
CREATE INDEX alarm_delivery_fold ON alarm_delivery (rule_id, fold_key, created_at DESC);

-- How far a reader of an outbox has come.
CREATE TABLE outbox_position (
  name text PRIMARY KEY,
  seq bigint NOT NULL
);

CREATE TABLE alarm_quiet (
  account_id text PRIMARY KEY REFERENCES account ON DELETE CASCADE,
  quiet jsonb NOT NULL
);

CREATE TABLE ingest_key (
  key_id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  key_name text NOT NULL,
  -- SHA-256 of the token.
  token_hash bytea NOT NULL UNIQUE,
  created_at bigint NOT NULL,
  last_at bigint
);
