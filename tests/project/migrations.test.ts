// Each migration since 0.1.0 says in its first line whether the version before can work with what it changes.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isAdditive, listMigrations } from '../../server/database/migrate.ts';

const FOLDER = new URL('../../server/database/migrations/', import.meta.url);
/** There is no version before 0.1.0 to go back to. */
const LAST_OF_FIRST_RELEASE = '0032_audit_detail.sql';
/** What breaks the statements of an older server. */
const TAKES_AWAY =
  /\b(?:DROP (?:TABLE|COLUMN)|RENAME|ALTER COLUMN \w+ TYPE|ADD COLUMN (?:(?!DEFAULT|;)[^;])*NOT NULL(?:(?!DEFAULT|;)[^;])*;)/i;

const later = listMigrations()
  .filter((name) => name > LAST_OF_FIRST_RELEASE)
  .map((name) => ({ name, text: readFileSync(new URL(name, FOLDER), 'utf8') }));

it('a migration begins with "-- additive", or with "-- not additive: " and the reason', () => {
  expect(later.length).toBeGreaterThan(5);
  const unmarked = later.filter(({ text }) => !isAdditive(text) && !/^-- not additive: \S/.test(text));
  expect(unmarked.map(({ name }) => name)).toEqual([]);
});

it('an additive one takes nothing away', () => {
  const wrong = later.filter(({ text }) => isAdditive(text) && TAKES_AWAY.test(text));
  expect(wrong.map(({ name }) => name)).toEqual([]);
  for (const planted of [
    'ALTER TABLE a DROP COLUMN b;',
    'ALTER TABLE a ADD COLUMN b text NOT NULL;',
    'ALTER TABLE a ALTER COLUMN b TYPE text;',
  ])
    expect(TAKES_AWAY.test(planted), planted).toBe(true);
  expect(TAKES_AWAY.test("ALTER TABLE a ADD COLUMN b text NOT NULL DEFAULT '';")).toBe(false);
});
