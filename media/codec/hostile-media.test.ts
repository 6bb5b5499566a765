// Media that would make ffmpeg read a file or call somebody, and a tool that multiplies: every use of ffmpeg, with the real one.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { constants } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitFor } from '../../tests/harness/wait-for.ts';
import { burnInArguments } from '../export/burn-in-arguments.ts';
import { AacEncoder } from './aac-encoder.ts';
import { decodedFramesArguments } from './decoded-frames-arguments.ts';
import { type FfmpegProcess, ffmpegStarter, findFfmpeg, type StartFfmpeg } from './ffmpeg-process.ts';
import { KeyframeDecoder } from './keyframe-decoder.ts';
import { transcodeArguments } from './transcode-arguments.ts';

const PATH = process.env['PATH'] ?? '';
const start = ffmpegStarter(findFfmpeg('ffmpeg', PATH) ?? 'ffmpeg', PATH);

let folder: string;
let called: Server;
let calls = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostile-media-'));
  // Whoever opens it to read is noticed: it then has a reader.
  execFileSync('mkfifo', [join(folder, 'secret')]);
  called = createServer((socket) => {
    calls += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => called.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  called?.close();
  await rm(folder, { recursive: true, force: true });
});

/** The arguments with which a part of ours starts ffmpeg. */
function argumentsOf(begin: (started: StartFfmpeg) => { close?: () => void; kill?: () => void }): readonly string[] {
  let given: readonly string[] = [];
  const part = begin((args) => {
    given = args;
    return start(args);
  });
  part.close?.();
  part.kill?.();
  return given;
}

const audio = { codec: 'pcma', codecString: 'pcma', sampleRate: 8000, channels: 1, config: Buffer.alloc(0) } as const;
const shape = (codec: 'h264' | 'h265', output: 'jpeg' | 'grey') =>
  argumentsOf((started) => new KeyframeDecoder({ codec, output, width: 64, height: 36 }, started));
const USES: readonly (readonly [string, () => readonly string[]])[] = [
  ['a snapshot of H.264', () => shape('h264', 'jpeg')],
  ['a sample of H.265', () => shape('h265', 'grey')],
  ['a transcode', () => transcodeArguments(480)],
  [
    'the sound of a transcode',
    () => argumentsOf((started) => new AacEncoder({ audio, start: started, onFrame: () => undefined })),
  ],
  ['pictures for the analyst', () => decodedFramesArguments({ width: 64, height: 36 }, 4)],
  ['a burn-in', burnInArguments],
];

function hostileMedia(): readonly (readonly [string, string])[] {
  const { port } = called.address() as { port: number };
  const [file, url] = [join(folder, 'secret'), `http://127.0.0.1:${port}/x.ts`];
  const segments = [file, `file://${file}`, url].map((name) => `#EXTINF:1,\n${name}\n`).join('');
  const session = `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video ${port} TCP 96\n`;
  return [
    ['a playlist', `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n${segments}#EXT-X-ENDLIST\n`],
    ['a list of files', `ffconcat version 1.0\nfile 'file:${file}'\nfile '${file}'\nfile '${url}'\n`],
    ['a session description', session],
    ['a manifest', `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><BaseURL>${url}</BaseURL></MPD>`],
  ];
}

/** ENXIO: no process has it open. */
async function isBeingRead(): Promise<boolean> {
  try {
    await (await open(join(folder, 'secret'), constants.O_WRONLY | constants.O_NONBLOCK)).close();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENXIO') return false;
    throw error;
  }
}

/** Whether it opened the file before it ended by itself. */
async function runOn(args: readonly string[], media: string): Promise<boolean> {
  const tool: FfmpegProcess = start(args, { folder });
  tool.output.resume();
  // Some probe a few kilobytes before they begin.
  tool.input.end(media + '\n'.repeat(20_000));
  let [hasEnded, wasRead] = [false, false];
  void tool.ended.then(() => {
    hasEnded = true;
  });
  await waitFor(
    'ffmpeg to end',
    async () => {
      wasRead ||= await isBeingRead();
      return hasEnded || wasRead;
    },
    15_000,
  );
  tool.kill();
  // Else it would still have the file open when the next one is looked at.
  await tool.ended;
  return wasRead;
}

it('[SE-73] an ffmpeg that may guess what it is given opens the file', async () => {
  const [, [, list] = ['', '']] = hostileMedia();
  const args = ['-v', 'error', '-nostdin', '-protocol_whitelist', 'pipe,file', '-safe', '0', '-f', 'concat'];
  expect(await runOn([...args, '-i', 'pipe:0', '-f', 'null', '-'], list)).toBe(true);
});

it.each(
  USES,
)('[SE-73] [GO-14] (FFmpeg HLS 2016) %s opens no file and calls nobody, whatever the media say', async (_, args) => {
  const before = calls;
  for (const [name, media] of hostileMedia()) expect(await runOn(args(), media), name).toBe(false);
  expect(calls).toBe(before);
});

it('[SE-71] a tool that hangs and multiplies is ended with all that it started', async () => {
  const tool = join(folder, 'storm');
  const mark = `86400.${process.pid}`;
  await writeFile(tool, `#!/bin/sh\ntrap '' TERM INT HUP\nfor one in $(seq 40); do sleep ${mark} & done\nwait\n`);
  await chmod(tool, 0o755);
  const running = ffmpegStarter(tool, PATH)([]);
  const children = (): number => {
    const { stdout } = spawnSync('pgrep', ['-fc', `sleep ${mark}`], { encoding: 'utf8' });
    return Number(stdout);
  };
  await waitFor('its children', () => Promise.resolve(children() >= 40), 10_000);
  running.kill();
  await running.ended;
  await waitFor('their end', () => Promise.resolve(children() === 0), 5000);
  // Once more is nothing.
  running.kill();
});
