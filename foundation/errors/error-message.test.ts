// Tests of reading what was thrown.
import { expect, it } from 'vitest';
import { errorCode, errorMessage } from './error-message.ts';

it('reads the message and code of errors and of anything else that is thrown', () => {
  expect(errorMessage(new Error('broken'))).toBe('broken');
  expect(errorMessage('text')).toBe('text');
  expect(errorCode(Object.assign(new Error('no file'), { code: 'ENOENT' }))).toBe('ENOENT');
  expect(errorCode(Object.assign(new Error('http'), { code: 404 }))).toBeNull();
  expect(errorCode(new Error('plain'))).toBeNull();
  expect(errorCode(null)).toBeNull();
});
