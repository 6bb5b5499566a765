// Work of new connections in turns: few at a time, one address after the other, in order for each.

import { expect, it } from 'vitest';
import { createRoundRobinQueue } from './round-robin-queue.ts';

function slotsByHand(perTurn = 2) {
  const deferred: (() => void)[] = [];
  const add = createRoundRobinQueue({ perTurn, defer: (turn) => deferred.push(turn) });
  return { add, deferred, turn: () => deferred.shift()?.() };
}

it('[SE-85] an address that comes with a thousand at once delays another by one turn', () => {
  const { add, turn } = slotsByHand();
  const done: string[] = [];
  for (let nth = 0; nth < 1000; nth += 1) add('stranger', () => done.push(`s${nth}`));
  add('owner', () => done.push('owner'));
  turn();
  expect(done).toEqual(['s0', 'owner']);
  turn();
  expect(done).toEqual(['s0', 'owner', 's1', 's2']);
});

it('everything is done once, in order, and no turn is asked for without work', () => {
  const { add, deferred, turn } = slotsByHand(3);
  const done: number[] = [];
  for (let nth = 0; nth < 10; nth += 1) add(`address ${nth % 2}`, () => done.push(nth));
  for (let turns = 0; turns < 4; turns += 1) {
    expect(deferred).toHaveLength(1);
    turn();
  }
  expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(deferred).toHaveLength(0);
  add('address 0', () => done.push(10));
  turn();
  expect(done.at(-1)).toBe(10);
});
