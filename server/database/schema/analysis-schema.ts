// Types of the table of edge intelligence, by hand after migrations/*.sql. Times are milliseconds since 1970 UTC.
import type { AnalysisRegion } from '@vedette/contract/calls/analysis.ts';
import type { RecordPlanDay } from '@vedette/contract/calls/record-plan.ts';
import type { AnalysisAlgorithm, ObjectClass } from '@vedette/contract/enumerations.ts';
import type { ColumnType, Generated, Selectable } from 'kysely';

interface AnalysisTaskTable {
  task_id: string;
  channel_id: string;
  task_name: string;
  algorithm: AnalysisAlgorithm;
  /** Written as JSON text, read parsed. */
  regions: ColumnType<AnalysisRegion[], string, string>;
  classes: ObjectClass[];
  threshold: number;
  min_height: number;
  max_height: number;
  dwell_s: number;
  density_levels: number[];
  plan: ColumnType<RecordPlanDay[] | null, string | null, string | null>;
  holidays: string[];
  is_enabled: boolean;
  /** Null: the one that comes with the program. */
  model: string | null;
  version: Generated<number>;
  created_at: number;
}

export type AnalysisTaskRow = Selectable<AnalysisTaskTable>;

export interface AnalysisSchema {
  analysis_task: AnalysisTaskTable;
}
