-- In the order in which alarms come: its pages are filled, where against it each was split in halves.
DROP INDEX alarm_page;
CREATE INDEX alarm_page ON alarm (owner_id, start_time, alarm_id)
  INCLUDE (device_id, channel_no, type, severity);
