// Types of the tables of retention locks and bookmarks, by hand after migrations/*.sql. Times are milliseconds since 1970 UTC.
import type { Selectable } from 'kysely';

interface FootageLockTable {
  lock_id: string;
  channel_id: string;
  start_time: number;
  end_time: number;
  name: string;
  reason: string;
  created_by: string | null;
  created_at: number;
  /** Made by an account the channel was shared with: it ends with that right. */
  by_share: boolean;
  /** When that right ends by time; null where nothing ends it. */
  until: number | null;
}

interface BookmarkTable {
  bookmark_id: string;
  channel_id: string;
  start_time: number;
  end_time: number;
  name: string;
  created_by: string | null;
  created_at: number;
}

export type FootageLockRow = Selectable<FootageLockTable>;
export type BookmarkRow = Selectable<BookmarkTable>;

export interface RecordingMarkSchema {
  footage_lock: FootageLockTable;
  bookmark: BookmarkTable;
}
