// What the log keeps of an error, and what it omits.
import pg from 'pg';
import { expect, it } from 'vitest';
import { loggedError } from './log.ts';

it('[SE-98] logs the code of a database error, but no row values and no connection', () => {
  const refused = new pg.DatabaseError('duplicate key value violates unique constraint', 100, 'error');
  const detail = 'Key (user_name)=(ann) already exists.';
  Object.assign(refused, { code: '23505', detail, where: 'ann', client: { user: 'ann' } });
  const line = JSON.stringify(loggedError(refused));
  expect(line).not.toContain('ann');
  expect(JSON.parse(line)).toMatchObject({ code: '23505', message: refused.message });
});

it('logs the cause of an error, and thrown values that are no errors', () => {
  const error = new Error('outer', { cause: new TypeError('inner') });
  expect(loggedError(error)).toMatchObject({ message: 'outer', cause: { type: 'TypeError', message: 'inner' } });
  expect(loggedError('only words')).toEqual({ message: 'only words' });
});
