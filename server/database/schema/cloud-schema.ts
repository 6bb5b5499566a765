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
  combo_type: 2 | 3;
  days: number;
  created_at: number;
}

export type ObjectStoreRow = Selectable<ObjectStoreTable>;
export type CloudPlanRow = Selectable<CloudPlanTable>;

export interface CloudSchema {
  object_store: ObjectStoreTable;
  cloud_plan: CloudPlanTable;
}
