// Samples keyframes, small and grey: detects motion where the camera does not, and camera tampering everywhere.
import { VIRTUAL_ALARM_TOPIC } from '@vedette/contract/alarm-topics.ts';
import type { DeviceEventReport } from '@vedette/contract/site/site.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { CodecWorker } from '@vedette/media/codec/codec-worker.ts';
import type { StartFfmpeg } from '@vedette/media/codec/ffmpeg-process.ts';
import type { StreamHub, StreamLease } from '@vedette/media/stream/hub.ts';
import { TamperDetector, MotionDetector } from '@vedette/rules/motion/motion-detector.ts';
import type { EventSpool } from '../state/event-spool.ts';
import type { Fleet } from '../supervision/fleet.ts';
import { newTimedId } from '@vedette/foundation/random/ids.ts';
import type { ChannelMotion, MotionSettings } from './motion-settings.ts';
import { newestKeyframe } from './newest-keyframe.ts';

export interface MotionMonitorOptions {
  readonly fleet: Pick<Fleet, 'devices' | 'upstream'>;
  readonly hub: StreamHub;
  /** A separate decoder, so that snapshots do not wait. */
  readonly codec: CodecWorker;
  readonly clock: Clock;
  readonly settings: MotionSettings;
  readonly report: (event: DeviceEventReport) => void;
}

/** `ffmpeg` null: no detection. */
export function openMotionMonitor({
  ffmpeg,
  spool,
  ...rest
}: Pick<MotionMonitorOptions, 'fleet' | 'hub' | 'clock' | 'settings'> & {
  readonly ffmpeg: StartFfmpeg | null;
  readonly spool: EventSpool;
}): MotionMonitor {
  const codec = new CodecWorker({ start: ffmpeg, clock: rest.clock, decoders: 1 });
  return new MotionMonitor({ ...rest, codec, report: (event) => spool.add(event) });
}

const TICK_MS = 500;
/** Shortest interval for one camera. */
const MOTION_EVERY_MS = 2000;
const COVER_EVERY_MS = 10_000;
/** Frames being decoded; more wait for the next tick. */
const AT_ONCE = 4;
const SIZE = { width: 64, height: 36 } as const;
const KEY = 'vedette-motion';

interface Watched {
  readonly cover: TamperDetector;
  /** Settings that the detector was created with. */
  settings: ChannelMotion | null;
  motion: MotionDetector | null;
  lease: StreamLease | null;
  sampledAt: number;
  /** Decoding time of the last sampled frame, so that none is sampled twice. */
  dts: bigint | number | null;
  isBusy: boolean;
  isCovered: boolean;
}

export class MotionMonitor {
  readonly #options: MotionMonitorOptions;
  readonly #channels = new Map<string, Watched>();
  #underWay = 0;
  #cancel: (() => void) | null = null;
  readonly #closing = new AbortController();
  samples = 0;

  constructor(options: MotionMonitorOptions) {
    this.#options = options;
  }

  /** Null if nothing can be decoded. */
  get settings(): MotionSettings | null {
    return this.#options.codec.isAvailable ? this.#options.settings : null;
  }

  start(): void {
    if (!this.#options.codec.isAvailable || this.#closing.signal.aborted) return;
    this.#cancel = this.#options.clock.after(TICK_MS, () => {
      this.#tick();
      this.start();
    });
  }

  /** Null before the first sample. */
  isCovered(deviceSerial: string, channelNo: number): boolean | null {
    const watched = this.#channels.get(`${deviceSerial}/${channelNo}`);
    return watched === undefined || watched.dts === null ? null : watched.isCovered;
  }

  close(): void {
    this.#closing.abort();
    this.#cancel?.();
    for (const { lease } of this.#channels.values()) lease?.release();
    this.#channels.clear();
    this.#options.codec.close();
  }

  #tick(): void {
    const seen = new Set<string>();
    for (const { deviceSerial, channelNo } of this.#places()) {
      const key = `${deviceSerial}/${channelNo}`;
      seen.add(key);
      this.#sample(key, deviceSerial, channelNo);
    }
    for (const [key, { lease }] of this.#channels) {
      if (seen.has(key)) continue;
      lease?.release();
      this.#channels.delete(key);
    }
  }

  #places() {
    return this.#options.fleet
      .devices()
      .flatMap(({ assignment }) =>
        assignment.channels.map(({ channelNo }) => ({ deviceSerial: assignment.deviceSerial, channelNo })),
      );
  }

  #sample(key: string, deviceSerial: string, channelNo: number): void {
    const { clock, hub, fleet } = this.#options;
    const watched = this.#watched(key, deviceSerial, channelNo);
    const now = clock.monotonicMs();
    const every = watched.motion === null ? COVER_EVERY_MS : MOTION_EVERY_MS;
    if (watched.isBusy || now - watched.sampledAt < every || this.#underWay >= AT_ONCE) return;
    // Without motion detection only streams that are open anyway are sampled.
    const streams = [1, 0].flatMap((quality) => {
      const upstream = fleet.upstream(deviceSerial, channelNo, quality as 0 | 1);
      return upstream ? (hub.stream(upstream.streamKey) ?? []) : [];
    });
    const newest = (watched.lease ? [watched.lease.stream] : streams).map(newestKeyframe).find((one) => one !== null);
    if (!newest || newest.dts === watched.dts) return;
    watched.dts = newest.dts;
    watched.sampledAt = now;
    watched.isBusy = true;
    this.#underWay += 1;
    this.#options.codec
      .grey(newest.picture, SIZE, this.#closing.signal)
      .then((pixels) => this.#seen(watched, deviceSerial, channelNo, pixels))
      // The next keyframe may be decodable.
      .catch(() => undefined)
      .finally(() => {
        watched.isBusy = false;
        this.#underWay -= 1;
      });
  }

  #watched(key: string, deviceSerial: string, channelNo: number): Watched {
    const { settings, fleet, hub } = this.#options;
    const known = this.#channels.get(key) ?? {
      cover: new TamperDetector(),
      settings: null,
      motion: null,
      lease: null,
      sampledAt: Number.NEGATIVE_INFINITY,
      dts: null,
      isBusy: false,
      isCovered: false,
    };
    this.#channels.set(key, known);
    const wanted = settings.of(deviceSerial, channelNo);
    if (known.settings === wanted) return known;
    if (known.motion?.isMoving) this.#report(deviceSerial, channelNo, false);
    known.settings = wanted;
    known.motion = wanted.on ? new MotionDetector(wanted.cells, wanted.sensitivity) : null;
    known.lease?.release();
    const upstream = wanted.on ? fleet.upstream(deviceSerial, channelNo, 1) : null;
    known.lease = upstream && hub.acquire(upstream.streamKey, upstream.open);
    return known;
  }

  #seen(watched: Watched, deviceSerial: string, channelNo: number, pixels: Uint8Array): void {
    if (this.#closing.signal.aborted) return;
    this.samples += 1;
    const picture = { ...SIZE, pixels };
    watched.isCovered = watched.cover.detect(picture);
    if (watched.motion?.detect(picture)) this.#report(deviceSerial, channelNo, watched.motion.isMoving);
  }

  #report(deviceSerial: string, channelNo: number, isMoving: boolean): void {
    const at = this.#options.clock.wallMs();
    this.#options.report({
      kind: 'deviceEvent',
      deviceSerial,
      eventId: newTimedId(at),
      topic: `${VIRTUAL_ALARM_TOPIC}/MotionAlarm`,
      phase: isMoving ? 'start' : 'end',
      channelNo,
      key: KEY,
      at,
      deviceAt: null,
      source: { detector: 'Vedette' },
      data: {},
    });
  }
}
