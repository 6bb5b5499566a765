// A count of addresses: each once, none that is unknown, and no more than memory is given for.
import { expect, it } from 'vitest';
import { AddressCount } from './address-count.ts';

it('counts each address once, and stands still where they are too many', () => {
  const addresses = new AddressCount();
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.1', '']) addresses.note(address);
  expect(addresses.count).toBe(2);
  for (let at = 0; at < 20_000; at += 1) addresses.note(`2001:db8::${at.toString(16)}`);
  expect(addresses.count).toBe(10_000);
});
