// One camera pulled, shared and recorded by the engine in the test's process, with its counters and files.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '@vedette/foundation/time/clock.ts';
import { Recorder } from '@vedette/media/recorder/recorder.ts';
import { createDisk } from '@vedette/media/recordings/disk.ts';
import type { FileIndex } from '../../media/recordings/index-record.ts';
import { mediaPath } from '@vedette/media/recordings/recording-path.ts';
import { RecordingsStore } from '@vedette/media/recordings/recordings-store.ts';
import { openRtspSource } from '@vedette/media/source/rtsp-source.ts';
import type { RtspSourceOptions } from '../../media/source/rtsp-source-options.ts';
import { SignInLimiter } from '@vedette/media/source/sign-in-limiter.ts';
import type { OpenSource } from '@vedette/media/stream/source.ts';
import { StreamHub, type StreamLease } from '@vedette/media/stream/hub.ts';
import type { AccessUnit, DiscontinuityReason, MediaFormat, SourceState } from '@vedette/media/stream/stream.ts';
import { dialDirect } from '@vedette/protocols/rtsp/dial.ts';
import type { StripContent } from '../../virtual-devices/scene/painting/strip.ts';
import { CAMERA_ACCOUNT } from './counted-camera.ts';
import { countedFrames } from './counted-frames.ts';

export interface RigOptions {
  readonly url: string;
  readonly clock?: Clock;
  readonly credentials?: RtspSourceOptions['credentials'];
  readonly signInGate?: SignInLimiter;
  readonly askForKey?: () => Promise<void>;
}

export interface SeenState {
  readonly state: SourceState;
  readonly atMs: number;
}

export interface SeenAccessUnit {
  readonly unit: AccessUnit;
  readonly atMs: number;
}

export interface RecordedFile {
  readonly path: string;
  readonly startMs: number;
  readonly index: FileIndex;
}

const KEY = { channelId: 'rig', quality: 0 } as const;
const TICK_MS = 250;

export class RecordingRig {
  readonly hub: StreamHub;
  readonly states: SeenState[] = [];
  readonly formats: MediaFormat[] = [];
  readonly breaks: DiscontinuityReason[] = [];
  /** Pictures as consumers got them; without their bytes. */
  readonly accessUnits: SeenAccessUnit[] = [];
  /** Units of the format that came last. */
  sinceFormat = { pictures: 0, sounds: 0 };
  readonly faults: unknown[] = [];
  readonly #folder: string;
  readonly #store: RecordingsStore;
  readonly #recorder: Recorder;
  readonly #lease: StreamLease;
  readonly #ticking: NodeJS.Timeout;
  #isClosed = false;

  private constructor(folder: string, options: RigOptions) {
    const { url, clock = systemClock, credentials = CAMERA_ACCOUNT, askForKey: askForKeyframe } = options;
    const disk = createDisk();
    this.#folder = folder;
    this.#store = new RecordingsStore({ disk, folder });
    this.hub = new StreamHub({ clock, onConsumerFailure: (_, error) => this.faults.push(error) });
    const open: OpenSource = (consumer) =>
      openRtspSource({
        url,
        credentials,
        dial: (request) => dialDirect(request),
        clock,
        random: Math.random,
        clientNonce: () => 'rig',
        signInLimiter: options.signInGate ?? new SignInLimiter(clock),
        consumer,
        ...(askForKeyframe && { askForKeyframe }),
      });
    this.#lease = this.hub.acquire('rig', open);
    let runs = 0;
    const store = this.#store;
    this.#recorder = new Recorder({
      disk,
      key: KEY,
      sink: {
        folderForWriting: () => folder,
        opened: (key, file) => store.opened(key, file),
        stored: (key, file) => store.stored(key, file),
        closed: (key, file) => store.closed(key, file),
        failed: (error) => this.faults.push(error),
      },
      monotonicMs: () => clock.monotonicMs(),
      wait: (ms) => new Promise((resolve) => clock.after(ms, resolve)),
      newRunId: () => {
        runs += 1;
        return runs;
      },
      onFault: (error) => this.faults.push(error),
    });
    this.stream.addConsumer(this.#recorder);
    // As patient as the recorder: cameras are read in rounds, as those are that are recorded and not watched.
    this.stream.addConsumer({
      isPatient: true,
      format: (format) => {
        this.formats.push(format);
        this.sinceFormat = { pictures: 0, sounds: 0 };
      },
      accessUnit: (unit) => {
        if (unit.track === 'video')
          this.accessUnits.push({ unit: { ...unit, data: Buffer.alloc(0) }, atMs: performance.now() });
        this.sinceFormat[unit.track === 'video' ? 'pictures' : 'sounds'] += 1;
      },
      discontinuity: (reason) => this.breaks.push(reason),
      state: (state) => this.states.push({ state, atMs: performance.now() }),
    });
    this.#ticking = setInterval(() => this.#recorder.tick(), TICK_MS);
  }

  static async open(options: RigOptions): Promise<RecordingRig> {
    return new RecordingRig(await mkdtemp(join(tmpdir(), 'rig-')), options);
  }

  get stream() {
    return this.#lease.stream;
  }

  get source() {
    return this.stream.counters().source;
  }

  get recorder() {
    return this.#recorder.report();
  }

  get queuedBytes(): number {
    return this.#recorder.queuedBytes;
  }

  /** Ends the recording; the files stay until `remove`. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#ticking);
    await this.hub.close();
    await this.#recorder.close();
  }

  async remove(): Promise<void> {
    await this.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async files(): Promise<RecordedFile[]> {
    const found = this.#store.files(KEY, 0, Infinity).map(async ({ startMs }) => {
      const index = await this.#store.readIndex(KEY, startMs);
      if (!index) throw new Error(`no index for ${startMs}`);
      return { path: mediaPath(this.#folder, KEY, startMs), startMs, index };
    });
    return await Promise.all(found);
  }

  /** The strips of all recorded pictures, file after file. */
  async frames(): Promise<StripContent[]> {
    const frames: StripContent[] = [];
    for (const { path } of await this.files()) frames.push(...(await countedFrames(path)));
    return frames;
  }
}
