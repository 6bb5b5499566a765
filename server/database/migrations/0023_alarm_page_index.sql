-- What a page of alarms is chosen by, beside its order: most of what is looked through then needs no row. Ascending, as alarms come:
-- its pages are filled, where against it each was split in halves.
CREATE INDEX alarm_page ON alarm (owner_id, start_time, alarm_id)
  INCLUDE (device_id, channel_no, type, severity);
DROP INDEX alarm_owner;
-- What somebody has seen to: little beside the rest, and nothing is written here when an alarm begins.
CREATE INDEX alarm_handled ON alarm (owner_id, start_time DESC, alarm_id DESC)
  WHERE acknowledged_at IS NOT NULL OR assigned_to IS NOT NULL OR closed_at IS NOT NULL;
