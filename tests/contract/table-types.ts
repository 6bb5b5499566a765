// The types by which queries know the tables, as a database gives and takes rows; named here alone for the test that holds them to the columns.
import type { Insertable, Selectable } from 'kysely';
import type { DatabaseSchema } from '../../server/database/schema/schema.ts';

export type ReadRows = { [T in keyof DatabaseSchema]: Selectable<DatabaseSchema[T]> };
export type WrittenRows = { [T in keyof DatabaseSchema]: Insertable<DatabaseSchema[T]> };
