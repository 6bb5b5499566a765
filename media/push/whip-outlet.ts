// Sends a stream to a WHIP server over WebRTC: H.264, or H.265 where the server takes it, with Opus or G.711 as the camera gives it.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { RtspSender } from '@vedette/protocols/rtsp/server/server-mount.ts';
import { RestreamFeed } from '../restream/restream-feed.ts';
import { audioOf } from '../whep/rtc-audio.ts';
import type { RtcPlan } from '../whep/rtc-messages.ts';
import { RtcRefusal, type RtcServer, type RtcWorker } from '../whep/rtc-worker.ts';
import { offeredVideo } from '../whep/video-parameters.ts';
import type { MediaFormat } from '../stream/stream.ts';
import { PushFault } from './push-fault.ts';
import type { PushConnection, PushOrder, PushOutlet } from './push-outlet.ts';
import { readAnswer } from './whip-answer.ts';
import type { WhipHttp } from './whip-http.ts';

export interface WhipOutletOptions {
  readonly clock: Clock;
  readonly worker: Pick<RtcWorker, 'offer'>;
  readonly http: WhipHttp;
  readonly random32: () => number;
  /** Whether the policy lets media go there. */
  readonly allows: (address: string, port: number) => boolean;
}

/** For dialling and answering the offer. */
const ANSWER_WITHIN_MS = 10_000;
const GOODBYE_WITHIN_MS = 1500;
/** What a server is asked to take when it is only tried. */
const PROBED: RtcPlan = {
  video: offeredVideo({ codec: 'h264', config: Buffer.alloc(0) }) ?? { codec: 'H264', parameters: [] },
  audio: 'opus',
};
const VIDEO_CHANNEL = 0;
const AUDIO_CHANNEL = 2;
const FRAME_HEAD_BYTES = 4;

export class WhipOutlet implements PushOutlet {
  readonly #options: WhipOutletOptions;

  constructor(options: WhipOutletOptions) {
    this.#options = options;
  }

  takes({ video }: MediaFormat): boolean {
    return video !== null && offeredVideo(video) !== null;
  }

  async connect({ stream, onSent, signal }: PushOrder): Promise<PushConnection> {
    const session = await this.#open(planOf(stream.currentFormat), signal, () => stream.requestKeyframe());
    const { random32, clock } = this.#options;
    const counters = { packets: 0, bytes: 0, skippedUnits: 0, unsendableUnits: 0 };
    const feed = new RestreamFeed({ stream, random32, monotonicMs: () => clock.monotonicMs(), counters });
    const sender = session.sender(onSent);
    const begin = (): void => {
      feed.attach();
      // A changed format needs a new offer.
      feed.play(sender, { onEnd: () => session.finish() });
    };
    return { begin, closed: session.closed.finally(() => feed.close()), finish: () => session.finish() };
  }

  /** Opens a session, and ends it at once. Rejects as `connect` does. */
  async probe(signal: AbortSignal): Promise<void> {
    const session = await this.#open(PROBED, signal, () => undefined);
    session.finish();
    await session.closed;
  }

  async #open(plan: RtcPlan, signal: AbortSignal, keyWanted: () => void): Promise<WhipSession> {
    const session = new WhipSession(this.#options, plan, keyWanted);
    const giveUp = (): void => session.finish();
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      signal.throwIfAborted();
      await session.open(signal);
      return session;
    } catch (error) {
      session.finish();
      await session.closed;
      throw error;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }
}

class WhipSession {
  readonly #options: WhipOutletOptions;
  readonly #plan: RtcPlan;
  readonly #peer: RtcServer;
  readonly #connected = Promise.withResolvers<void>();
  readonly #gone = Promise.withResolvers<void>();
  #resource: URL | null = null;
  #hasAudio = false;
  #isFinished = false;
  /** When the peer is gone and the server was told. */
  readonly closed: Promise<PushFault>;

  constructor(options: WhipOutletOptions, plan: RtcPlan, keyWanted: () => void) {
    this.#options = options;
    this.#plan = plan;
    // Whoever awaits it hears of it.
    this.#connected.promise.catch(() => undefined);
    this.#peer = options.worker.offer(plan, {
      connected: () => this.#connected.resolve(),
      refused: () => this.#connected.reject(new PushFault('answer', 'the answer is none to the offer')),
      keyWanted,
      closed: () => {
        this.#connected.reject(new PushFault('noMediaPath', 'no connection for media came about'));
        this.#gone.resolve();
      },
    });
    this.closed = this.#gone.promise.then(() => this.#sayGoodbye());
  }

  /** Rejects with PushFault, or with the reason of the signal. */
  async open(signal: AbortSignal): Promise<void> {
    const { http, clock, allows } = this.#options;
    const late = new AbortController();
    const cancel = clock.after(ANSWER_WITHIN_MS, () => late.abort(new PushFault('timeout', 'no answer in time')));
    try {
      const offer = await this.#offer();
      const { sdp, resource } = await http.offer(offer, AbortSignal.any([signal, late.signal]));
      this.#resource = resource;
      const answer = readAnswer(sdp, this.#plan, allows);
      this.#hasAudio = answer.hasAudio;
      this.#peer.accept(answer.sdp);
    } finally {
      cancel();
    }
    signal.throwIfAborted();
    await this.#connected.promise;
  }

  sender(onSent: (bytes: number) => void): RtspSender {
    const peer = this.#peer;
    return {
      send: (frames) => {
        peer.send(frames);
        onSent(mediaBytes(frames, this.#hasAudio));
      },
      get queuedBytes() {
        return peer.queuedBytes;
      },
      drained: () => Promise.resolve(),
      isClosed: false,
      end: () => this.finish(),
    };
  }

  finish(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.#peer.close();
  }

  async #offer(): Promise<string> {
    try {
      return await this.#peer.offer;
    } catch (error) {
      if (error instanceof RtcRefusal) throw new PushFault('noMediaPath', error.message, { cause: error });
      throw error;
    }
  }

  async #sayGoodbye(): Promise<PushFault> {
    const late = new AbortController();
    const cancel = this.#options.clock.after(GOODBYE_WITHIN_MS, () =>
      late.abort(new PushFault('timeout', 'no answer')),
    );
    try {
      if (this.#resource !== null) await this.#options.http.end(this.#resource, late.signal);
    } catch {
      // It sees by itself that nothing comes any more.
    } finally {
      cancel();
    }
    return new PushFault('closed', 'the connection for media has ended');
  }
}

/** AAC is left out: WebRTC knows no AAC. */
function planOf(format: MediaFormat | null): RtcPlan {
  const video = format?.video ? offeredVideo(format.video) : null;
  if (format === null || video === null) throw new PushFault('codec', 'nothing that WebRTC carries');
  return { video, audio: audioOf(format) };
}

/** Of `$` frames: what the worker sends, without what it leaves out. */
function mediaBytes(frames: Buffer, hasAudio: boolean): number {
  let bytes = 0;
  for (let at = 0; at + FRAME_HEAD_BYTES <= frames.length; ) {
    const channel = frames.readUInt8(at + 1);
    const length = frames.readUInt16BE(at + 2);
    if (channel === VIDEO_CHANNEL || (channel === AUDIO_CHANNEL && hasAudio)) bytes += length;
    at += FRAME_HEAD_BYTES + length;
  }
  return bytes;
}
