// Tests of StartTLS: what of an answer is read before TLS, and what is refused.
import { expect, it } from 'vitest';
import { messageLength } from './start-tls.ts';

it.each<[string, string, number | null]>([
  ['nothing yet', '', 0],
  ['a tag alone', '30', 0],
  ['a length that is not whole', '3082', 0],
  ['a short length', '300c02010178', 14],
  ['a length of two bytes', '3082010000', 260],
  ['no message of LDAP', '485454502f', null],
  ['a length without an end', '3080', Number.MAX_SAFE_INTEGER],
  ['a length of eight bytes', '3088ffffffffffffffff', Number.MAX_SAFE_INTEGER],
])('knows how long a message is: %s', (_what, hex, length) => {
  expect(messageLength(Buffer.from(hex, 'hex'))).toBe(length);
});
