// Types of the tables of recorder groups, by hand after migrations/*.sql. Times are milliseconds since 1970 UTC.
import type { Generated, Selectable } from 'kysely';

interface RecorderGroupTable {
  group_id: string;
  group_name: string;
  returns_by_itself: Generated<boolean>;
  version: Generated<number>;
  created_at: number;
}

interface RecorderMemberTable {
  site_id: string;
  group_id: string;
  is_spare: boolean;
  /** Most cameras that it records, its own and those that it took. */
  camera_max: number;
  /** By the clock of the database; null: never. */
  heard_at: number | null;
  /** When its cameras were last taken over; null: it has its own. */
  taken_at: number | null;
  without_room: Generated<number>;
}

/** One row: the server that judges the silence of sites. */
interface RecorderWatchTable {
  watch_id: number;
  holder: string;
  epoch: number;
  beat_at: number;
  since: number;
  open_since: number;
}

/** When a site had a device; its recordings of that time lie there. */
interface DeviceStayTable {
  device_id: string;
  site_epoch: number;
  site_id: string;
  since: number;
  /** Null: still. */
  until: number | null;
}

export type RecorderGroupRow = Selectable<RecorderGroupTable>;
export type RecorderMemberRow = Selectable<RecorderMemberTable>;
export type DeviceStayRow = Selectable<DeviceStayTable>;

export interface RecorderGroupSchema {
  recorder_group: RecorderGroupTable;
  recorder_member: RecorderMemberTable;
  recorder_watch: RecorderWatchTable;
  device_stay: DeviceStayTable;
}
