// One viewer over WebRTC: sends the stream's RTP packets from the newest keyframe on once it is connected.
import type { LiveTracks, RtcTracks } from '@vedette/contract/media-wire.ts';
import type { RtspSender } from '@vedette/protocols/rtsp/server/server-mount.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { RestreamFeed } from '../restream/restream-feed.ts';
import type { RestreamGrant } from '../restream/restream-grant.ts';
import type { StreamHub } from '../stream/hub.ts';
import { audioOf } from './rtc-audio.ts';
import { type RtcPeer, RtcRefusal, type RtcWorker } from './rtc-worker.ts';

export interface WhepSessionOptions {
  readonly grant: RestreamGrant;
  readonly hub: StreamHub;
  readonly clock: Clock;
  readonly worker: RtcWorker;
  readonly random32: () => number;
  /** Whether the viewer connected, called once. */
  readonly onTried: (isConnected: boolean) => void;
  readonly onClosed: () => void;
}

/** A camera may still need to connect and send its first keyframe. */
const FORMAT_WITHIN_MS = 8000;

export class WhepSession {
  readonly #options: WhepSessionOptions;
  readonly #lease: ReturnType<StreamHub['acquire']>;
  readonly #feed: RestreamFeed;
  #peer: RtcPeer | null = null;
  #unfollow: (() => void) | null = null;
  #wasConnected = false;
  #isClosed = false;
  readonly #onEnded = (): void => this.close();

  constructor(options: WhepSessionOptions) {
    this.#options = options;
    const { grant, hub, clock, random32 } = options;
    this.#lease = hub.acquire(grant.streamKey, grant.open);
    this.#feed = new RestreamFeed({
      stream: this.#lease.stream,
      random32,
      monotonicMs: () => clock.monotonicMs(),
      counters: { packets: 0, bytes: 0, skippedUnits: 0, unsendableUnits: 0 },
    });
    this.#feed.attach();
    grant.ended.addEventListener('abort', this.#onEnded, { once: true });
  }

  /** Throws RtcRefusal if the stream or the offer is unsuitable. */
  async answer(offer: string): Promise<string> {
    await this.#whenReady();
    const format = this.#lease.stream.currentFormat;
    if (this.#isClosed || format?.video?.codec !== 'h264') throw new RtcRefusal('the stream is no H.264');
    this.#peer = this.#options.worker.open(offer, audioOf(format), {
      connected: () => this.#connected(),
      keyWanted: () => this.#lease.stream.requestKeyframe(),
      follow: (tracks) => this.#follow(tracks),
      closed: () => this.close(),
    });
    return await this.#peer.answer;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#follow(false);
    const { grant, onClosed, onTried } = this.#options;
    grant.ended.removeEventListener('abort', this.#onEnded);
    this.#feed.close();
    this.#lease.release();
    this.#peer?.close();
    if (this.#peer && !this.#wasConnected) onTried(false);
    grant.onEnded();
    onClosed();
  }

  #follow(tracks: boolean): void {
    this.#unfollow?.();
    this.#unfollow = null;
    if (tracks && !this.#isClosed)
      this.#unfollow = this.#options.grant.followTracks?.((now) => this.#tell(now)) ?? null;
  }

  #tell(now: LiveTracks): void {
    const rtpTime = this.#feed.rtpTimeAt(now.at);
    if (rtpTime !== null) this.#peer?.sendTracks(JSON.stringify({ ...now, rtpTime } satisfies RtcTracks));
  }

  #connected(): void {
    const peer = this.#peer;
    if (this.#isClosed || !peer) return;
    this.#wasConnected = true;
    this.#options.onTried(true);
    const sender: RtspSender = {
      send: (frames) => peer.send(frames),
      get queuedBytes() {
        return peer.queuedBytes;
      },
      drained: () => Promise.resolve(),
      isClosed: false,
      end: () => this.close(),
    };
    // A changed format needs a new offer.
    this.#feed.play(sender, { onEnd: () => this.close(), onSent: this.#options.grant.onSent });
  }

  async #whenReady(): Promise<void> {
    const { promise, reject } = Promise.withResolvers<never>();
    const cancel = this.#options.clock.after(FORMAT_WITHIN_MS, () =>
      reject(new RtcRefusal('the camera sends nothing')),
    );
    try {
      await Promise.race([this.#feed.ready, promise]);
    } finally {
      cancel();
    }
  }
}
