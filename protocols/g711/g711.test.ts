// Proves G.711 against the corner values of ITU-T G.711 and by a round trip of every code.
import { expect, test } from 'vitest';
import { decodeG711, encodeG711 } from './g711.ts';

test('corner values', () => {
  expect([...decodeG711('pcma', Uint8Array.of(0xd5, 0x55, 0xaa, 0x2a))]).toEqual([8, -8, 32256, -32256]);
  expect([...decodeG711('pcmu', Uint8Array.of(0xff, 0x7f, 0x80, 0x00))]).toEqual([0, 0, 32124, -32124]);
  expect([...encodeG711('pcma', Int16Array.of(0, -1, 32767, -32768))]).toEqual([0xd5, 0x55, 0xaa, 0x2a]);
  expect([...encodeG711('pcmu', Int16Array.of(0, 32767, -32768))]).toEqual([0xff, 0x80, 0x00]);
});

test('every code survives a round trip', () => {
  const codes = Uint8Array.from({ length: 256 }, (_, i) => i);
  expect([...encodeG711('pcma', decodeG711('pcma', codes))]).toEqual([...codes]);
  // 0x7f is minus zero and comes back as plus zero.
  expect([...encodeG711('pcmu', decodeG711('pcmu', codes))]).toEqual([...codes].map((c) => (c === 0x7f ? 0xff : c)));
});
