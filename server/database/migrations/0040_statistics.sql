-- additive
-- Statistics by the hour (UTC), day and month (zone of the installation). Days and months are sums of hours; only those that changed are summed again.

-- When devices went online and offline: the history of device.status, kept for as long as hours may be counted again.
CREATE TABLE device_status_change (
  device_id text NOT NULL REFERENCES device ON DELETE CASCADE,
  at bigint NOT NULL,
  status integer NOT NULL,
  reason text,
  PRIMARY KEY (device_id, at)
);
-- What is known at the start of the history.
INSERT INTO device_status_change (device_id, at, status, reason)
  SELECT device_id, status_at, status, status_reason FROM device WHERE status_at IS NOT NULL;

CREATE TABLE device_statistic (
  grain text NOT NULL,
  start_time bigint NOT NULL,
  device_id text NOT NULL REFERENCES device ON DELETE CASCADE,
  -- 'online', 'unknown', or the reason why it was offline.
  state text NOT NULL,
  lasted_ms bigint NOT NULL,
  -- How often the state began.
  begun integer NOT NULL,
  PRIMARY KEY (grain, start_time, device_id, state),
  CONSTRAINT device_statistic_grain_check CHECK (grain IN ('hour', 'day', 'month'))
);
CREATE INDEX device_statistic_device ON device_statistic (device_id);

CREATE TABLE alarm_statistic (
  grain text NOT NULL,
  start_time bigint NOT NULL,
  device_id text NOT NULL REFERENCES device ON DELETE CASCADE,
  -- 0: the device itself.
  channel_no integer NOT NULL,
  type text NOT NULL,
  -- Whose alarms they are: they stay with an account when the device changes hands.
  owner_id text NOT NULL,
  raised integer NOT NULL,
  acknowledged integer NOT NULL,
  -- From the start of each alarm to its acknowledgement, summed.
  acknowledge_ms bigint NOT NULL,
  PRIMARY KEY (grain, start_time, device_id, channel_no, type, owner_id),
  CONSTRAINT alarm_statistic_grain_check CHECK (grain IN ('hour', 'day', 'month'))
);
CREATE INDEX alarm_statistic_device ON alarm_statistic (device_id);

-- What recordings took at the end of the hour, day or month.
CREATE TABLE storage_statistic (
  grain text NOT NULL,
  start_time bigint NOT NULL,
  channel_id text NOT NULL REFERENCES channel ON DELETE CASCADE,
  used_bytes bigint NOT NULL,
  oldest_at bigint NOT NULL,
  PRIMARY KEY (grain, start_time, channel_id),
  CONSTRAINT storage_statistic_grain_check CHECK (grain IN ('hour', 'day', 'month'))
);
CREATE INDEX storage_statistic_channel ON storage_statistic (channel_id);

CREATE TABLE traffic_statistic (
  grain text NOT NULL,
  start_time bigint NOT NULL,
  device_id text NOT NULL REFERENCES device ON DELETE CASCADE,
  channel_no integer NOT NULL,
  -- in: from the device. out: to viewers. relay: from a remote site.
  direction text NOT NULL,
  -- Of the viewer; empty where there is none. Not a reference: what was sent stays counted when an account is deleted.
  account_id text NOT NULL,
  bytes bigint NOT NULL,
  PRIMARY KEY (grain, start_time, device_id, channel_no, direction, account_id),
  CONSTRAINT traffic_statistic_grain_check CHECK (grain IN ('hour', 'day', 'month')),
  CONSTRAINT traffic_statistic_direction_check CHECK (direction IN ('in', 'out', 'relay'))
);
CREATE INDEX traffic_statistic_device ON traffic_statistic (device_id);

-- Hours that changed since days and months were last summed from them; of devices, the hours that must be counted again.
CREATE TABLE statistic_due (
  topic text NOT NULL,
  start_time bigint NOT NULL,
  PRIMARY KEY (topic, start_time),
  CONSTRAINT statistic_due_topic_check CHECK (topic IN ('device', 'alarm', 'storage', 'traffic'))
);
INSERT INTO statistic_due (topic, start_time)
  SELECT DISTINCT 'device', at - at % 3600000 FROM device_status_change;
