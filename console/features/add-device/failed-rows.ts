// What of a CSV file was not added, as a file of its own that is sent again.
import type { DeviceImport } from '@vedette/contract/calls/onboarding.ts';
import { parseCsv, unguardCell, writeCsv } from '@vedette/rules/csv/csv.ts';

/** Of an import that has ended. */
export function failedLines(task: Pick<DeviceImport, 'mode' | 'state' | 'rowList'> | null): ReadonlySet<number> {
  const rows = task?.mode === 'apply' && task.state !== 'running' ? task.rowList : [];
  return new Set(rows.filter(({ state }) => state === 'failed').map(({ line }) => line));
}

/** The header and these lines alone. */
export function linesOf(csv: string, wanted: ReadonlySet<number>): string {
  const { rows, lines } = parseCsv(csv);
  const kept = rows.filter((_, at) => at === 0 || wanted.has(lines[at] ?? 0));
  // As it was read: writing guards it anew.
  return writeCsv(kept.map((cells) => cells.map(unguardCell)));
}
