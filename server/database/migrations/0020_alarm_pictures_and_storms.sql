-- Pictures that rules take of alarms; and what a storm of alarms writes: ends that are known ahead, and smaller indices.
ALTER TABLE alarm ADD COLUMN picture_at bigint;

CREATE TABLE alarm_picture (
  start_time bigint NOT NULL,
  alarm_id text NOT NULL,
  content_type text NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY (start_time, alarm_id)
);
-- JPEG does not get smaller.
ALTER TABLE alarm_picture ALTER COLUMN data SET STORAGE EXTERNAL;

-- What is held has its end stored from the beginning now: nothing would end what was raised before.
UPDATE alarm SET end_time = open_alarm.hold_until, end_reason = 'held'
FROM open_alarm
WHERE open_alarm.hold_until IS NOT NULL AND alarm.start_time = open_alarm.start_time
  AND alarm.alarm_id = open_alarm.alarm_id AND alarm.end_time IS NULL;

-- Both grow in the order of time and are only ever cut off at the old end.
DROP INDEX taken_event_at;
CREATE INDEX taken_event_at ON taken_event USING brin (at);
DROP INDEX alarm_outbox_at;
CREATE INDEX alarm_outbox_at ON alarm_outbox USING brin (at);
