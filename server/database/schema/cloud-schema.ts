// Types of the tables of cloud storage, by hand after migrations/*.sql. Times are milliseconds since 1970 UTC.
import type { Generated, Selectable } from 'kysely';

interface ObjectStoreTable {
  store_id: string;
  store_name: string;
  endpoint: string;
  region: string;
  bucket: string;
  is_path_style: boolean;
  access_key: string;
  secret_key: Buffer;
  prefix: string;
  is_default: boolean;
  version: Generated<number>;
  created_at: number;
}

interface CloudPlanTable {
  channel_id: string;
  store_id: string;
  /** EN-22 */
  combo_type: 1 | 2 | 3;
  days: number;
  created_at: number;
}

/** A picture of an alarm in an object store; the object is sealed with the master key. */
interface AlarmPictureCopyTable {
  start_time: number;
  alarm_id: string;
  channel_id: string;
  owner_id: string;
  /** The site that reaches the store. */
  site_id: string;
  store_id: string;
  content_type: string;
  /** Of the object. */
  bytes: number;
  kept_until: number;
}

export type AlarmPictureCopyRow = Selectable<AlarmPictureCopyTable>;
export type ObjectStoreRow = Selectable<ObjectStoreTable>;
export type CloudPlanRow = Selectable<CloudPlanTable>;

export interface CloudSchema {
  object_store: ObjectStoreTable;
  cloud_plan: CloudPlanTable;
  alarm_picture_copy: AlarmPictureCopyTable;
}
