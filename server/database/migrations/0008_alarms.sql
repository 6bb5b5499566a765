-- Alarms, one partition a day (UTC) that retention drops whole; the server makes each day's partition before its first row.
CREATE TABLE alarm (
  start_time bigint NOT NULL,
  -- Begins with the start time, so that an id alone leads to its partition.
  alarm_id text NOT NULL,
  -- Who owned the device then: an alarm stays with that account when the device changes hands.
  owner_id text NOT NULL,
  device_id text NOT NULL,
  -- 0: the device itself.
  channel_no integer NOT NULL,
  type text NOT NULL,
  severity smallint NOT NULL,
  -- Of the device's event; empty where the server itself raised it.
  topic text NOT NULL,
  source jsonb NOT NULL,
  data jsonb NOT NULL,
  device_at bigint,
  end_time bigint,
  end_reason text,
  -- How often the device said it again while it lasted.
  repeat_count integer NOT NULL DEFAULT 0,
  acknowledged_at bigint,
  acknowledged_by text,
  -- [{accountId, text, time}], oldest first.
  comments jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (start_time, alarm_id)
) PARTITION BY RANGE (start_time);
CREATE INDEX alarm_owner ON alarm (owner_id, start_time DESC, alarm_id DESC);
CREATE INDEX alarm_device ON alarm (device_id, start_time DESC, alarm_id DESC);
CREATE INDEX alarm_type ON alarm (owner_id, type, start_time DESC, alarm_id DESC);

-- What lasts now, by its source. `hold_until`: over then unless it comes again, because the device tells no end.
CREATE TABLE open_alarm (
  device_id text NOT NULL,
  channel_no integer NOT NULL,
  type text NOT NULL,
  source_key text NOT NULL,
  start_time bigint NOT NULL,
  alarm_id text NOT NULL,
  hold_until bigint,
  PRIMARY KEY (device_id, channel_no, type, source_key)
);
CREATE INDEX open_alarm_hold ON open_alarm (hold_until) WHERE hold_until IS NOT NULL;

-- Events of the site that are stored already: what comes twice changes nothing.
CREATE TABLE taken_event (
  event_id text PRIMARY KEY,
  at bigint NOT NULL
);
CREATE INDEX taken_event_at ON taken_event (at);

-- Changes of alarms in the order of their commits, for /ws and notifiers. NOTIFY only wakes.
CREATE TABLE alarm_outbox (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  start_time bigint NOT NULL,
  alarm_id text NOT NULL,
  is_new boolean NOT NULL
);
CREATE INDEX alarm_outbox_at ON alarm_outbox (at);

CREATE FUNCTION wake_alarm() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('vedette_alarm', '');
  RETURN NULL;
END $$;
CREATE TRIGGER alarm_wake AFTER INSERT ON alarm_outbox FOR EACH STATEMENT EXECUTE FUNCTION wake_alarm();
