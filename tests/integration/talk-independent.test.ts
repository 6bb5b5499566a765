// Talk to a third-party camera: GStreamer's ONVIF server takes the back channel and decodes it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import {
  askBackChannel,
  type BackChannelOptions,
  NoBackChannel,
  openBackChannel,
} from '@vedette/media/talk/back-channel.ts';
import { TalkPacer } from '../../media/talk/talk-pacer.ts';
import { encodeG711 } from '@vedette/protocols/g711/g711.ts';
import { dialDirect } from '@vedette/protocols/rtsp/dial.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stopChild } from '../harness/gstreamer.ts';
import { waitFor } from '../harness/wait-for.ts';

const TONE_HZ = 500;

let camera: ChildProcess;
let port = 0;
let heard: Buffer = Buffer.alloc(0);

beforeAll(async () => {
  const script = new URL('../peers/gstreamer-talk.py', import.meta.url).pathname;
  const child = spawn('/usr/bin/python3', [script], { stdio: ['ignore', 'pipe', 'ignore', 'pipe'] });
  camera = child;
  const [line] = (await once(child.stdout as Readable, 'data')) as [Buffer];
  ({ port } = JSON.parse(line.toString()) as { port: number });
  // Apart from what it prints: an odd byte among the samples would turn sound into noise.
  (child.stdio[3] as Readable).on('data', (bytes: Buffer) => {
    heard = Buffer.concat([heard, bytes]);
  });
});

afterAll(async () => {
  if (camera) await stopChild(camera);
});

function target(path: string): BackChannelOptions {
  return {
    url: `rtsp://127.0.0.1:${port}${path}`,
    credentials: null,
    dial: (request) => dialDirect(request),
    clock: systemClock,
    clientNonce: () => 'nonce',
    signal: new AbortController().signal,
  };
}

function tone(samples: number): Int16Array {
  return Int16Array.from({ length: samples }, (_, n) =>
    Math.round(12_000 * Math.sin((2 * Math.PI * TONE_HZ * n) / 8000)),
  );
}

function pitchOf(samples: readonly number[]): number {
  const crossings = samples.filter((sample, at) => at > 0 && sample >= 0 !== (samples[at - 1] ?? 0) >= 0).length;
  return (crossings / 2) * (8000 / samples.length);
}

it.each([
  ['pcmu', 'tcp'],
  ['pcma', 'tcp'],
  ['pcmu', 'udp'],
] as const)('[LV-04] a third-party ONVIF camera receives the tone: %s over %s', async (codec, transport) => {
  heard = Buffer.alloc(0);
  const way = target(`/${codec}#transport=${transport}`);
  expect(await askBackChannel(way)).toBe(codec);
  const ended: unknown[] = [];
  const line = await openBackChannel(way, (error) => ended.push(error));
  const { payloadType } = line;
  const pacer = new TalkPacer({ clock: systemClock, payloadType, seed: 7, send: (packet) => line.send(packet) });
  const sound = Buffer.from(encodeG711(codec, tone(160)));
  // 160 samples hold whole periods of the tone, so frames join without a click.
  const speaking = setInterval(() => pacer.push(Buffer.concat([sound, sound])), 40);
  try {
    // On a busy machine a frame may come late, which is heard as a click; the next half second is whole.
    await waitFor(`half a second of the tone, heard ${heard.length} bytes`, () => {
      if (heard.length < 16_000) return false;
      const end = heard.length & ~1;
      const samples = Array.from({ length: 4000 }, (_, n) => heard.readInt16LE(end - 8000 + 2 * n));
      return Math.abs(pitchOf(samples) - TONE_HZ) < 5 && Math.max(...samples) > 10_000;
    });
  } finally {
    clearInterval(speaking);
    pacer.close();
    await line.close();
  }
  expect(ended).toEqual([]);
});

it('a camera without a loudspeaker says so, and no session stays open', async () => {
  await expect(askBackChannel(target('/none'))).rejects.toThrow(NoBackChannel);
  await expect(openBackChannel(target('/none'), () => undefined)).rejects.toThrow(NoBackChannel);
});
