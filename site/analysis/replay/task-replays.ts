// Replays of this site: one runs at a time; each is opened by a ticket, and ended with it or when nobody asks for it any more.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { REPLAY_LIMITS } from '@vedette/contract/limits.ts';
import type { ReplayCalls } from '@vedette/contract/site/site-replay.ts';
import type { AnalysisOrder } from '@vedette/contract/site/site-analysis.ts';
import type { SiteCalls, TicketGrant } from '@vedette/contract/site/site.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { CodecWorker } from '@vedette/media/codec/codec-worker.ts';
import type { DecodedFrame } from '@vedette/media/codec/decoded-frames.ts';
import type { StartFfmpeg } from '@vedette/media/codec/ffmpeg-process.ts';
import { gopFrames } from '@vedette/media/codec/gop-frames.ts';
import { smallJpeg } from '@vedette/media/codec/marked-jpeg.ts';
import { storedGops } from '@vedette/media/playback/stored-gops.ts';
import type { Disk } from '@vedette/media/recordings/disk.ts';
import type { TrackKey } from '@vedette/media/recordings/recording-path.ts';
import type { SceneEvent } from '@vedette/rules/scene/rules/scene-event.ts';
import type { Logger } from 'pino';
import { CallRefusal } from '../../core/call-refusal.ts';
import type { Fleet } from '../../supervision/fleet.ts';
import type { SiteStorage } from '../../recording/site-storage.ts';
import type { OpenTicket, TicketRegistry } from '../../tickets/ticket-registry.ts';
import { isRuntimeInstalled } from '../analyst-place.ts';
import { USUAL_MODEL } from '../analyst-pool.ts';
import { GATE_SIZE } from '../motion-gate.ts';
import { FRAMES_PER_S, WIDTH_MAX } from '../scene-watch.ts';
import type { Analysis } from '../analysis.ts';
import { MeteredFfmpeg } from '../metered-ffmpeg.ts';
import { TaskReplay } from './task-replay.ts';

export interface TaskReplaysOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly disk: Disk;
  readonly fleet: Pick<Fleet, 'device'>;
  readonly storage: Pick<SiteStorage, 'recordings'>;
  readonly tickets: Pick<TicketRegistry, 'open'>;
  readonly analysis: Pick<Analysis, 'spare' | 'hasModel' | 'spentOnSpare'>;
  /** Null: nothing can be decoded. */
  readonly ffmpeg: StartFfmpeg | null;
  readonly runtimeFolder: string;
}

type Calls = { [N in keyof ReplayCalls]: (input: SiteCalls[N]['input']) => Promise<SiteCalls[N]['output']> };
type Start = ReplayCalls['replayStart']['input'];
type Asked = ReplayCalls['replayStop']['input'];

/** A page asks each second, one in the background once a minute. */
const ASKED_WITHIN_MS = 75_000;
const PICTURE = { maxSide: 320, maxBytes: Math.floor((REPLAY_LIMITS.pictureChars * 3) / 4) - 2 } as const;
/** The live path looks at the second stream. */
const QUALITIES = [1, 0, 2] as const;

/** Finished ones are kept for the pages that show them. */
const HELD_MAX = 8;

interface Held {
  readonly replayId: string;
  readonly sessionId: string;
  readonly replay: TaskReplay;
  /** Stops it and forgets its events. */
  readonly end: () => void;
  cancelIdle: () => void;
}

export class TaskReplays {
  readonly #options: TaskReplaysOptions;
  /** What it takes counts as the analyst's does. */
  readonly #ffmpeg: StartFfmpeg | null;
  readonly #codec: CodecWorker;
  /** By id, oldest first. */
  readonly #held = new Map<string, Held>();

  constructor(options: TaskReplaysOptions) {
    this.#options = options;
    const { ffmpeg, analysis, clock } = options;
    this.#ffmpeg = ffmpeg && new MeteredFfmpeg(ffmpeg, (cpuMs) => analysis.spentOnSpare(cpuMs)).start;
    // Of its own, so that keyframes of live streams never wait for it.
    this.#codec = new CodecWorker({ start: this.#ffmpeg, clock, decoders: 1 });
  }

  readonly calls: Calls = {
    replayStart: async (input) => ({ replayId: await this.#start(input) }),
    replayGet: async ({ from, ...asked }) => {
      const held = this.#find(asked);
      if (held === null) throw new CallRefusal(ERROR_CODES.notFound);
      this.#keepAlive(held);
      return held.replay.progress(from);
    },
    replayStop: async (asked) => {
      this.#find(asked)?.end();
      return {};
    },
  };

  close(): void {
    for (const held of this.#held.values()) held.end();
    this.#codec.close();
  }

  async #start({ ticket, order }: Start): Promise<string> {
    const { tickets, runtimeFolder } = this.#options;
    const ffmpeg = this.#ffmpeg;
    const opened = tickets.open(ticket, ['fragments'], { alone: true });
    if ('code' in opened) throw new CallRefusal(ERROR_CODES.notFound);
    if (ffmpeg === null || !(await isRuntimeInstalled(runtimeFolder)))
      throw new CallRefusal(ERROR_CODES.functionNotSupported, { reason: 'noAnalyst' });
    if (!this.#options.analysis.hasModel(order.model ?? USUAL_MODEL))
      throw new CallRefusal(ERROR_CODES.functionNotSupported, { reason: 'noModel' });
    const { grant } = opened;
    const channelId = this.#channelIdOf(grant);
    if (grant.range === null || grant.range.endTime - grant.range.startTime > REPLAY_LIMITS.rangeMs)
      throw new RangeError('no such range');
    this.#makeRoom(grant.sessionId);
    const range = { startMs: grant.range.startTime, endMs: grant.range.endTime };
    return this.#run({ opened, channelId, order, ffmpeg, range });
  }

  #channelIdOf({ deviceSerial, channelNo }: TicketGrant): string {
    const channels = this.#options.fleet.device(deviceSerial)?.assignment.channels ?? [];
    const channel = channels.find((one) => one.channelNo === channelNo);
    if (channel === undefined) throw new CallRefusal(ERROR_CODES.devNotExist);
    return channel.channelId;
  }

  /** A page that starts another one is done with the former. */
  #makeRoom(sessionId: string): void {
    for (const held of this.#held.values()) if (held.sessionId === sessionId) held.end();
    if ([...this.#held.values()].some(({ replay }) => replay.isRunning))
      throw new CallRefusal(ERROR_CODES.serviceBusy, { reason: 'replayRuns' });
    const [oldest] = this.#held.values();
    if (oldest !== undefined && this.#held.size >= HELD_MAX) oldest.end();
  }

  #run({ opened, channelId, order, ffmpeg, range }: RunOrder): string {
    const { analysis, log } = this.#options;
    const { spare } = analysis;
    const ending = new AbortController();
    const model = order.model ?? USUAL_MODEL;
    const [release, close] = [opened.hold(), spare.open(model)];
    const replay = new TaskReplay({
      order,
      startMs: range.startMs,
      gops: () => this.#gops(channelId, range),
      grey: (keyframe, signal) => this.#codec.grey(keyframe, GATE_SIZE, signal),
      frames: (gop, signal) =>
        gopFrames({ ...gop, start: ffmpeg, picturesPerS: FRAMES_PER_S, maxWidth: WIDTH_MAX, signal }),
      detect: (frame, signal) => spare.look(model, frame, signal),
      picture: (frame, event) => pictureOf(ffmpeg, frame, event),
      signal: ending.signal,
    });
    const held: Held = {
      replayId: newId(),
      sessionId: opened.grant.sessionId,
      replay,
      end: () => {
        ending.abort();
        held.cancelIdle();
        release();
        close();
        this.#held.delete(held.replayId);
      },
      cancelIdle: () => undefined,
    };
    this.#held.set(held.replayId, held);
    this.#keepAlive(held);
    opened.ended.addEventListener('abort', held.end, { once: true });
    replay.run().then(close, (error: unknown) => {
      close();
      log.warn({ err: error }, 'a task could not be run over recordings');
    });
    return held.replayId;
  }

  #gops(channelId: string, range: Range) {
    const { store } = this.#options.storage.recordings;
    const keys = QUALITIES.map((quality): TrackKey => ({ channelId, quality }));
    const key = keys.find((one) => store.files(one, range.startMs, range.endMs).length > 0);
    return key === undefined ? Promise.resolve([]) : storedGops({ disk: this.#options.disk, store, key }, range);
  }

  #find({ replayId, sessionId }: Asked): Held | null {
    const held = this.#held.get(replayId);
    return held?.sessionId === sessionId ? held : null;
  }

  #keepAlive(held: Held): void {
    held.cancelIdle();
    held.cancelIdle = this.#options.clock.after(ASKED_WITHIN_MS, held.end);
  }
}

interface Range {
  readonly startMs: number;
  readonly endMs: number;
}

interface RunOrder {
  readonly order: AnalysisOrder;
  readonly channelId: string;
  readonly opened: OpenTicket;
  readonly ffmpeg: StartFfmpeg;
  readonly range: Range;
}

async function pictureOf(ffmpeg: StartFfmpeg, frame: DecodedFrame, { track }: SceneEvent): Promise<string | null> {
  const jpeg = await smallJpeg(ffmpeg, frame, { ...PICTURE, boxes: track === null ? [] : [track.box] });
  return jpeg?.toString('base64') ?? null;
}
