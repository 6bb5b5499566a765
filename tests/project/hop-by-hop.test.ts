// Front and media tunnel drop the same hop-by-hop headers: the launcher imports no other room, so each has the list.
import { HOP_BY_HOP } from '../../site/media-tunnel/relayed-headers.ts';
import { expect, it } from 'vitest';
import { hopByHop } from '../../launcher/front/headers.js';

it('lists the same headers in both, in lower case', () => {
  expect([...HOP_BY_HOP].sort()).toEqual([...hopByHop].sort());
  expect([...HOP_BY_HOP].every((name) => name === name.toLowerCase())).toBe(true);
});
