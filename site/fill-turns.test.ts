// Proves that a free place goes to the piece wanted soonest and that nobody keeps the others out.
import { expect, test } from 'vitest';
import { FillTurns } from './fill-turns.ts';

const never = new AbortController().signal;
const piece = (round: number, from = 0) => ({ round, from, to: from + 1 });

test('places are handed to the lowest round, then to the newest', async () => {
  const turns = new FillTurns(1);
  const leave = await turns.enter(piece(0), never);
  const order: string[] = [];
  const all = [piece(2, 9), piece(1, 1), piece(1, 5)].map(async (wanted) => {
    const out = await turns.enter(wanted, never);
    order.push(`${wanted.round}/${wanted.from}`);
    out?.();
  });
  leave?.();
  await Promise.all(all);
  expect(order).toEqual(['1/5', '1/1', '2/9']);
});

test('channels that come again and again take turns', async () => {
  const turns = new FillTurns(2);
  const order: number[] = [];
  const channel = async (id: number) => {
    for (let round = 0; round < 5; round++) {
      const leave = await turns.enter(piece(round), never);
      order.push(round);
      await Promise.resolve();
      leave?.();
    }
    return id;
  };
  await Promise.all([0, 1, 2, 3, 4, 5].map(channel));
  expect(order.slice(0, 6)).toEqual([0, 0, 0, 0, 0, 0]);
  expect(order).toHaveLength(30);
});

test('who gives up waits no more and takes no place', async () => {
  const turns = new FillTurns(1);
  const leave = await turns.enter(piece(0), never);
  const closing = new AbortController();
  const waiting = turns.enter(piece(0), closing.signal);
  closing.abort();
  expect(await waiting).toBeNull();
  expect(await turns.enter(piece(0), closing.signal)).toBeNull();
  leave?.();
  expect(await turns.enter(piece(9), never)).not.toBeNull();
});
