// Types of the table of trials, by hand after migrations/*.sql. Times are milliseconds since 1970 UTC.
import type { TrialQuota } from '@vedette/contract/quotas.ts';
import type { ColumnType, Selectable } from 'kysely';

export interface TrialExtra {
  readonly quota: TrialQuota;
  readonly amount: number;
}

interface TrialTable {
  trial_id: string;
  account_id: string;
  /** Written as JSON text, read parsed. */
  extras: ColumnType<TrialExtra[], string, string>;
  days: number;
  note: string;
  applied_at: number;
  decided_at: number | null;
  ends_at: number | null;
}
export type TrialRow = Selectable<TrialTable>;

export interface TrialSchema {
  trial: TrialTable;
}
