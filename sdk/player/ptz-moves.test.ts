// Held moves against a server that answers as it is told.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PtzMoves } from './ptz-moves.ts';
import type { ServerCalls } from './server-calls.ts';

const CHANNEL = { deviceSerial: 'D1', channelNo: 1 };

function moving(answer: () => Promise<object> = () => Promise.resolve({})) {
  const sent: string[] = [];
  const failures: unknown[] = [];
  const call = (path: string, { command }: { command: string }): Promise<object> => {
    sent.push(`${path} ${command}`);
    return answer();
  };
  const calls = { call } as unknown as ServerCalls;
  const moves = new PtzMoves({ calls, channel: CHANNEL, onFailure: (failure) => failures.push(failure) });
  return { moves, sent, failures };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('begins once, is renewed within its ten seconds, and ends when it is let go', async () => {
  const { moves, sent } = moving();
  moves.start('left', 5);
  moves.start('left', 5);
  await vi.advanceTimersByTimeAsync(9000);
  expect(sent).toEqual(['ptz/start left', 'ptz/start left', 'ptz/start left']);
  moves.stop('left');
  moves.stop('left');
  await vi.advanceTimersByTimeAsync(9000);
  expect(sent.slice(3)).toEqual(['ptz/stop left']);
});

it('a tap before the first answer is a start and its stop, in that order', async () => {
  const { promise, resolve } = Promise.withResolvers<object>();
  const { moves, sent } = moving(() => promise);
  moves.start('up', 5);
  moves.stop('up');
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual(['ptz/start up']);
  resolve({});
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual(['ptz/start up', 'ptz/stop up']);
});

it('what is refused is told once and not tried again', async () => {
  const refusal = new Error('refused');
  const { moves, sent, failures } = moving(() => Promise.reject(refusal));
  moves.start('up', 5);
  await vi.advanceTimersByTimeAsync(20_000);
  moves.stop('up');
  await vi.advanceTimersByTimeAsync(0);
  expect([sent, failures]).toEqual([['ptz/start up'], [refusal]]);
});
