// One stream of a tunnel as a duplex socket with flow control by window.
import { Duplex } from 'node:stream';

/** Window: bytes under way to a reader; two of them fill a connection of 40 Mbit/s and 100 ms. */
export const WINDOW_BYTES = 512 * 1024;
/** Largest data frame, so that a video frame delays other streams no longer than this. */
const PIECE_BYTES = 32 * 1024;
/** Window updates are sent in pieces of this size. */
const ROOM_STEP_BYTES = WINDOW_BYTES / 8;

export interface TunnelStreamPort {
  /** `sent` is called when the connection accepted it. */
  readonly data: (piece: Buffer, sent: (error?: Error | null) => void) => void;
  readonly room: (bytes: number) => void;
  readonly end: () => void;
  readonly reset: () => void;
  readonly closed: () => void;
}

export class TunnelStream extends Duplex {
  readonly #port: TunnelStreamPort;
  #room = WINDOW_BYTES;
  #waiting: { rest: Buffer; done: (error?: Error | null) => void } | null = null;
  /** Received and not read yet. */
  #arrived: Buffer[] = [];
  #arrivedBytes = 0;
  #readBytes = 0;
  #isOver = false;
  #wantsMore = false;

  constructor(port: TunnelStreamPort) {
    super({ allowHalfOpen: false });
    this.#port = port;
  }

  /** False if the peer exceeds the window. */
  arrive(bytes: Buffer): boolean {
    if (this.destroyed) return true;
    this.#arrived.push(bytes);
    this.#arrivedBytes += bytes.length;
    if (this.#arrivedBytes > WINDOW_BYTES) return false;
    this.#pass();
    return true;
  }

  arriveEnd(): void {
    this.#isOver = true;
    this.#pass();
  }

  addRoom(bytes: number): void {
    this.#room += bytes;
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting) this.#send(waiting.rest, waiting.done);
  }

  override _read(): void {
    this.#wantsMore = true;
    this.#pass();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#send(chunk, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#port.end();
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const isOrderly = this.writableFinished && this.#isOver && this.#arrived.length === 0;
    if (!isOrderly) this.#port.reset();
    this.#arrived = [];
    this.#waiting?.done(error);
    this.#waiting = null;
    this.#port.closed();
    done(error);
  }

  #send(chunk: Buffer, done: (error?: Error | null) => void): void {
    if (this.destroyed) {
      done();
    } else if (this.#room === 0) {
      this.#waiting = { rest: chunk, done };
    } else {
      const piece = chunk.subarray(0, Math.min(PIECE_BYTES, this.#room));
      const rest = chunk.subarray(piece.length);
      this.#room -= piece.length;
      this.#port.data(piece, rest.length === 0 ? done : (error) => (error ? done(error) : this.#send(rest, done)));
    }
  }

  #pass(): void {
    while (this.#wantsMore && this.#arrived.length > 0) {
      const bytes = this.#arrived.shift() as Buffer;
      this.#arrivedBytes -= bytes.length;
      this.#give(bytes.length);
      // The reader may ask for more while it takes this: that request comes only once and must be kept.
      this.#wantsMore = false;
      if (this.push(bytes)) this.#wantsMore = true;
    }
    if (this.#isOver && this.#arrived.length === 0) this.push(null);
  }

  #give(bytes: number): void {
    this.#readBytes += bytes;
    if (this.#readBytes < ROOM_STEP_BYTES) return;
    this.#port.room(this.#readBytes);
    this.#readBytes = 0;
  }
}
