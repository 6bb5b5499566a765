// Types of the tables of floor plans, by hand after migrations/*.sql. Times are milliseconds since 1970 UTC.
import type { FLOOR_PLAN_PICTURE_TYPES } from '@vedette/contract/calls/floor-plan.ts';
import type { Generated, Selectable } from 'kysely';

interface FloorPlanTable {
  floor_plan_id: string;
  organization_id: string;
  plan_name: string;
  plan_name_key: string;
  picture_type: (typeof FLOOR_PLAN_PICTURE_TYPES)[number];
  picture: Buffer;
  picture_at: number;
  width: number;
  height: number;
  version: Generated<number>;
  created_at: number;
  changed_at: number;
}

interface FloorPlanCameraTable {
  floor_plan_id: string;
  channel_id: string;
  x: number;
  y: number;
  direction: number;
  view_angle: number;
}

export type FloorPlanRow = Omit<Selectable<FloorPlanTable>, 'picture' | 'plan_name_key' | 'created_at'>;

export interface FloorPlanSchema {
  floor_plan: FloorPlanTable;
  floor_plan_camera: FloorPlanCameraTable;
}
