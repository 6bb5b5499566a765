// What the operator is shown of the servers of the database.
import { expect, it } from 'vitest';
import { serverEntries } from './server-entries.ts';

const address = '10.0.0.1:8810';
const shown = (...given: Parameters<typeof serverEntries>) =>
  serverEntries(...given).map(({ name, state, reason }) => [name, state, reason]);

it('a server that is alone has none', () => expect(serverEntries(null)).toEqual([]));

it.each([
  ['connected', 'good', null],
  ['connecting', 'warning', 'serverUnreachable'],
  ['unreachable', 'warning', 'serverUnreachable'],
  ['foreign', 'bad', 'serverForeign'],
  ['refused', 'bad', 'serverRefused'],
] as const)('another one that is %s is %s', (state, judged, reason) => {
  const others = [{ address: '10.0.0.2:8810', state }];
  expect(shown({ refusal: null, address, others })).toEqual([['10.0.0.2:8810', judged, reason]]);
});

it.each([
  ['masterKeyDiffers', 'serverKeyDiffers'],
  ['clockDiffers', 'serverClockDiffers'],
  ['releaseDiffers', 'serverReleaseDiffers'],
] as const)('one that takes no part for %s says so of itself', (refusal, reason) =>
  expect(shown({ refusal, address, others: [] })).toEqual([[address, 'bad', reason]]));
