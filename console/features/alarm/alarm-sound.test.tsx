// The sound of alarms: off at first, kept, and never twice within five seconds however many come.
import { beforeEach, expect, it, vi } from 'vitest';
import { SOUND_EVERY_MS, setAlarmSound, soundAlarm, useAlarmSound } from './alarm-sound.ts';

const starts: number[] = [];

class FakeAudio {
  readonly currentTime = 0;
  readonly destination = {};
}
class FakeNode {
  connect<T>(to: T): T {
    return to;
  }
  start(at: number): void {
    starts.push(at);
  }
  stop(): void {}
}

beforeEach(() => {
  vi.stubGlobal('AudioContext', FakeAudio);
  vi.stubGlobal('OscillatorNode', FakeNode);
  vi.stubGlobal('GainNode', FakeNode);
  starts.length = 0;
});

it('sounds at most once in five seconds, only where it is switched on', () => {
  expect(soundAlarm(0)).toBe(false);
  setAlarmSound(true);
  expect(localStorage.getItem('vedette.alarmSound')).toBe('on');
  const heard: number[] = [];
  for (let now = 0; now <= 20_000; now += 100) if (soundAlarm(now)) heard.push(now);
  expect(heard).toEqual([0, SOUND_EVERY_MS, 2 * SOUND_EVERY_MS, 3 * SOUND_EVERY_MS, 4 * SOUND_EVERY_MS]);
  expect(starts.length, 'two tones each').toBe(heard.length * 2);
  setAlarmSound(false);
  expect([soundAlarm(60_000), useAlarmSound.getState().isOn]).toEqual([false, false]);
});
