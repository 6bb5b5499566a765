// The ring on the audio thread: every sample once and in order, resampled, silent without samples, and honest about where it stands.
import { beforeAll, describe, expect, test } from 'vitest';

interface Ring {
  readonly port: { onmessage: (event: { data: unknown }) => void };
  process(inputs: unknown, outputs: Float32Array[][]): boolean;
}

const DEVICE_RATE = 48_000;
const QUANTUM = 128;
let makeRing: () => Ring & { readonly reports: { wallMs: number; isSilent: boolean; starved: number }[] };

beforeAll(async () => {
  const reports: { wallMs: number; isSilent: boolean; starved: number }[] = [];
  let Processor: (new () => Ring) | null = null;
  Object.assign(globalThis, {
    sampleRate: DEVICE_RATE,
    currentTime: 0,
    AudioWorkletProcessor: class {
      port = { postMessage: (report: (typeof reports)[number]) => reports.push(report), onmessage: () => undefined };
    },
    registerProcessor: (_name: string, processor: new () => Ring) => {
      Processor = processor;
    },
  });
  await import('./audio-worklet.js');
  makeRing = () => {
    reports.length = 0;
    return Object.assign(new (Processor as unknown as new () => Ring)(), { reports });
  };
});

function render(ring: Ring, ms: number): number[] {
  const heard: number[] = [];
  for (let done = 0; done < (ms * DEVICE_RATE) / 1000; done += QUANTUM) {
    const output = [new Float32Array(QUANTUM), new Float32Array(QUANTUM)];
    ring.process([], [output]);
    heard.push(...(output[0] as Float32Array));
  }
  return heard;
}

function say(ring: Ring, data: unknown): void {
  ring.port.onmessage({ data });
}

function samples(count: number, at: (index: number) => number): Float32Array[] {
  return [Float32Array.from({ length: count }, (_, index) => at(index))];
}

describe('the audio ring buffer', () => {
  test('a tone of 8 kHz sampling comes out as the same tone at the device', () => {
    const ring = makeRing();
    say(ring, { type: 'format', rate: 8000, channels: 1 });
    const tone = (ms: number): number => Math.sin((ms / 1000) * 2 * Math.PI * 440);
    for (let part = 0; part < 10; part++) {
      say(ring, { type: 'samples', wallMs: part * 20, channels: samples(160, (index) => tone(part * 20 + index / 8)) });
    }
    const heard = render(ring, 180);
    const settled = heard.slice(480);
    const worst = Math.max(
      ...settled.map((value, index) => Math.abs(value - tone(((index + 480) * 1000) / DEVICE_RATE))),
    );
    expect(worst).toBeLessThan(0.05);
  });

  test('is silent without samples, says so, and goes on with those that come', () => {
    const ring = makeRing();
    say(ring, { type: 'format', rate: 8000, channels: 1 });
    say(ring, { type: 'samples', wallMs: 1000, channels: samples(160, () => 0.5) });
    const heard = render(ring, 200);
    expect(heard.slice(24 * 48).every((value) => value === 0)).toBe(true);
    expect(ring.reports.at(-1)).toMatchObject({ isSilent: true });
    expect(ring.reports.reduce((sum, { starved }) => sum + starved, 0)).toBeGreaterThan(100 * 48);
    say(ring, { type: 'samples', wallMs: 1020, channels: samples(1600, () => 0.5) });
    expect(render(ring, 60).at(-1)).toBeCloseTo(0.5);
    expect(ring.reports.at(-1)?.wallMs).toBeGreaterThan(1060);
    expect(ring.reports.at(-1)?.wallMs).toBeLessThan(1100);
  });

  test('skips and waits as instructed', () => {
    const ring = makeRing();
    say(ring, { type: 'format', rate: 8000, channels: 1 });
    say(ring, { type: 'samples', wallMs: 0, channels: samples(16_000, () => 0.5) });
    render(ring, 100);
    say(ring, { type: 'jump', ms: 500 });
    render(ring, 50);
    const at = ring.reports.at(-1)?.wallMs ?? 0;
    expect(Math.abs(at - 650)).toBeLessThan(45);
    say(ring, { type: 'jump', ms: -200 });
    expect(
      render(ring, 195)
        .slice(0, 190 * 48)
        .every((value) => value === 0),
    ).toBe(true);
    expect(render(ring, 50).at(-1)).toBeCloseTo(0.5);
  });

  test('plays faster by the ratio', () => {
    const ring = makeRing();
    say(ring, { type: 'format', rate: 8000, channels: 1 });
    say(ring, { type: 'ratio', ratio: 1.02 });
    say(ring, { type: 'samples', wallMs: 0, channels: samples(24_000, () => 0.1) });
    render(ring, 2000);
    const at = ring.reports.at(-1)?.wallMs ?? 0;
    expect(at).toBeGreaterThan(2000);
    expect(at).toBeLessThan(2045);
  });

  test('keeps the newest seconds when far more comes than is played', () => {
    const ring = makeRing();
    say(ring, { type: 'format', rate: 8000, channels: 1 });
    for (let part = 0; part < 100; part++) {
      say(ring, { type: 'samples', wallMs: part * 100, channels: samples(800, () => part / 1000) });
    }
    render(ring, 60);
    const at = ring.reports.at(-1)?.wallMs ?? 0;
    expect(at).toBeGreaterThan(6000);
  });

  test('one channel is heard on both sides, two stay apart', () => {
    const ring = makeRing();
    say(ring, { type: 'format', rate: 48_000, channels: 2 });
    say(ring, { type: 'samples', wallMs: 0, channels: [...samples(4800, () => 0.2), ...samples(4800, () => -0.4)] });
    const output = [new Float32Array(QUANTUM), new Float32Array(QUANTUM)];
    for (let count = 0; count < 4; count++) ring.process([], [output]);
    expect(output.map((side) => side.at(-1)?.toFixed(2))).toEqual(['0.20', '-0.40']);
  });
});
