// Types of the table of work leases, by hand after migrations/*.sql. Times are milliseconds since 1970 UTC.
import type { Selectable } from 'kysely';

interface WorkLeaseTable {
  name: string;
  /** Null: nobody does the work. */
  holder: string | null;
  epoch: number;
  /** By the clock of the database. */
  until: number;
}

export type WorkLeaseRow = Selectable<WorkLeaseTable>;

export interface WorkLeaseSchema {
  work_lease: WorkLeaseTable;
}
