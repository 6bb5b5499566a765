// The audio of one talk that comes by WebRTC: from the page's offer until nothing comes that way any more.
import type { TalkCodec } from '@vedette/contract/talk-wire.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { RtcRefusal, type RtcTalker, type RtcWorker } from '../whep/rtc-worker.ts';

export interface DirectAudioOptions {
  readonly offer: string;
  readonly codec: TalkCodec;
  readonly worker: Pick<RtcWorker, 'receive'>;
  readonly clock: Pick<Clock, 'after'>;
  /** Null: there is no direct way, or none any more. Null is the last. */
  readonly onAnswer: (sdp: string | null) => void;
  readonly onAudio: (audio: Buffer) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Well below the silence that ends a talk: the page continues through its socket. */
const LOST_AFTER_MS = 600;

export class DirectAudio {
  readonly #options: DirectAudioOptions;
  readonly #talker: RtcTalker;
  #isOver = false;
  #isCarrying = false;
  #cancelLost: () => void = () => undefined;

  constructor(options: DirectAudioOptions) {
    this.#options = options;
    const { offer, codec, worker, onAnswer, onFailure } = options;
    this.#talker = worker.receive(offer, codec, {
      audio: (audio) => this.#received(audio),
      closed: () => this.#lost(),
    });
    this.#talker.answer.then(
      (sdp) => {
        if (!this.#isOver) onAnswer(sdp);
      },
      (error: unknown) => {
        if (!(error instanceof RtcRefusal)) onFailure(error);
        this.#lost();
      },
    );
  }

  /** Audio comes this way now. */
  get isCarrying(): boolean {
    return this.#isCarrying;
  }

  close(): void {
    this.#isOver = true;
    this.#isCarrying = false;
    this.#cancelLost();
    this.#talker.close();
  }

  #received(audio: Buffer): void {
    if (this.#isOver) return;
    this.#isCarrying = true;
    this.#cancelLost();
    this.#cancelLost = this.#options.clock.after(LOST_AFTER_MS, () => this.#lost());
    this.#options.onAudio(audio);
  }

  #lost(): void {
    if (this.#isOver) return;
    this.close();
    this.#options.onAnswer(null);
  }
}
