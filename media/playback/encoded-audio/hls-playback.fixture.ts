// Recordings of a synthetic stream, served as HLS with encoded audio, and what ffmpeg makes of the whole playlist.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { run } from '../../../tests/harness/ffprobe.ts';
import { CodecWorker } from '../../codec/codec-worker.ts';
import { findFfmpeg, ffmpegStarter, type StartFfmpeg } from '../../codec/ffmpeg-process.ts';
import { recordClip } from '../../recorder/file-recorder.fixture.ts';
import type { SyntheticOptions } from '../../recorder/synthetic-stream.fixture.ts';
import { createDisk } from '../../recordings/disk.ts';
import { RecordingsStore } from '../../recordings/recordings-store.ts';
import { Snapshots } from '../../snapshot/snapshots.ts';
import { StreamHub } from '../../stream/hub.ts';
import { createPlaybackEndpoint, type PlaybackEndpoint } from '../playback-endpoint.ts';
import type { PlaybackRange } from '../playback-grant.ts';
import { RecordedAac } from './recorded-aac.ts';

export const KEY = { channelId: 'cam1', quality: 0 } as const;
const TICKET = 'ticket_of_twenty_characters';
const PATH = process.env['PATH'] ?? '';
/** Of the decoded audio. */
export const RATE = 16_000;

export function startFfmpeg(): StartFfmpeg {
  const path = findFfmpeg('ffmpeg', PATH);
  if (path === null) throw new Error('these tests need ffmpeg');
  return ffmpegStarter(path, PATH);
}

export class HlsPlayback {
  readonly disk = createDisk();
  readonly folder: string;
  readonly store: RecordingsStore;
  readonly failures: unknown[] = [];
  /** Ahead of the system's clock. */
  leapMs = 0;
  range: PlaybackRange = { startTime: 0, endTime: 0 };
  #server: Server | null = null;
  #endpoint: PlaybackEndpoint | null = null;

  private constructor(folder: string) {
    this.folder = folder;
    this.store = new RecordingsStore({ disk: this.disk, folder });
  }

  static async create(start: StartFfmpeg | null = startFfmpeg()): Promise<HlsPlayback> {
    const bench = new HlsPlayback(await mkdtemp(join(tmpdir(), 'encoded-audio-')));
    await bench.serve(start);
    return bench;
  }

  /** Anew, with nothing encoded yet. */
  async serve(start: StartFfmpeg | null): Promise<void> {
    this.#stop();
    const onFailure = (error: unknown): void => void this.failures.push(error);
    const hub = new StreamHub({ clock: systemClock, onConsumerFailure: onFailure, lingerMs: 0 });
    const codec = new CodecWorker({ start: null, clock: systemClock, decoders: 1 });
    const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + this.leapMs };
    const store = () => this.store;
    const snapshots = { codec, hub, disk: this.disk, store, clock: systemClock, onDeviceFailure: onFailure };
    const endpoint = createPlaybackEndpoint({
      disk: this.disk,
      store,
      hub,
      monotonicMs: () => performance.now(),
      authorise: () => ({
        allowed: true,
        sessionId: 'session1',
        kind: 'recorded',
        key: KEY,
        range: this.range,
        upstream: null,
        deviceSnapshot: null,
        ended: new AbortController().signal,
        hold: () => () => undefined,
      }),
      onFailure,
      playableAudio: (upstream) => upstream,
      recordedAac: start && new RecordedAac({ start, clock, atOnce: 2, onFailure }),
      snapshots: new Snapshots(snapshots),
    });
    const server = createServer((request, response) => {
      if (!endpoint.handle(request, response)) response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    [this.#server, this.#endpoint] = [server, endpoint];
  }

  async record(clip: SyntheticOptions): Promise<void> {
    await recordClip({ ...this, key: KEY }, clip);
  }

  get playlistUrl(): string {
    return this.url('index.m3u8');
  }

  url(name: string): string {
    const address = this.#server?.address() as AddressInfo | undefined;
    return `http://127.0.0.1:${address?.port}/media/hls/${TICKET}/${name}`;
  }

  async playlist(): Promise<string> {
    return await (await fetch(this.playlistUrl)).text();
  }

  async segmentNames(): Promise<string[]> {
    return (await this.playlist()).match(/^[\w-]+\.m4s$/gm) ?? [];
  }

  async bytesOf(name: string): Promise<Buffer> {
    const answer = await fetch(this.url(name));
    if (answer.status !== 200) throw new Error(`${name} answered ${answer.status}`);
    return Buffer.from(await answer.arrayBuffer());
  }

  /** Of the whole playlist, seconds. */
  async audioTimes(): Promise<number[]> {
    const entries = ['-select_streams', 'a', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0'];
    const { stdout } = await run('ffprobe', ['-v', 'error', ...entries, this.playlistUrl]);
    return stdout.split('\n').filter(Boolean).map(Number.parseFloat);
  }

  /** Samples −1 to 1 of the whole playlist as its frames follow each other. */
  async decoded(): Promise<Float32Array> {
    const args = ['-v', 'error', '-i', this.playlistUrl, '-map', '0:a', '-f', 'f32le', '-ac', '1', '-'];
    const { bytes, stderr } = await run('ffmpeg', args);
    if (stderr !== '') throw new Error(stderr);
    return new Float32Array(Uint8Array.from(bytes).buffer);
  }

  /** Fails the test that let something fail. */
  async remove(): Promise<void> {
    this.#stop();
    await rm(this.folder, { recursive: true, force: true });
    if (this.failures.length > 0) throw new AggregateError(this.failures, 'playback failed');
  }

  #stop(): void {
    this.#endpoint?.close();
    this.#server?.close();
  }
}
