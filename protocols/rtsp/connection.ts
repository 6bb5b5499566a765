// One RTSP client connection: requests one after another, sign-in, answers matched leniently, frames handed on in place.
import { SerialQueue } from '@vedette/foundation/concurrency/serial-queue.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  chooseChallenge,
  refuseWeaker,
  RtspAuthorizer,
  type RtspChallenge,
  type RtspCredentials,
} from './authentication.ts';
import { readAtOnce } from '../sockets/at-once.ts';
import type { RtspDial } from './dial.ts';
import {
  encodeRtspRequest,
  encodeRtspResponse,
  RtspHeaders,
  RtspParseError,
  RtspParser,
  type RtspRequest,
  type RtspResponse,
  writeInterleavedHeader,
} from './message.ts';
import { ReadRounds } from './read-rounds.ts';
import { errorOfStatus, RtspError } from './rtsp-error.ts';

export interface RtspConnectionOptions {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  readonly credentials: RtspCredentials | null;
  readonly dial: RtspDial;
  readonly clock: Clock;
  /** Fresh random text for sign-in. */
  readonly clientNonce: () => string;
  readonly userAgent: string;
  readonly requestTimeoutMs: number;
  /** Asked with every read: whether nobody minds that what follows is read in rounds. */
  readonly isPatient?: (() => boolean) | undefined;
  /** One `$` frame, valid only during the call. */
  readonly onFrame: (channel: number, buffer: Buffer, start: number, end: number) => void;
  /** Called once, with the reason. */
  readonly onClosed: (error: RtspError) => void;
}

/** Every connection reads into this buffer: parsing is synchronous, so nothing in it outlives a read. */
const READ_BUFFER = Buffer.allocUnsafeSlow(262_144);
/** Answers later than this many requests are forgotten. */
const MAX_LATE = 16;
/** A device that sends more in one go is not held up: its window would close. Up to 5 Mbit/s are read in rounds. */
const ROUND_MAX_BYTES = 131_072;
/** To find nothing costs as much as several reads. */
const SPARSE_ROUNDS = 50;
/** Bytes a device may leave unread before the connection counts as dead. */
const MAX_UNSENT = 262_144;

interface Pending {
  readonly sequence: number;
  readonly resolve: (response: RtspResponse) => void;
  readonly reject: (error: RtspError) => void;
  readonly cancelTimer: () => void;
}

export class RtspConnection {
  readonly #options: RtspConnectionOptions;
  readonly #parser: RtspParser;
  #socket: Duplex | null = null;
  #closed: RtspError | null = null;
  #sequence = 0;
  #pending: Pending | null = null;
  readonly #requests = new SerialQueue();
  readonly #late = new Set<number>();
  #authorizer: RtspAuthorizer | null = null;
  #challenge: RtspChallenge | null = null;
  #signedIn = false;
  #paused = false;
  /** The socket is not read until the next round. */
  #isResting = false;
  /** The next round knows of us. */
  #isQueued = false;
  /** Rounds in which nothing had come make so many that follow wait for the socket instead. */
  #sparseRounds = 0;
  readonly #round = (): void => {
    this.#isQueued = false;
    this.#readOn();
  };
  bytesRead = 0;

  constructor(options: RtspConnectionOptions) {
    this.#options = options;
    this.#parser = new RtspParser({
      request: (request) => this.#answer(request),
      response: (response) => this.#settle(response),
      interleaved: options.onFrame,
    });
  }

  /** The challenge of the device, so that a second connection can sign in at once. */
  get challenge(): RtspChallenge | null {
    return this.#challenge;
  }

  /** Both ends of the connection, where it is a plain one of its own: media may then come beside it. */
  get ends(): { readonly local: string; readonly peer: string } | null {
    const socket = this.#socket;
    if (!(socket instanceof Socket) || this.#options.isSecure) return null;
    const { localAddress: local, remoteAddress: peer } = socket;
    return local === undefined || peer === undefined ? null : { local, peer };
  }

  async connect(signal: AbortSignal): Promise<void> {
    const { host, port, isSecure, dial } = this.#options;
    const callback = (count: number): boolean => this.#take(READ_BUFFER, count) && !this.#joinsRound(count);
    const onread = { buffer: READ_BUFFER, callback };
    const socket = await dial({ host, port, isSecure, onread, signal });
    this.#socket = socket;
    if (socket instanceof Socket) socket.setKeepAlive(true, 30_000);
    // Silent on a socket that reads into the shared buffer, but there it lets the end of the stream be seen.
    socket.on('data', (chunk: Buffer) => this.#take(chunk, chunk.length));
    socket.on('error', (error) => this.close(new RtspError('unreachable', 'connection broke', { cause: error })));
    socket.on('end', () => this.close(new RtspError('unreachable', 'device closed the connection')));
    socket.on('close', () => this.close(new RtspError('unreachable', 'connection closed')));
    if (signal.aborted) this.close(new RtspError('closed', 'given up'));
    if (this.#closed) {
      socket.destroy();
      throw this.#closed;
    }
  }

  useChallenge(challenge: RtspChallenge): void {
    if (!this.#options.credentials) return;
    this.#challenge = challenge;
    this.#authorizer = new RtspAuthorizer(challenge, this.#options.credentials, this.#options.clientNonce());
  }

  /** Sends a request after the ones before it; answers any 2xx, throws RtspError for everything else. */
  request(
    method: string,
    uri: string,
    extra: Readonly<Record<string, string | undefined>> = {},
  ): Promise<RtspResponse> {
    return this.#requests.run(() => this.#signedRequest(method, uri, extra));
  }

  /** Sends one `$` frame, unless the device has stopped reading. */
  sendFrame(channel: number, payload: Buffer): void {
    const socket = this.#socket;
    if (!socket || this.#closed || socket.writableLength > MAX_UNSENT) return;
    const frame = Buffer.allocUnsafe(4 + payload.length);
    writeInterleavedHeader(frame, 0, channel, payload.length);
    payload.copy(frame, 4);
    socket.write(frame);
  }

  /** Stops reading; the device is slowed down by TCP. */
  pause(): void {
    this.#paused = true;
    this.#socket?.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#isResting = false;
    this.#socket?.resume();
  }

  close(reason: RtspError): void {
    if (this.#closed) return;
    this.#closed = reason;
    this.#socket?.destroy();
    this.#pending?.cancelTimer();
    this.#pending?.reject(reason);
    this.#pending = null;
    this.#options.onClosed(reason);
  }

  #take(bytes: Buffer, count: number): boolean {
    if (this.#closed) return false;
    this.bytesRead += count;
    try {
      this.#parser.push(bytes, 0, count);
    } catch (error) {
      if (!(error instanceof RtspParseError)) throw error;
      this.close(new RtspError('protocol', 'device sent no RTSP', { cause: error }));
    }
    return !this.#paused && !this.#closed;
  }

  /** Until the next round the rest is left with the system. */
  #joinsRound(count: number): boolean {
    const { isPatient, isSecure, clock } = this.#options;
    if (isSecure || this.#pending || count > ROUND_MAX_BYTES || isPatient?.() !== true) return false;
    this.#isResting = true;
    if (!this.#isQueued) ReadRounds.of(clock).join(this.#round);
    this.#isQueued = true;
    return true;
  }

  #readOn(): void {
    if (!this.#isResting) return;
    this.#isResting = false;
    if (!this.#paused && !this.#closed && !this.#readsAtOnce()) this.#socket?.resume();
  }

  /** Without waking the loop for this socket; false where it has to wait for itself. */
  #readsAtOnce(): boolean {
    if (this.#sparseRounds > 0) {
      this.#sparseRounds -= 1;
      return false;
    }
    const count = readAtOnce(this.#socket, READ_BUFFER);
    if (count === 0) {
      this.#sparseRounds = SPARSE_ROUNDS;
      return false;
    }
    return !this.#take(READ_BUFFER, count) || this.#joinsRound(count);
  }

  async #signedRequest(
    method: string,
    uri: string,
    extra: Readonly<Record<string, string | undefined>>,
  ): Promise<RtspResponse> {
    for (let attempt = 0; ; attempt++) {
      const authorizer = this.#authorizer;
      const response = await this.#send(method, uri, {
        ...extra,
        Authorization: authorizer?.authorization(method, uri),
      });
      if (response.status >= 200 && response.status < 300) {
        if (authorizer) this.#signedIn = true;
        authorizer?.accepted();
        return response;
      }
      const refused = errorOfStatus(method, response.status, response.reason, response.headers.get('Location'));
      if (response.status !== 401 || attempt === 2 || !this.#takeChallenge(response, authorizer !== null))
        throw refused;
    }
  }

  /** Whether another try makes sense: a first challenge, a stale nonce, or a new nonce after a good sign-in. */
  #takeChallenge(response: RtspResponse, wasSigned: boolean): boolean {
    const before = this.#challenge;
    const challenge = chooseChallenge(response.headers.getAll('WWW-Authenticate'));
    if (!challenge || !this.#options.credentials) return false;
    refuseWeaker(challenge, this.#options.credentials);
    const nonceBefore = before?.scheme === 'digest' ? before.nonce : null;
    const isFresh =
      challenge.scheme === 'digest' && (challenge.isStale || (this.#signedIn && challenge.nonce !== nonceBefore));
    // The same password against the same nonce would only bring a lock-out nearer.
    if (wasSigned && !isFresh) return false;
    this.useChallenge(challenge);
    return true;
  }

  #send(method: string, uri: string, extra: Readonly<Record<string, string | undefined>>): Promise<RtspResponse> {
    if (this.#closed) return Promise.reject(this.#closed);
    const { promise, resolve, reject } = Promise.withResolvers<RtspResponse>();
    this.#sequence += 1;
    const sequence = this.#sequence;
    const cancelTimer = this.#options.clock.after(this.#options.requestTimeoutMs, () => {
      this.#pending = null;
      this.#late.add(sequence);
      if (this.#late.size > MAX_LATE) this.#late.delete(Math.min(...this.#late));
      reject(new RtspError('timeout', `${method} was not answered`));
    });
    this.#pending = { sequence, resolve, reject, cancelTimer };
    const headers = RtspHeaders.of({ CSeq: String(sequence), 'User-Agent': this.#options.userAgent, ...extra });
    this.#socket?.write(encodeRtspRequest(method, uri, headers));
    // The answer is not left for the next round.
    this.#readOn();
    return promise;
  }

  /** Only one request is ever open, so an answer with a wrong or no number still belongs to it. */
  #settle(response: RtspResponse): void {
    const number = Number.parseInt(response.headers.get('CSeq') ?? '', 10);
    const pending = this.#pending;
    if (!pending || (number !== pending.sequence && this.#late.delete(number))) return;
    this.#pending = null;
    pending.cancelTimer();
    pending.resolve(response);
  }

  /** Some devices ask us for signs of life. */
  #answer(request: RtspRequest): void {
    const known = request.method === 'OPTIONS' || request.method === 'GET_PARAMETER';
    const headers = RtspHeaders.of({
      CSeq: request.headers.get('CSeq'),
      Public: known ? 'OPTIONS, GET_PARAMETER' : undefined,
    });
    const bytes = known ? encodeRtspResponse(200, 'OK', headers) : encodeRtspResponse(501, 'Not Implemented', headers);
    if ((this.#socket?.writableLength ?? 0) < MAX_UNSENT) this.#socket?.write(bytes);
  }
}
