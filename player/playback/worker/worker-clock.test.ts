// Steps that the page has not heard of stand against its older position, and fall to its seeks.
import { expect, test } from 'vitest';
import type { ClockState } from './clock-state.ts';
import { WorkerClock } from './worker-clock.ts';

const AT = 1_700_000_000_000;
const paused: ClockState = { wallMs: AT, atMs: 0, rate: 1, isRunning: false, isPlaying: false, jump: 1 };

function standing(): WorkerClock {
  const clock = new WorkerClock();
  clock.take(paused);
  return clock;
}

test('two quick steps are followed in order, and the clock never goes back', () => {
  const clock = standing();
  clock.stepTo(AT + 40);
  clock.stepTo(AT + 80);
  expect(clock.state.wallMs).toBe(AT + 80);
  // The pause of the second key, from before the page heard of the first.
  clock.take(paused);
  expect(clock.state.wallMs).toBe(AT + 80);
  clock.take({ ...paused, wallMs: AT + 40, jump: 2 });
  expect(clock.state).toMatchObject({ wallMs: AT + 80, jump: 2 });
  clock.take({ ...paused, wallMs: AT + 80, jump: 3 });
  expect(clock.state).toMatchObject({ wallMs: AT + 80, jump: 3 });
  clock.take({ ...paused, wallMs: AT + 5000, jump: 4 });
  expect(clock.state.wallMs).toBe(AT + 5000);
});

test('a seek or play supersedes steps that were not followed yet', () => {
  const sought = standing();
  sought.stepTo(AT + 40);
  sought.take({ ...paused, wallMs: AT + 9000, jump: 2 });
  expect(sought.state.wallMs).toBe(AT + 9000);
  const played = standing();
  played.stepTo(AT + 40);
  played.take({ ...paused, isPlaying: true, isRunning: true });
  expect(played.state.wallMs).toBe(AT);
  played.stepTo(AT + 80);
  expect(played.state.wallMs).toBe(AT);
});
