// Tests of which tiles show two minutes ago.
import { beforeEach, expect, test } from 'vitest';
import { endReplay, toggleReplay, useReplays } from './replay-store.ts';

const GATE = { deviceSerial: 'GATE', channelNo: 1 };
const DOCK = { deviceSerial: 'DOCK', channelNo: 2 };
const NOW = 1_700_000_000_000;

beforeEach(() => useReplays.setState({}, true));

test('one call goes to two minutes ago, the next one back to live', () => {
  toggleReplay(GATE, NOW);
  toggleReplay(DOCK, NOW + 5000);
  expect(useReplays.getState()).toEqual({ 'GATE:1': NOW - 120_000, 'DOCK:2': NOW - 115_000 });
  toggleReplay(GATE, NOW + 9000);
  expect(useReplays.getState()).toEqual({ 'DOCK:2': NOW - 115_000 });
  endReplay(DOCK);
  endReplay(DOCK);
  expect(useReplays.getState()).toEqual({});
});
