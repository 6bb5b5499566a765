// The tasks of one channel: keyframes until something moves, then every frame, and what the rules say about them.
import type { ChannelAnalysis as ChannelFigures, AnalysisOrder } from '@vedette/contract/site/site-analysis.ts';
import type { LiveTracks } from '@vedette/contract/media-wire.ts';
import type { DeviceEventReport } from '@vedette/contract/site/site.ts';
import type { SightingReport } from '@vedette/contract/site/site-sighting.ts';
import { SerialQueue } from '@vedette/foundation/concurrency/serial-queue.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { CodecWorker } from '@vedette/media/codec/codec-worker.ts';
import { type DecodedFrame, DecodedFrames } from '@vedette/media/codec/decoded-frames.ts';
import type { StartFfmpeg } from '@vedette/media/codec/ffmpeg-process.ts';
import { markedJpeg } from '@vedette/media/codec/marked-jpeg.ts';
import type { StreamHub, StreamLease } from '@vedette/media/stream/hub.ts';
import type { Detection } from '@vedette/rules/scene/detection/detection.ts';
import type { Scene } from '@vedette/rules/scene/scene.ts';
import type { SceneEvent } from '@vedette/rules/scene/rules/scene-event.ts';
import type { Look } from '../state/seen-log.ts';
import type { Fleet } from '../supervision/fleet.ts';
import { liveTracks } from './live-tracks.ts';
import { LookWatch } from './look-watch.ts';
import { MinuteSum } from './minute-sum.ts';
import { MotionGate } from './motion-gate.ts';
import type { RegionFrame } from './frame-queue.ts';
import { PlannedOrders } from './planned-orders.ts';
import { type ReportPlace, reportOf } from './scene-report.ts';
import { FRAMES_PER_S, HOLD_MS, SceneWatch, WIDTH_MAX } from './scene-watch.ts';
import { SightingReports } from './sighting-reports.ts';

export interface ChannelAnalysisOptions {
  readonly place: ReportPlace & { readonly channelId: string };
  readonly hub: StreamHub;
  readonly fleet: Pick<Fleet, 'upstream'>;
  readonly clock: Clock;
  readonly codec: CodecWorker;
  readonly ffmpeg: StartFfmpeg;
  /** True: the channel's former picture was dropped for it. */
  readonly offer: (frame: RegionFrame) => boolean;
  readonly report: (event: DeviceEventReport | SightingReport) => void;
  /** Told several times a second while there are tasks and a stream. */
  readonly onLook: (look: Look) => void;
  /** `tracksNow` has changed. */
  readonly onTracks: () => void;
  /** An event may carry its picture: not while a thousand wait for the server. */
  readonly mayPicture: () => boolean;
}

const RESTART_MS = 2000;
/** Events that wait for their pictures, which hold a megabyte each until then: more go without. */
const UNTOLD_MAX = 8;

export class ChannelAnalysis {
  readonly #options: ChannelAnalysisOptions;
  readonly #planned: PlannedOrders;
  readonly #gate: MotionGate;
  readonly #frames = new MinuteSum();
  readonly #dropped = { replaced: 0, failed: 0, skippedUnits: 0 };
  readonly #telling = new SerialQueue();
  readonly #looks = new LookWatch();
  #lease: StreamLease | null = null;
  #orders: readonly AnalysisOrder[] = [];
  #watch: SceneWatch | null = null;
  #sightings: SightingReports | null = null;
  #decoder: DecodedFrames | null = null;
  #movedAt = Number.NEGATIVE_INFINITY;
  #decodableAt = 0;
  #untold = 0;
  /** Capture time of the newest frame that was looked at, ms. */
  #seenMs: number | null = null;

  constructor(options: ChannelAnalysisOptions, orders: readonly AnalysisOrder[]) {
    this.#options = options;
    this.#planned = new PlannedOrders(orders);
    this.#gate = new MotionGate(options.codec, options.clock);
  }

  get figures(): ChannelFigures {
    const { clock, place } = this.#options;
    const skippedUnits = this.#dropped.skippedUnits + (this.#decoder?.skipped ?? 0);
    return {
      channelId: place.channelId,
      isActive: this.#decoder !== null,
      picturesPerS: this.#frames.of(clock.monotonicMs()) / 60,
      dropped: { ...this.#dropped, skippedUnits },
    };
  }

  /** What is followed in the newest frame that was looked at; null before the first. */
  get tracksNow(): LiveTracks | null {
    return this.#seenMs === null ? null : liveTracks(this.#watch?.scene ?? null, this.#seenMs);
  }

  /** Several times a second. */
  tick(): void {
    const { clock } = this.#options;
    this.#follow(this.#planned.at(clock.wallMs()));
    this.#sightings?.tick(clock.wallMs());
    if (this.#watch === null) return this.#leave();
    const { scene } = this.#watch;
    const stream = this.#stream();
    if (stream === null) return this.#rest();
    this.#gate.look(stream);
    const now = clock.monotonicMs();
    if (this.#gate.isMoving || scene.isBusy) this.#movedAt = now;
    const isWanted = now - this.#movedAt < HOLD_MS;
    this.#sayLook(scene, isWanted);
    if (!isWanted) this.#rest();
    else if (this.#decoder === null && now >= this.#decodableAt) this.#decode(stream);
  }

  /** What the analyst found in a picture that was offered. */
  seen(frame: DecodedFrame, detections: readonly Detection[]): void {
    const now = this.#options.clock.monotonicMs();
    this.#frames.add(now, 1);
    this.#looks.answered(now);
    for (const event of this.#watch?.seen(frame, detections) ?? []) this.#tell(event, frame);
    this.#sightings?.seen(frame, this.#watch?.scene.living ?? []);
    this.#seenMs = frame.wallMs;
    this.#options.onTracks();
  }

  failed(): void {
    this.#looks.failed();
    this.#dropped.failed += 1;
  }

  /** Alarms that are open end. */
  close(): void {
    this.#follow([]);
    this.#leave();
    this.#gate.close();
  }

  /** Says which classes are looked for at this moment, and which are in view. */
  #sayLook(scene: Scene, isWanted: boolean): void {
    const now = this.#options.clock.monotonicMs();
    const isLooking = this.#looks.isLooking(now, { gateAt: this.#gate.lookedAt, isWanted });
    const inView = this.tracksNow?.tracks.map(({ objectClass }) => objectClass) ?? [];
    this.#options.onLook({ watched: isLooking ? scene.classes : null, inView });
  }

  /** Outside the hours of all tasks nothing keeps the stream open. */
  #leave(): void {
    this.#rest();
    this.#lease?.release();
    this.#lease = null;
  }

  #follow(orders: readonly AnalysisOrder[]): void {
    if (orders === this.#orders || (orders.length === 0 && this.#orders.length === 0)) return;
    const ended = this.#watch?.scene.end(this.#options.clock.wallMs()) ?? [];
    for (const event of ended) this.#tell(event, null);
    this.#sightings?.end();
    this.#orders = orders;
    this.#watch = orders.length === 0 ? null : new SceneWatch(orders);
    this.#sightings = orders.length === 0 ? null : new SightingReports(this.#options, orders);
    this.#options.onTracks();
  }

  #stream(): StreamLease['stream'] | null {
    const { hub, fleet, place } = this.#options;
    if (this.#lease === null) {
      const upstream = fleet.upstream(place.deviceSerial, place.channelNo, 1);
      if (upstream === null) return null;
      this.#lease = hub.acquire(upstream.streamKey, upstream.open);
    }
    return this.#lease.stream;
  }

  #decode(stream: StreamLease['stream']): void {
    const { clock, ffmpeg, offer } = this.#options;
    this.#watch?.decodeAnew();
    const decoder = new DecodedFrames({
      stream,
      start: ffmpeg,
      picturesPerS: FRAMES_PER_S,
      maxWidth: WIDTH_MAX,
      onFrame: (frame) => {
        const ready = this.#watch?.prepared(frame);
        if (ready && offer(ready)) this.#dropped.replaced += 1;
      },
      onEnd: () => {
        if (this.#decoder !== decoder) return;
        this.#rest();
        this.#decodableAt = clock.monotonicMs() + RESTART_MS;
      },
    });
    this.#decoder = decoder;
  }

  #rest(): void {
    this.#dropped.skippedUnits += this.#decoder?.skipped ?? 0;
    this.#decoder?.close();
    this.#decoder = null;
  }

  /** In order: an end waits for the picture of its start. */
  #tell(event: SceneEvent, frame: DecodedFrame | null): void {
    const { place, report, mayPicture, ffmpeg } = this.#options;
    const told = reportOf(event, place, this.#orders);
    const boxes = event.track === null ? [] : [event.track.box];
    const isPictured = event.phase !== 'end' && this.#untold < UNTOLD_MAX && mayPicture();
    this.#untold += 1;
    void this.#telling.run(async () => {
      const jpeg = isPictured && frame !== null ? await markedJpeg(ffmpeg, frame, boxes) : null;
      this.#untold -= 1;
      report(jpeg === null ? told : { ...told, picture: jpeg.toString('base64') });
    });
  }
}
