// Manages the WebRTC worker: started with the first viewer, restarted after a crash, ended without viewers.
import { Worker } from 'node:worker_threads';
import type { FromRtcWorker, RtcAudioCodec, ToRtcWorker } from './rtc-messages.ts';

export interface RtcPeer {
  readonly answer: Promise<string>;
  send(frames: Buffer): void;
  /** Bytes not sent yet. */
  readonly queuedBytes: number;
  close(): void;
}

export interface RtcPeerEvents {
  readonly connected: () => void;
  readonly keyWanted: () => void;
  readonly closed: () => void;
}

/** The offer cannot be met. */
export class RtcRefusal extends Error {
  override readonly name = 'RtcRefusal';
}

const HEAP_MB = 256;

interface Held {
  readonly answer: PromiseWithResolvers<string>;
  readonly events: RtcPeerEvents;
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
    const id = this.#nextId++;
    const held: Held = { answer: Promise.withResolvers<string>(), events, queuedBytes: 0 };
    // The viewer may have been closed meanwhile.
    held.answer.promise.catch(() => undefined);
    this.#peers.set(id, held);
    this.#post({ type: 'open', id, offer, audio });
    return {
      answer: held.answer.promise,
      send: (frames) => {
        if (!this.#peers.has(id)) return;
        held.queuedBytes += frames.length;
        this.#post({ type: 'frames', id, frames });
      },
      get queuedBytes() {
        return held.queuedBytes;
      },
      close: () => {
        if (this.#peers.has(id)) this.#post({ type: 'close', id });
      },
    };
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    this.#endAll();
    await thread?.terminate();
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
    if (message.type === 'answer') held.answer.resolve(message.answer);
    else if (message.type === 'refused') held.answer.reject(new RtcRefusal('the offer cannot be met'));
    else if (message.type === 'sent') held.queuedBytes -= message.bytes;
    else if (message.type === 'connected') held.events.connected();
    else if (message.type === 'keyWanted') held.events.keyWanted();
    else this.#end(message.id, held);
  }

  #end(id: number, held: Held): void {
    this.#peers.delete(id);
    held.answer.reject(new RtcRefusal('the viewer is gone'));
    held.events.closed();
  }

  #endAll(): void {
    for (const [id, held] of this.#peers) this.#end(id, held);
  }
}
