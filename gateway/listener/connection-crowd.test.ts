// Connections by address: limits hold, the oldest of the fullest address goes, proxies count by the total alone.

import { expect, it } from 'vitest';
import { ConnectionCrowd, type CrowdLimits } from './connection-crowd.ts';

function crowdOf(limits: CrowdLimits) {
  const crowd = new ConnectionCrowd(limits);
  const closed: string[] = [];
  const come = (key: string, name: string, isShared = false) => crowd.enter(key, isShared, () => closed.push(name));
  return { crowd, closed, come };
}

it('[SE-85] a newcomer beyond the limit of its address closes the oldest there, and nobody else', () => {
  const { crowd, closed, come } = crowdOf({ perAddress: 2, total: 100 });
  come('b', 'owner');
  for (const name of ['a1', 'a2', 'a3', 'a4']) come('a', name);
  expect(closed).toEqual(['a1', 'a2']);
  expect(crowd.size).toBe(3);
});

it('[SE-85] where all places are taken the oldest of the fullest address goes, never the newcomer', () => {
  const { crowd, closed, come } = crowdOf({ perAddress: 3, total: 5 });
  come('a', 'alone');
  for (const name of ['b1', 'b2', 'b3']) come('b', name);
  come('c', 'c1');
  come('d', 'd1');
  come('e', 'e1');
  expect(closed).toEqual(['b1', 'b2']);
  expect(crowd.size).toBe(5);
});

it('connections of a proxy count by the total alone', () => {
  const { closed, come } = crowdOf({ perAddress: 2, total: 6 });
  for (let nth = 1; nth <= 6; nth += 1) come('proxy', `p${nth}`, true);
  expect(closed).toEqual([]);
  come('proxy', 'p7', true);
  expect(closed).toEqual(['p1']);
});

it('a place that was left is free again, however often it is left, also after it was closed', () => {
  const { crowd, closed, come } = crowdOf({ perAddress: 1, total: 10 });
  const leaveFirst = come('a', 'a1');
  const leaveSecond = come('a', 'a2');
  leaveFirst();
  leaveSecond();
  leaveSecond();
  expect([crowd.size, closed]).toEqual([0, ['a1']]);
});
