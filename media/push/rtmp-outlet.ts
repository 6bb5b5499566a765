// Sends a stream to an RTMP server: connects, publishes, and notices a server that takes nothing any more.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { PublishAddress } from '@vedette/protocols/rtmp/publish-address.ts';
import { RtmpPublisher } from '@vedette/protocols/rtmp/publisher.ts';
import { RtmpError } from '@vedette/protocols/rtmp/rtmp-error.ts';
import type { Duplex } from 'node:stream';
import type { MediaFormat } from '../stream/stream.ts';
import { PushFault } from './push-fault.ts';
import { PushFeed, pushableVideo } from './push-feed.ts';
import type { PushConnection, PushOrder, PushOutlet } from './push-outlet.ts';

export interface RtmpOutletOptions {
  readonly clock: Clock;
  readonly address: PublishAddress;
  /** Rejects with PushFault, or with the reason of the signal. */
  readonly dial: (address: PublishAddress, signal: AbortSignal) => Promise<Duplex>;
  readonly randomBytes: (size: number) => Buffer;
}

const ANSWER_WITHIN_MS = 10_000;
const DIAL_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 1000;
/** Nothing of what waits was taken for so long. */
const STALL_MS = 10_000;

export class RtmpOutlet implements PushOutlet {
  readonly #options: RtmpOutletOptions;

  constructor(options: RtmpOutletOptions) {
    this.#options = options;
  }

  takes({ video }: MediaFormat): boolean {
    return pushableVideo(video) !== null;
  }

  async connect(order: PushOrder): Promise<PushConnection> {
    const { promise, resolve: onClosed } = Promise.withResolvers<RtmpError>();
    const publisher = await this.#publisher(order.signal, onClosed);
    const feed = new PushFeed({ publisher, onSent: order.onSent, onOtherCodec: () => publisher.finish() });
    let end: () => void = () => undefined;
    const begin = (): void => {
      const leave = order.stream.addConsumer(feed);
      for (const unit of order.stream.gopUnits()) feed.accessUnit(unit);
      const stopWatching = this.#watch(publisher);
      end = () => {
        stopWatching();
        leave();
      };
    };
    return { begin, closed: promise.finally(() => end()), finish: () => publisher.finish() };
  }

  async #publisher(signal: AbortSignal, onClosed: (error: RtmpError) => void): Promise<RtmpPublisher> {
    const { clock, address, dial, randomBytes } = this.#options;
    const late = new AbortController();
    const cancel = clock.after(DIAL_WITHIN_MS, () => late.abort(new PushFault('timeout', 'not connected in time')));
    const socket = await dial(address, AbortSignal.any([signal, late.signal])).finally(cancel);
    const giveUp = (): void => void socket.destroy();
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    try {
      return await RtmpPublisher.open(socket, address, {
        clock,
        randomBytes,
        answerWithinMs: ANSWER_WITHIN_MS,
        onClosed,
      });
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  /** Closes a connection whose server takes nothing any more. */
  #watch(publisher: RtmpPublisher): () => void {
    const { clock } = this.#options;
    let taken = -1;
    let movedMs = clock.monotonicMs();
    const look = (): void => {
      const now = clock.monotonicMs();
      const { queuedBytes, takenBytes } = publisher;
      if (queuedBytes === 0 || takenBytes !== taken) movedMs = now;
      taken = takenBytes;
      if (now - movedMs >= STALL_MS) publisher.close(new RtmpError('timeout', 'the server takes nothing any more'));
      else cancel = clock.after(LOOK_EVERY_MS, look);
    };
    let cancel = clock.after(LOOK_EVERY_MS, look);
    return () => cancel();
  }
}
