-- What a storm of alarms writes, for each batch instead of each row: one line of the outbox.
ALTER TABLE alarm_outbox RENAME TO alarm_outbox_of_rows;
DROP INDEX alarm_outbox_at;

CREATE SEQUENCE alarm_outbox_number;
CREATE TABLE alarm_outbox (
  -- Of the last of its changes: they are numbered through.
  seq bigint CONSTRAINT alarm_outbox_seq PRIMARY KEY,
  at bigint NOT NULL,
  start_times bigint[] NOT NULL,
  alarm_ids text[] NOT NULL,
  are_new boolean[] NOT NULL
);
-- Random digits do not get smaller.
ALTER TABLE alarm_outbox ALTER COLUMN alarm_ids SET STORAGE EXTERNAL;
CREATE INDEX alarm_outbox_at ON alarm_outbox (at);
CREATE TRIGGER alarm_wake AFTER INSERT ON alarm_outbox FOR EACH STATEMENT EXECUTE FUNCTION wake_alarm();

-- What rules have not seen yet, and the newest, so that numbers go on from it.
INSERT INTO alarm_outbox (seq, at, start_times, alarm_ids, are_new)
SELECT seq, at, array[start_time], array[alarm_id], array[is_new] FROM alarm_outbox_of_rows
WHERE seq > (SELECT min(seq) FROM outbox_position WHERE name = 'alarm-rules')
  OR seq = (SELECT max(seq) FROM alarm_outbox_of_rows);
SELECT setval('alarm_outbox_number', max(seq)) FROM alarm_outbox_of_rows HAVING max(seq) IS NOT NULL;
DROP TABLE alarm_outbox_of_rows;
