// What the log keeps of an error, and what it leaves out.
import pg from 'pg';
import { expect, it } from 'vitest';
import { loggedError } from './log.ts';

it('[SE-98] an error of the database keeps its code, and neither values of rows nor the connection', () => {
  const refused = new pg.DatabaseError('duplicate key value violates unique constraint', 100, 'error');
  const detail = 'Key (user_name)=(ann) already exists.';
  Object.assign(refused, { code: '23505', detail, where: 'ann', client: { user: 'ann' } });
  const line = JSON.stringify(loggedError(refused));
  expect(line).not.toContain('ann');
  expect(JSON.parse(line)).toMatchObject({ code: '23505', message: refused.message });
});

it('tells what caused an error, and what was thrown that is no error', () => {
  const error = new Error('outer', { cause: new TypeError('inner') });
  expect(loggedError(error)).toMatchObject({ message: 'outer', cause: { type: 'TypeError', message: 'inner' } });
  expect(loggedError('only words')).toEqual({ message: 'only words' });
});
