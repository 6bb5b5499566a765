// Manages the WebRTC worker: started with the first peer, restarted after a crash.
import { Worker } from 'node:worker_threads';
import type { FromRtcWorker, RtcAudioCodec, RtcPlan, RtcTalkCodec, ToRtcWorker } from './rtc-messages.ts';

export interface RtcPeer {
  readonly answer: Promise<string>;
  send(frames: Buffer): void;
  /** Left out where the viewer does not take them. */
  sendTracks(text: string): void;
  /** Bytes not sent yet. */
  readonly queuedBytes: number;
  close(): void;
}

/** Somebody who talks; sends nothing back. */
export type RtcTalker = Pick<RtcPeer, 'answer' | 'close'>;

export interface RtcTalkerEvents {
  /** Samples as they came. */
  readonly audio: (audio: Buffer) => void;
  readonly closed: () => void;
}

/** A server that we send to. */
export interface RtcServer extends Omit<RtcPeer, 'answer' | 'sendTracks'> {
  readonly offer: Promise<string>;
  /** Its answer to the offer. */
  accept(answer: string): void;
}

export interface RtcServerEvents extends Omit<RtcPeerEvents, 'follow'> {
  /** Its answer is none; `closed` follows. */
  readonly refused: () => void;
}

export interface RtcPeerEvents {
  readonly connected: () => void;
  readonly keyWanted: () => void;
  readonly follow: (tracks: boolean) => void;
  readonly closed: () => void;
}

/** The offer cannot be met. */
export class RtcRefusal extends Error {
  override readonly name = 'RtcRefusal';
}

const HEAP_MB = 256;

interface Held {
  /** Our answer or our offer. */
  readonly description: PromiseWithResolvers<string>;
  readonly events: Partial<RtcPeerEvents & RtcServerEvents & RtcTalkerEvents> & Pick<RtcPeerEvents, 'closed'>;
  queuedBytes: number;
}

export class RtcWorker {
  readonly #onFailure: (error: unknown) => void;
  readonly #peers = new Map<number, Held>();
  #thread: Worker | null = null;
  #nextId = 1;

  constructor(options: { readonly onFailure: (error: unknown) => void }) {
    this.#onFailure = options.onFailure;
  }

  get peers(): number {
    return this.#peers.size;
  }

  open(offer: string, audio: RtcAudioCodec | null, events: RtcPeerEvents): RtcPeer {
    const { id, held, answer, close } = this.#hold(events);
    this.#post({ type: 'open', id, offer, audio });
    return Object.assign(this.#sender(id, held), {
      answer,
      close,
      sendTracks: (text: string): void => {
        if (this.#peers.has(id)) this.#post({ type: 'tracks', id, text });
      },
    });
  }

  /** Offers to send. */
  offer({ video, audio }: RtcPlan, events: RtcServerEvents): RtcServer {
    const { id, held, answer: offer, close } = this.#hold(events);
    this.#post({ type: 'offer', id, video, audio });
    const accept = (answer: string): void => {
      if (this.#peers.has(id)) this.#post({ type: 'accept', id, answer });
    };
    return Object.assign(this.#sender(id, held), { offer, accept, close });
  }

  /** Listens to a talker. */
  receive(offer: string, codec: RtcTalkCodec, events: RtcTalkerEvents): RtcTalker {
    const { id, answer, close } = this.#hold(events);
    this.#post({ type: 'receive', id, offer, codec });
    return { answer, close };
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    this.#endAll();
    await thread?.terminate();
  }

  #hold(events: Held['events']): Pick<RtcPeer, 'answer' | 'close'> & { readonly id: number; readonly held: Held } {
    const id = this.#nextId++;
    const held: Held = { description: Promise.withResolvers<string>(), events, queuedBytes: 0 };
    // The peer may have been closed meanwhile.
    held.description.promise.catch(() => undefined);
    this.#peers.set(id, held);
    const close = (): void => {
      if (this.#peers.has(id)) this.#post({ type: 'close', id });
    };
    return { id, held, answer: held.description.promise, close };
  }

  #sender(id: number, held: Held): Pick<RtcPeer, 'send' | 'queuedBytes'> {
    const peers = this.#peers;
    const post = (message: ToRtcWorker): void => this.#post(message);
    return {
      send(frames) {
        if (!peers.has(id)) return;
        held.queuedBytes += frames.length;
        post({ type: 'frames', id, frames });
      },
      get queuedBytes() {
        return held.queuedBytes;
      },
    };
  }

  #post(message: ToRtcWorker): void {
    this.#thread ??= this.#start();
    this.#thread.postMessage(message);
  }

  #start(): Worker {
    const thread = new Worker(new URL('main-rtc-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    thread.on('message', (message: FromRtcWorker) => this.#heard(message));
    thread.on('error', (error) => this.#onFailure(error));
    thread.on('exit', () => {
      if (this.#thread !== thread) return;
      this.#thread = null;
      this.#endAll();
    });
    // Must not keep a process alive that is shutting down.
    thread.unref();
    return thread;
  }

  #heard(message: FromRtcWorker): void {
    const held = this.#peers.get(message.id);
    if (!held) return;
    if (message.type === 'described') held.description.resolve(message.description);
    else if (message.type === 'refused') {
      held.description.reject(new RtcRefusal('the offer cannot be met'));
      held.events.refused?.();
    } else if (message.type === 'closed') this.#end(message.id, held);
    else this.#happened(message, held);
  }

  #happened(
    message: Extract<FromRtcWorker, { type: 'connected' | 'keyWanted' | 'follow' | 'sent' | 'audio' }>,
    held: Held,
  ): void {
    if (message.type === 'sent') held.queuedBytes -= message.bytes;
    else if (message.type === 'connected') held.events.connected?.();
    else if (message.type === 'keyWanted') held.events.keyWanted?.();
    else if (message.type === 'follow') held.events.follow?.(message.tracks);
    else {
      const { buffer, byteOffset, byteLength } = message.audio;
      held.events.audio?.(Buffer.from(buffer, byteOffset, byteLength));
    }
  }

  #end(id: number, held: Held): void {
    this.#peers.delete(id);
    held.description.reject(new RtcRefusal('the peer is gone'));
    held.events.closed();
  }

  #endAll(): void {
    for (const [id, held] of this.#peers) this.#end(id, held);
  }
}
