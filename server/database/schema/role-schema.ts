// Types of the tables of roles, role assignments and device groups, by hand after the migrations.
import type { Generated, Selectable } from 'kysely';

export interface RoleTable {
  role_id: string;
  owner_id: string;
  role_name: string;
  role_name_key: string;
  permissions: string[];
  is_bound: boolean;
  version: Generated<number>;
  created_at: number;
}

export interface RoleResourceTable {
  role_id: string;
  organization_id: string | null;
  device_id: string | null;
  channel_no: number | null;
}

export interface DeviceGroupTable {
  group_id: string;
  owner_id: string;
  group_name: string;
  group_name_key: string;
  version: Generated<number>;
  created_at: number;
}

export interface RoleSchema {
  role: RoleTable;
  role_resource: RoleResourceTable;
  account_role: { account_id: string; role_id: string };
  account_organization: { account_id: string; organization_id: string };
  device_group: DeviceGroupTable;
  device_group_member: { owner_id: string; device_id: string; group_id: string };
}

export type RoleRow = Selectable<RoleTable>;
export type RoleResourceRow = Selectable<RoleResourceTable>;
export type DeviceGroupRow = Selectable<DeviceGroupTable>;
