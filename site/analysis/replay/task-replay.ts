// One task run over recordings as the live path would have seen them: keyframes until something moves, then every frame.
import type { AnalysisOrder } from '@vedette/contract/site/site-analysis.ts';
import type { ReplayFault, ReplayState } from '@vedette/contract/enumerations.ts';
import { REPLAY_LIMITS } from '@vedette/contract/limits.ts';
import type { ReplayEvent, ReplayProgress } from '@vedette/contract/site/site-replay.ts';
import { errorCode } from '@vedette/foundation/errors/error-message.ts';
import type { CodedKeyframe } from '@vedette/media/codec/codec-worker.ts';
import type { DecodedFrame } from '@vedette/media/codec/decoded-frames.ts';
import type { GopFramesOrder } from '@vedette/media/codec/gop-frames.ts';
import type { StoredGop } from '@vedette/media/playback/stored-gops.ts';
import type { Detection } from '@vedette/rules/scene/detection/detection.ts';
import type { SceneEvent } from '@vedette/rules/scene/rules/scene-event.ts';
import { AnalystGone } from '../analyst-process.ts';
import type { RegionFrame } from '../frame-queue.ts';
import { gateDetector, GATE_SIZE } from '../motion-gate.ts';
import { PlannedOrders } from '../planned-orders.ts';
import { HOLD_MS, SceneWatch } from '../scene-watch.ts';

export interface TaskReplayOptions {
  readonly order: AnalysisOrder;
  readonly startMs: number;
  /** Oldest first. */
  readonly gops: () => Promise<readonly StoredGop[]>;
  /** Brightness of the keyframe, `GATE_SIZE`. */
  readonly grey: (keyframe: CodedKeyframe, signal: AbortSignal) => Promise<Uint8Array>;
  readonly frames: (gop: CodedGop, signal: AbortSignal) => AsyncIterable<DecodedFrame>;
  /** Rejects with AnalystGone. */
  readonly detect: (frame: RegionFrame, signal: AbortSignal) => Promise<readonly Detection[]>;
  /** Base64. */
  readonly picture: (frame: DecodedFrame, event: SceneEvent) => Promise<string | null>;
  /** Aborted, it ends and is not asked any more. */
  readonly signal: AbortSignal;
}

export interface CodedGop extends Pick<GopFramesOrder, 'bytes' | 'wallMs' | 'size'> {}

/** A frame at which the analyst crashes so often ends the replay. */
const TRIES = 3;

export class TaskReplay {
  readonly #options: TaskReplayOptions;
  readonly #planned: PlannedOrders;
  readonly #gate = gateDetector();
  readonly #events: ReplayEvent[] = [];
  #orders: readonly AnalysisOrder[] = [];
  #watch: SceneWatch | null = null;
  #movedAt = Number.NEGATIVE_INFINITY;
  #state: ReplayState = 'running';
  #fault: ReplayFault | null = null;
  #doneAt: number;
  #recordedMs = 0;
  #doneMs = 0;
  #frames = 0;

  constructor(options: TaskReplayOptions) {
    this.#options = options;
    this.#planned = new PlannedOrders([options.order]);
    this.#doneAt = options.startMs;
  }

  get isRunning(): boolean {
    return this.#state === 'running';
  }

  progress(from: number): ReplayProgress {
    return {
      state: this.#state,
      fault: this.#fault,
      doneAt: this.#doneAt,
      recordedMs: this.#recordedMs,
      doneMs: this.#doneMs,
      frames: this.#frames,
      events: this.#events.slice(from, from + REPLAY_LIMITS.page),
      total: this.#events.length,
    };
  }

  /** Resolves when it is over; rejects with what nobody expects. */
  async run(): Promise<void> {
    try {
      const gops = await this.#options.gops();
      this.#recordedMs = gops.reduce((sum, gop) => sum + lengthOf(gop), 0);
      for (const gop of gops) {
        await this.#look(gop);
        this.#doneAt = gop.endMs;
        this.#doneMs += lengthOf(gop);
        if (this.#events.length >= REPLAY_LIMITS.events) return this.#fail('events');
      }
      this.#state = 'finished';
    } catch (error) {
      if (this.#options.signal.aborted) return;
      if (error instanceof AnalystGone) return this.#fail('analyst');
      this.#fail('recordings');
      throw error;
    }
  }

  #fail(fault: ReplayFault): void {
    this.#state = 'failed';
    this.#fault = fault;
  }

  async #look(gop: StoredGop): Promise<void> {
    const watch = this.#watchAt(gop.wallMs);
    const keyframe = watch && (await readable(gop.keyframe()));
    if (watch === null || keyframe === null) return;
    await this.#passGate(keyframe);
    if (this.#gate.isMoving || watch.scene.isBusy) this.#movedAt = gop.wallMs;
    if (gop.wallMs - this.#movedAt >= HOLD_MS) return watch.decodeAnew();
    const bytes = await readable(gop.media());
    if (bytes === null) return;
    const { frames, signal } = this.#options;
    for await (const frame of frames({ bytes, wallMs: gop.wallMs, size: keyframe.format }, signal))
      await this.#see(watch, frame);
  }

  async #passGate(keyframe: CodedKeyframe): Promise<void> {
    const { signal, grey } = this.#options;
    try {
      this.#gate.detect({ ...GATE_SIZE, pixels: await grey(keyframe, signal) });
    } catch {
      // As live: the next keyframe may be decodable.
      signal.throwIfAborted();
    }
  }

  /** Plans hold by the time of the recording. */
  #watchAt(wallMs: number): SceneWatch | null {
    const orders = this.#planned.at(wallMs);
    if (orders === this.#orders) return this.#watch;
    this.#orders = orders;
    this.#watch = orders.length === 0 ? null : new SceneWatch(orders);
    return this.#watch;
  }

  async #see(watch: SceneWatch, frame: DecodedFrame): Promise<void> {
    const detections = await this.#detect(watch.prepared(frame));
    this.#frames += 1;
    for (const event of watch.seen(frame, detections)) await this.#keep(event, frame);
  }

  async #detect(frame: RegionFrame): Promise<readonly Detection[]> {
    const { detect, signal } = this.#options;
    for (let tried = 1; ; tried += 1) {
      try {
        return await detect(frame, signal);
      } catch (error) {
        if (!(error instanceof AnalystGone) || tried === TRIES) throw error;
      }
    }
  }

  /** An end says nothing new. */
  async #keep(event: SceneEvent, frame: DecodedFrame): Promise<void> {
    if (event.phase === 'end' || this.#events.length >= REPLAY_LIMITS.events) return;
    const { type, atMs, regionId, track, direction } = event;
    this.#events.push({
      type,
      at: Math.floor(atMs),
      regionId,
      objectClass: track?.objectClass ?? null,
      score: track?.score ?? 0,
      direction,
      picture: await this.#options.picture(frame, event),
    });
  }
}

function lengthOf({ wallMs, endMs }: StoredGop): number {
  return Math.max(0, endMs - wallMs);
}

/** Null for what is damaged or was removed meanwhile. */
async function readable<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof RangeError || errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
