// One RTMP connection from the client's side: handshake, chunks in both directions, control messages, and commands with their answers.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Duplex } from 'node:stream';
import { AmfError, type AmfValue, readAmf, writeAmf } from '../amf/amf0.ts';
import { ChunkReader, type ReadMessage } from './chunk-reader.ts';
import { DEFAULT_CHUNK_BYTES, type RtmpMessage, writeChunks } from './chunk-writer.ts';
import { clientAnswer, clientHello, SERVER_HANDSHAKE_BYTES } from './handshake.ts';
import { RTMP_EVENT, RTMP_MESSAGE } from './message-types.ts';
import { RtmpError } from './rtmp-error.ts';

export interface RtmpConnectionOptions {
  readonly clock: Clock;
  readonly randomBytes: (size: number) => Buffer;
  /** For the handshake and for each command. */
  readonly answerWithinMs: number;
  /** A command of the server that is no answer: its name and its arguments behind the transaction. */
  readonly onCommand: (name: string, args: readonly AmfValue[]) => void;
  /** Called once, with the reason; also after `close` and `finish`. */
  readonly onClosed: (error: RtmpError) => void;
}

interface Pending {
  readonly resolve: (values: readonly AmfValue[]) => void;
  readonly reject: (error: RtmpError) => void;
  readonly cancelTimer: () => void;
}

/** Fewer headers than 128 bytes, and audio is still sent between the chunks of no frame for long. */
const CHUNK_BYTES = 4096;
const CONTROL_STREAM = 2;
const COMMAND_STREAM = 3;
/** A server that says nothing else wants an acknowledgement for each. */
const DEFAULT_WINDOW_BYTES = 2_500_000;
/** What a server that repeats pings without reading may leave unsent. */
const MOST_UNSENT_BYTES = 262_144;
const FINISH_WITHIN_MS = 1000;

export class RtmpConnection {
  readonly #socket: Duplex;
  readonly #options: RtmpConnectionOptions;
  readonly #reader = new ChunkReader();
  readonly #pending = new Map<number, Pending>();
  readonly #greeted = Promise.withResolvers<void>();
  #greeting: Buffer | null = Buffer.alloc(0);
  #chunkBytes = DEFAULT_CHUNK_BYTES;
  #transaction = 0;
  #windowBytes = DEFAULT_WINDOW_BYTES;
  #received = 0;
  #acknowledged = 0;
  #written = 0;
  #closed: RtmpError | null = null;

  /** @param socket connected, with TLS where the address asks for it; ends with the connection */
  constructor(socket: Duplex, options: RtmpConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    // Whoever waits for it is told; nobody may wait any more.
    this.#greeted.promise.catch(() => undefined);
    socket.on('data', (bytes: Buffer) => this.#read(bytes));
    socket.on('error', (error: Error) => this.#end(new RtmpError('closed', 'the connection broke', { cause: error })));
    socket.on('close', () => this.#end(new RtmpError('closed', 'the server closed the connection')));
    socket.on('end', () => this.#end(new RtmpError('closed', 'the server ended the connection')));
  }

  /** Bytes that the network has not taken yet. */
  get queuedBytes(): number {
    return this.#socket.writableLength;
  }

  /** Bytes that it has taken; of messages, not of TLS. */
  get takenBytes(): number {
    return this.#written - this.#socket.writableLength;
  }

  /** Rejects with RtmpError. */
  async handshake(): Promise<void> {
    const { clock, randomBytes, answerWithinMs } = this.#options;
    const cancel = clock.after(answerWithinMs, () =>
      this.close(new RtmpError('timeout', 'no answer to the handshake')),
    );
    const hello = clientHello(randomBytes);
    this.#written += hello.length;
    this.#socket.write(hello);
    await this.#greeted.promise.finally(cancel);
    const size = Buffer.alloc(4);
    size.writeUInt32BE(CHUNK_BYTES);
    this.#control(RTMP_MESSAGE.setChunkSize, size);
    this.#chunkBytes = CHUNK_BYTES;
  }

  /** The values of the answer behind its transaction; rejects with RtmpError. */
  async call(name: string, args: readonly AmfValue[]): Promise<readonly AmfValue[]> {
    if (this.#closed) throw this.#closed;
    const transaction = this.#command(name, 0, args);
    const { promise, resolve, reject } = Promise.withResolvers<readonly AmfValue[]>();
    const late = new RtmpError('timeout', `no answer to ${name}`);
    const cancelTimer = this.#options.clock.after(this.#options.answerWithinMs, () => this.close(late));
    this.#pending.set(transaction, { resolve, reject, cancelTimer });
    return await promise;
  }

  /** A command whose answer nobody waits for. */
  tell(name: string, stream: number, args: readonly AmfValue[]): void {
    this.#command(name, stream, args);
  }

  send(message: RtmpMessage): void {
    if (this.#closed || !this.#socket.writable) return;
    const bytes = writeChunks(message, this.#chunkBytes);
    this.#written += bytes.length;
    this.#socket.write(bytes);
  }

  /** At once. */
  close(reason: RtmpError): void {
    this.#end(reason);
  }

  /** Once the network has taken what was sent, or after a second. */
  finish(): void {
    const socket = this.#socket;
    const cancel = this.#options.clock.after(FINISH_WITHIN_MS, () => this.#end(finished()));
    socket.once('close', cancel);
    socket.end(() => this.#end(finished()));
  }

  #end(error: RtmpError): void {
    if (this.#closed) return;
    this.#closed = error;
    this.#socket.destroy();
    this.#greeted.reject(error);
    for (const { reject, cancelTimer } of this.#pending.values()) {
      cancelTimer();
      reject(error);
    }
    this.#pending.clear();
    this.#options.onClosed(error);
  }

  #read(bytes: Buffer): void {
    if (this.#closed) return;
    this.#received += bytes.length;
    try {
      const rest = this.#greeting === null ? bytes : this.#greet(Buffer.concat([this.#greeting, bytes]));
      if (rest.length > 0) for (const message of this.#reader.push(rest)) this.#message(message);
    } catch (error) {
      if (error instanceof RtmpError) this.#end(error);
      else if (error instanceof AmfError) this.#end(new RtmpError('protocol', error.message, { cause: error }));
      else throw error;
    }
    this.#acknowledge();
  }

  /** What follows the handshake; nothing while it is not whole. */
  #greet(bytes: Buffer): Buffer {
    this.#greeting = bytes;
    const answer = clientAnswer(bytes);
    if (bytes.length < SERVER_HANDSHAKE_BYTES) return Buffer.alloc(0);
    this.#greeting = null;
    this.#written += answer.length;
    this.#socket.write(answer);
    this.#greeted.resolve();
    return bytes.subarray(SERVER_HANDSHAKE_BYTES);
  }

  #message({ type, payload }: ReadMessage): void {
    if (type === RTMP_MESSAGE.command) this.#answered(payload);
    if (type === RTMP_MESSAGE.windowSize && payload.length >= 4) this.#windowBytes = payload.readUInt32BE(0);
    if (type !== RTMP_MESSAGE.userControl || payload.length < 6) return;
    if (payload.readUInt16BE(0) !== RTMP_EVENT.pingRequest || this.queuedBytes > MOST_UNSENT_BYTES) return;
    const answer = Buffer.from(payload.subarray(0, 6));
    answer.writeUInt16BE(RTMP_EVENT.pingResponse, 0);
    this.#control(RTMP_MESSAGE.userControl, answer);
  }

  #answered(payload: Buffer): void {
    const [name, transaction, ...args] = readAmf(payload);
    if (typeof name !== 'string') throw new RtmpError('protocol', 'a command without a name');
    const isAnswer = name === '_result' || name === '_error';
    if (!isAnswer) return this.#options.onCommand(name, args);
    const pending = typeof transaction === 'number' ? this.#pending.get(transaction) : undefined;
    // Not each answer is waited for.
    if (pending === undefined) return;
    this.#pending.delete(Number(transaction));
    pending.cancelTimer();
    if (name === '_result') pending.resolve(args);
    else pending.reject(refusalOf(args.at(-1) ?? null));
  }

  /** 5.4.3: at least once for each window, here twice. */
  #acknowledge(): void {
    if (this.#closed || this.#received - this.#acknowledged < this.#windowBytes / 2) return;
    this.#acknowledged = this.#received;
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(this.#received % 2 ** 32);
    if (this.#greeting === null) this.#control(RTMP_MESSAGE.acknowledgement, bytes);
  }

  #control(type: number, payload: Buffer): void {
    this.send({ chunkStream: CONTROL_STREAM, type, stream: 0, timestampMs: 0, payload: [payload] });
  }

  #command(name: string, stream: number, args: readonly AmfValue[]): number {
    const transaction = ++this.#transaction;
    const payload = [writeAmf([name, transaction, ...args])];
    this.send({ chunkStream: COMMAND_STREAM, type: RTMP_MESSAGE.command, stream, timestampMs: 0, payload });
    return transaction;
  }
}

function finished(): RtmpError {
  return new RtmpError('closed', 'finished by this side');
}

/** Information object of an `_error` or of a status of level `error` (Adobe RTMP 1.0, 7.2.2); `ex` is what servers add to redirect. */
export function refusalOf(info: AmfValue): RtmpError {
  const { code, description, ex } = fieldsOf(info);
  const isRedirect = fieldsOf(ex ?? null)['redirect'] !== undefined;
  const words = [code, description].filter((word) => typeof word === 'string').join(': ');
  return new RtmpError(isRedirect ? 'redirected' : 'refused', words.slice(0, 200) || 'refused without a reason');
}

/** The fields of an object; none of anything else. */
export function fieldsOf(value: AmfValue): Partial<Record<string, AmfValue>> {
  return isObject(value) ? { ...value } : {};
}

function isObject(value: AmfValue): value is { readonly [key: string]: AmfValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
