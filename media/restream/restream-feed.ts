// One re-streamed stream for RTSP clients: packets made once from the newest keyframe on, the same buffers for every client.
import type { RtspPlayback, RtspSender } from '@vedette/protocols/rtsp/server/server-mount.ts';
import { GOP_LIMITS } from '../stream/gop-cache.ts';
import type { LiveFragment, LiveInit } from '../stream/live-fragment.ts';
import type { SharedStream, StreamViewer } from '../stream/shared-stream.ts';
import type { MediaFormat, SourceState } from '../stream/stream.ts';
import { describeSession, planTracks } from './session-description.ts';
import { TrackPackets } from './unit-packets.ts';

export interface RestreamFeedOptions {
  readonly stream: SharedStream;
  readonly random32: () => number;
  readonly monotonicMs: () => number;
  readonly counters: RestreamCounters;
}

export interface RestreamCounters {
  packets: number;
  bytes: number;
  /** Units skipped for slow clients, and units that RTP cannot carry. */
  skippedUnits: number;
  unsendableUnits: number;
}

export interface RestreamListener {
  /** The format changed. */
  readonly onEnd: () => void;
  /** Told how many bytes were sent. */
  readonly onSent?: ((bytes: number) => void) | undefined;
}

interface Client extends RestreamListener {
  readonly sender: RtspSender;
  /** Skipping until the next keyframe. */
  waitsForKeyframe: boolean;
  /** Its answer to PLAY is not sent yet. */
  isStarting: boolean;
}

/** A client with this much queued gets nothing until the next keyframe. */
const QUEUE_LIMIT_BYTES = 2 * 1024 * 1024;
const REPORT_EVERY_MS = 5000;
const VIDEO_TICKS_PER_MS = 90;

export class RestreamFeed implements StreamViewer {
  /** Packets are copies. */
  readonly holdsSlabs = true;
  readonly #options: RestreamFeedOptions;
  readonly #clients = new Set<Client>();
  readonly #ready = Promise.withResolvers<void>();
  #leave: () => void = () => undefined;
  #format: MediaFormat | null = null;
  #tracks: TrackPackets[] = [];
  /** Since the newest keyframe: sender reports first, then the packets of each unit. */
  #gop: Buffer[] = [];
  #gopBytes = 0;
  #gopStarts: RtspPlayback['starts'] = [];
  #reportedMs: (number | undefined)[] = [];
  /** Of the newest unit of video; NaN before the first. */
  #videoTime = { rtp: Number.NaN, wallMs: Number.NaN };

  constructor(options: RestreamFeedOptions) {
    this.#options = options;
  }

  attach(): void {
    const { stream } = this.#options;
    this.#leave = stream.addViewer(this);
    for (const fragment of stream.gop()) this.fragment(fragment);
  }

  /** Resolves once the format is known. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** `a=control` values of the tracks. */
  get controls(): readonly string[] {
    return this.#tracks.map(({ plan }) => plan.control);
  }

  /** RTP time of the video at this capture time; null before the first frame. */
  rtpTimeAt(wallMs: number): number | null {
    const { rtp, wallMs: known } = this.#videoTime;
    return Number.isNaN(rtp) ? null : (rtp + Math.round((wallMs - known) * VIDEO_TICKS_PER_MS)) >>> 0;
  }

  sdp(): string {
    return describeSession(this.#tracks.map(({ plan }) => plan));
  }

  /** Sends from the newest keyframe on, once the caller's answer is written. */
  play(sender: RtspSender, { onEnd, onSent }: RestreamListener): RtspPlayback {
    const client: Client = { sender, onEnd, onSent, waitsForKeyframe: true, isStarting: true };
    this.#clients.add(client);
    const starts = this.#gop.length > 0 ? this.#gopStarts : this.#tracks.map((track) => track.next);
    setImmediate(() => this.#begin(client));
    return { range: 'npt=now-', starts, stop: () => this.#clients.delete(client) };
  }

  init(init: LiveInit): void {
    const before = this.#format;
    this.#format = init.format;
    this.#forgetGop();
    const plans = planTracks(init.format);
    const isSameOffer = before !== null && sameOffer(before, init.format);
    if (isSameOffer) {
      for (const track of this.#tracks) track.setFormat(init.format);
    } else {
      this.endClients();
      const { random32 } = this.#options;
      this.#tracks = plans.map((plan, index) => new TrackPackets({ index, plan, random32 }, init.format));
      this.#reportedMs = [];
    }
    this.#ready.resolve();
  }

  fragment({ unit }: LiveFragment): void {
    const index = this.#tracks.findIndex(({ plan }) => plan.track === unit.track);
    const track = this.#tracks[index];
    if (!track) return;
    const isStart = unit.track === 'video' && unit.isKey;
    const starts = isStart ? this.#tracks.map(({ next }) => next) : null;
    const frames = track.frames(unit);
    if (unit.track === 'video') {
      this.#videoTime.rtp = track.timeOf(unit);
      this.#videoTime.wallMs = unit.wallMs;
    }
    if (frames.length === 0) {
      this.#options.counters.unsendableUnits += 1;
      return;
    }
    if (starts)
      this.#beginGop(starts.map((start, at) => (at === index ? { ...start, rtpTime: track.timeOf(unit) } : start)));
    const due = this.#isReportDue(index, isStart);
    const bytes = due ? Buffer.concat([track.senderReport(unit), frames]) : frames;
    this.#keep(bytes);
    for (const client of this.#clients) this.#deliver(client, bytes, isStart);
  }

  state(state: SourceState): void {
    if (state.state === 'failed' || state.state === 'closed') this.#forgetGop();
  }

  close(): void {
    this.#leave();
    this.endClients();
    this.#forgetGop();
  }

  endClients(): void {
    const clients = [...this.#clients];
    this.#clients.clear();
    const goodbye = Buffer.concat(this.#tracks.map((track) => track.bye()));
    for (const { sender, onEnd } of clients) {
      sender.send(goodbye);
      onEnd();
    }
  }

  #beginGop(starts: RtspPlayback['starts']): void {
    this.#gop = [];
    this.#gopBytes = 0;
    this.#gopStarts = starts;
    // New clients learn the capture time with their first frame.
    this.#reportedMs = [];
  }

  /** An endless GOP is not cached: new clients wait for the next keyframe. */
  #keep(bytes: Buffer): void {
    if (this.#gopStarts.length === 0) return;
    this.#gop.push(bytes);
    this.#gopBytes += bytes.length;
    if (this.#gopBytes > GOP_LIMITS.bytes || this.#gop.length > GOP_LIMITS.fragments) this.#forgetGop();
  }

  #forgetGop(): void {
    this.#gop = [];
    this.#gopBytes = 0;
    this.#gopStarts = [];
  }

  #begin(client: Client): void {
    client.isStarting = false;
    if (!this.#clients.has(client) || this.#gop.length === 0) return;
    client.waitsForKeyframe = false;
    for (const bytes of this.#gop) this.#send(client, bytes);
  }

  #deliver(client: Client, bytes: Buffer, isStart: boolean): void {
    if (client.isStarting) return;
    if (client.sender.queuedBytes > QUEUE_LIMIT_BYTES) client.waitsForKeyframe = true;
    else if (isStart) client.waitsForKeyframe = false;
    if (client.waitsForKeyframe) this.#options.counters.skippedUnits += 1;
    else this.#send(client, bytes);
  }

  #send(client: Client, bytes: Buffer): void {
    this.#options.counters.packets += 1;
    this.#options.counters.bytes += bytes.length;
    client.onSent?.(bytes.length);
    client.sender.send(bytes);
  }

  #isReportDue(index: number, isStart: boolean): boolean {
    const now = this.#options.monotonicMs();
    const last = this.#reportedMs[index];
    if (!isStart && last !== undefined && now - last < REPORT_EVERY_MS) return false;
    this.#reportedMs[index] = now;
    return true;
  }
}

/** Whether clients of one description can continue with the other: new parameter sets come in the stream. */
function sameOffer(one: MediaFormat, other: MediaFormat): boolean {
  const sound = ({ audio }: MediaFormat): string =>
    audio ? `${audio.codec}/${audio.sampleRate}/${audio.channels}/${audio.config.toString('hex')}` : '';
  return one.video?.codec === other.video?.codec && sound(one) === sound(other);
}
