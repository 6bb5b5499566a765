// Whether a master key fits a database that does not name its key yet.
import { SecretBox } from '../core/secret-box.ts';
import type { Database } from '../database/connection.ts';
import { hasColumn, sealedRows } from '../database/sealed-value.queries.ts';
import { SEALED_COLUMNS } from './sealed-columns.ts';

/** One value of each kind is looked at: a single damaged one says nothing about the key. True where there is none. */
export async function opensStored(database: Database, masterKey: Buffer): Promise<boolean> {
  const box = new SecretBox({ masterKey });
  let found = 0;
  for (const place of SEALED_COLUMNS) {
    if (!(await hasColumn(database, place))) continue;
    const [row] = await sealedRows(database, place, { after: undefined, limit: 1 });
    if (row === undefined) continue;
    found += 1;
    const rowIds = place.boundTo(...place.key.map((name) => row[name] ?? ''));
    if (rowIds.some((rowId) => opens(box, row.sealed, rowId))) return true;
  }
  return found === 0;
}

function opens(box: SecretBox, sealed: Buffer, rowId: string): boolean {
  try {
    box.open(sealed, rowId);
    return true;
  } catch {
    return false; // another key, or damaged
  }
}
