// Sound beside its picture: the delay it aims at, how it gets there, and what it does not take for a measure.
import { describe, expect, test } from 'vitest';
import { AudioSync } from './audio-sync.ts';

/** Pieces of 20 ms that arrive evenly, each so late. */
function arriving(sync: AudioSync, delayMs: number, fromMs = 0): void {
  for (let now = fromMs; now < fromMs + 1000; now += 20) sync.arrived(delayMs, now);
}

describe('audio sync', () => {
  test('waits for slow video', () => {
    const sync = new AudioSync();
    arriving(sync, 30);
    sync.frameShown(180);
    expect(sync.targetMs).toBe(180);
    expect(sync.skewMs(200)).toBe(20);
  });

  test('stays slightly behind the latest audio when video is faster', () => {
    const sync = new AudioSync();
    for (let now = 0; now < 1000; now += 20) sync.arrived(now % 60 === 0 ? 70 : 30, now);
    sync.frameShown(15);
    expect(sync.targetMs).toBeGreaterThan(70);
    expect(sync.targetMs).toBeLessThan(100);
  });

  test('audio of a cached GOP does not affect the network estimate', () => {
    const sync = new AudioSync();
    for (let age = 2000; age > 40; age -= 20) sync.arrived(age, 0);
    expect(sync.targetMs).toBeLessThan(250);
    expect(sync.arrived(1500, 500)).toBe(false);
    arriving(sync, 30, 5000);
    expect(sync.targetMs).toBeLessThan(60);
  });

  test('an underrun increases the delay, and stability reduces it again', () => {
    const sync = new AudioSync();
    arriving(sync, 30);
    const before = sync.targetMs;
    sync.ranDry();
    expect(sync.targetMs).toBeGreaterThan(before + 20);
    for (let second = 1; second < 60; second++) arriving(sync, 30, second * 1000);
    expect(sync.targetMs).toBeLessThan(before + 5);
  });

  test('forgets bad network conditions after some seconds', () => {
    const sync = new AudioSync();
    arriving(sync, 300);
    expect(sync.targetMs).toBeGreaterThan(300);
    arriving(sync, 40, 6000);
    expect(sync.targetMs).toBeLessThan(60);
  });

  test('corrects a small error by playback rate, a large one by a jump', () => {
    const sync = new AudioSync();
    arriving(sync, 30);
    sync.frameShown(100);
    expect(sync.correct(102)).toEqual({ kind: 'ratio', ratio: 1 });
    const late = sync.correct(140);
    expect(late.kind === 'ratio' && late.ratio > 1 && late.ratio <= 1.02).toBe(true);
    const early = sync.correct(60);
    expect(early.kind === 'ratio' && early.ratio < 1 && early.ratio >= 0.98).toBe(true);
    expect(sync.correct(400)).toEqual({ kind: 'jump', ms: 300 });
    expect(sync.correct(0)).toEqual({ kind: 'jump', ms: -100 });
  });
});
