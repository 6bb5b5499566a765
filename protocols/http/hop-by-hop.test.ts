// Fields that belong to one hop: the list of the standard, and what a message names itself.
import { expect, it } from 'vitest';
import { HOP_BY_HOP, namedByConnection } from './hop-by-hop.ts';

it('lists the fields of RFC 9110 7.6.1 as Node names them, in lower case', () => {
  const standard = ['Connection', 'Keep-Alive', 'Proxy-Connection', 'TE', 'Transfer-Encoding', 'Upgrade'];
  for (const name of standard) expect(HOP_BY_HOP.has(name.toLowerCase()), name).toBe(true);
  for (const name of HOP_BY_HOP) expect(name).toBe(name.toLowerCase());
  for (const name of ['host', 'content-length', 'cookie']) expect(HOP_BY_HOP.has(name), name).toBe(false);
});

it('reads the names of a Connection field in any case and spacing', () => {
  expect([...namedByConnection(' close ,X-Named,\tTE')]).toEqual(['close', 'x-named', 'te']);
  expect(namedByConnection(undefined).has('close')).toBe(false);
});
