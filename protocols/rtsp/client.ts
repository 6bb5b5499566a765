// Opens an RTSP session and plays it: OPTIONS, DESCRIBE, SETUP, PLAY, keep-alive, TEARDOWN (RFC 2326 10).
import { finishesWithin } from '@vedette/foundation/time/finishes-within.ts';
import { parseSdp, type Sdp, SdpError, type SdpMedia } from '../sdp/sdp.ts';
import { followRedirects, type RequestAttempt } from './follow-redirects.ts';
import type { RtspChallenge, RtspCredentials } from './authentication.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { RtspConnection } from './connection.ts';
import type { RtspDial } from './dial.ts';
import { parsePublic, parseSession } from './header-fields.ts';
import { dialFor } from './http-tunnel.ts';
import { KeepAlive, type KeepAliveMethod } from './keep-alive.ts';
import type { RtspMediaSink } from './media-channel.ts';
import type { RtspResponse } from './message.ts';
import { controlUrl, presentationBase, type RtspTarget } from './request-url.ts';
import { RtspError } from './rtsp-error.ts';
import { type RtspTrack, TrackSet } from './track-set.ts';
import type { TransportKind } from './track-transport.ts';

export type RtspRequestHeaders = Readonly<Record<string, string | undefined>>;

export interface RtspSessionOptions {
  /** `rtsp:` or `rtsps:`; a user and password in it count when `credentials` is null. */
  readonly url: string;
  readonly credentials: RtspCredentials | null;
  readonly dial: RtspDial;
  readonly clock: Clock;
  readonly clientNonce: () => string;
  readonly signal: AbortSignal;
  /** Which media of the description to set up, in order; the index in the answer is the track number. */
  readonly chooseTracks: (sdp: Sdp) => readonly SdpMedia[];
  readonly sink: RtspMediaSink;
  /** Called once when the session ends by itself; not after `close`. */
  readonly onEnded: (error: RtspError) => void;
  /** Sent with SETUP and PLAY, for example `Require: onvif-replay`. */
  readonly headers?: RtspRequestHeaders;
  /** Sent with DESCRIBE, for example `Require: www.onvif.org/ver20/backchannel`. */
  readonly describeHeaders?: RtspRequestHeaders;
  readonly keepAlive?: KeepAliveMethod;
  /** What to ask for first; the other one is tried where the device refuses it. Absent: what the URL says, else TCP. */
  readonly transport?: TransportKind | 'tcp-only';
  readonly userAgent?: string;
  /** Whether what is played may come in pieces of up to 200 ms. Asked all along. */
  readonly isPatient?: () => boolean;
  readonly connectTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
}

export interface RtspSession {
  readonly sdp: Sdp;
  readonly tracks: readonly RtspTrack[];
  /** The Server header, for quirks and the device page. */
  readonly server: string | null;
  /** How its media come. */
  readonly transport: TransportKind;
  /** PLAY with further headers, for example `{ Range: 'clock=…', 'Rate-Control': 'no' }`. */
  play(headers?: RtspRequestHeaders): Promise<void>;
  /** Sends one RTP packet on a track that the device listens on. */
  sendMedia(track: number, packet: Buffer): void;
  /** Asks for a keyframe by RTCP (RFC 4585 6.3.1); whether the device obeys is seen in what it sends. */
  requestKeyframe(track: number): void;
  /** Stops reading from the socket: TCP then holds the device back. */
  pauseReading(): void;
  resumeReading(): void;
  bytesRead(): number;
  keepAliveMethod(): KeepAliveMethod;
  /** Sends TEARDOWN, waits for it a moment, and closes. */
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5000;
const REQUEST_TIMEOUT_MS = 8000;
const TEARDOWN_WAIT_MS = 500;
const MAX_TRACKS = 8;

/** Connects, signs in and sets the tracks up; throws RtspError. */
export function openRtspSession(options: RtspSessionOptions): Promise<RtspSession> {
  return followRedirects(options, (target, challenge) => new OpenSession(options, target, challenge));
}

class OpenSession implements RtspSession, RequestAttempt<RtspSession> {
  readonly #options: RtspSessionOptions;
  readonly #target: RtspTarget;
  readonly #connection: RtspConnection;
  readonly #tracks: TrackSet;
  #sdp: Sdp = { control: '', media: [] };
  #base = '';
  #server: string | null = null;
  #sessionId: string | null = null;
  #timeoutSeconds = 60;
  #keepAliveMethod: KeepAliveMethod;
  #keepAlive: KeepAlive | null = null;
  #established = false;
  #closing = false;

  constructor(options: RtspSessionOptions, target: RtspTarget, challenge: RtspChallenge | null) {
    this.#options = options;
    this.#target = target;
    this.#keepAliveMethod = options.keepAlive ?? 'OPTIONS';
    const credentials = options.credentials ?? target.credentials;
    const { dial, clientNonce } = options;
    this.#connection = new RtspConnection({
      host: target.host,
      port: target.port,
      isSecure: target.isSecure,
      credentials,
      dial: dialFor(target, { dial, credentials, clientNonce }),
      clock: options.clock,
      clientNonce,
      userAgent: options.userAgent ?? 'Vedette',
      requestTimeoutMs: options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
      isPatient: options.isPatient,
      onFrame: (channel, buffer, start, end) => this.#tracks.frame(channel, buffer, start, end),
      onClosed: (error) => this.#ended(error),
    });
    if (challenge) this.#connection.useChallenge(challenge);
    const { clock, sink } = options;
    this.#tracks = new TrackSet({
      connection: this.#connection,
      clock,
      sink,
      transports: transportsOf(options, target),
    });
  }

  get challenge(): RtspChallenge | null {
    return this.#connection.challenge;
  }

  get sdp(): Sdp {
    return this.#sdp;
  }

  get tracks(): readonly RtspTrack[] {
    return this.#tracks.tracks;
  }

  get transport(): TransportKind {
    return this.#tracks.transport;
  }

  get server(): string | null {
    return this.#server;
  }

  async run(): Promise<RtspSession> {
    const abort = (): void => this.#connection.close(new RtspError('closed', 'given up'));
    this.#options.signal.addEventListener('abort', abort, { once: true });
    try {
      await this.#connect();
      await this.#askOptions();
      await this.#describe();
      await this.#setUpTracks();
      this.#established = true;
      return this;
    } catch (error) {
      this.#connection.close(new RtspError('closed', 'session could not be opened'));
      throw error;
    } finally {
      this.#options.signal.removeEventListener('abort', abort);
    }
  }

  async play(headers: RtspRequestHeaders = {}): Promise<void> {
    // Media may come ahead of the answer, so the keep-alive waits for the answer but the tracks are ready.
    const url = controlUrl(this.#base, this.#sdp.control);
    this.#tracks.punch();
    const response = await this.#request('PLAY', url, { Range: 'npt=0.000-', ...headers });
    this.#noteSession(response);
    this.#tracks.begin(response);
    this.#keepAlive?.stop();
    this.#keepAlive = new KeepAlive({
      clock: this.#options.clock,
      timeoutSeconds: this.#timeoutSeconds,
      method: this.#keepAliveMethod,
      send: (method) => this.#request(method, url, {}),
    });
    this.#keepAlive.start();
  }

  sendMedia(track: number, packet: Buffer): void {
    this.#tracks.sendMedia(track, packet);
  }

  requestKeyframe(track: number): void {
    this.#tracks.requestKeyframe(track);
  }

  pauseReading(): void {
    this.#connection.pause();
  }

  resumeReading(): void {
    this.#connection.resume();
  }

  bytesRead(): number {
    return this.#connection.bytesRead;
  }

  keepAliveMethod(): KeepAliveMethod {
    return this.#keepAlive?.method ?? this.#keepAliveMethod;
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#keepAlive?.stop();
    const url = controlUrl(this.#base, this.#sdp.control);
    // A device that will not say goodbye is left all the same.
    await finishesWithin(this.#options.clock, TEARDOWN_WAIT_MS, this.#request('TEARDOWN', url, {}));
    this.#connection.close(new RtspError('closed', 'closed by us'));
  }

  async #connect(): Promise<void> {
    const controller = new AbortController();
    const abort = (): void => controller.abort();
    this.#options.signal.addEventListener('abort', abort, { once: true });
    let timedOut = false;
    const cancel = this.#options.clock.after(this.#options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS, () => {
      timedOut = true;
      abort();
    });
    try {
      await this.#connection.connect(controller.signal);
    } catch (error) {
      if (timedOut) throw new RtspError('timeout', 'device did not accept the connection', { cause: error });
      throw error;
    } finally {
      cancel();
      this.#options.signal.removeEventListener('abort', abort);
    }
  }

  async #askOptions(): Promise<void> {
    try {
      const response = await this.#connection.request('OPTIONS', this.#target.url);
      this.#server = response.headers.get('Server') ?? null;
      const methods = parsePublic(response.headers.getAll('Public'));
      if (!this.#options.keepAlive && methods.has('GET_PARAMETER')) this.#keepAliveMethod = 'GET_PARAMETER';
    } catch (error) {
      // A device that does not know OPTIONS may still describe itself; a refused sign-in is final.
      if (!(error instanceof RtspError) || error.status === null || error.code === 'authentication') throw error;
    }
  }

  async #describe(): Promise<void> {
    const response = await this.#request('DESCRIBE', this.#target.url, { Accept: 'application/sdp' });
    this.#server = response.headers.get('Server') ?? this.#server;
    try {
      this.#sdp = parseSdp(response.body.toString('utf8'));
    } catch (error) {
      if (!(error instanceof SdpError)) throw error;
      throw new RtspError('protocol', 'device described nothing readable', { cause: error });
    }
    this.#base = presentationBase(
      this.#target.url,
      response.headers.get('Content-Base'),
      response.headers.get('Content-Location'),
    );
  }

  async #setUpTracks(): Promise<void> {
    const chosen = this.#options.chooseTracks(this.#sdp).slice(0, MAX_TRACKS);
    if (chosen.length === 0) throw new RtspError('no-track', 'device offers no media we want');
    for (const media of chosen) {
      const url = controlUrl(this.#base, media.control);
      await this.#tracks.setUp(media, url, async (headers) => {
        const response = await this.#request('SETUP', url, headers);
        this.#noteSession(response);
        return response;
      });
    }
  }

  #noteSession(response: RtspResponse): void {
    const value = response.headers.get('Session');
    if (value === undefined) return;
    const session = parseSession(value);
    this.#sessionId = session.id;
    if (/timeout/i.test(value)) this.#timeoutSeconds = session.timeoutSeconds;
  }

  #request(method: string, url: string, headers: RtspRequestHeaders): Promise<RtspResponse> {
    const { headers: mediaHeaders, describeHeaders } = this.#options;
    const own = method === 'DESCRIBE' ? describeHeaders : method === 'SETUP' || method === 'PLAY' ? mediaHeaders : {};
    return this.#connection.request(method, url, { Session: this.#sessionId ?? undefined, ...own, ...headers });
  }

  #ended(error: RtspError): void {
    this.#keepAlive?.stop();
    this.#tracks.close();
    if (this.#established && !this.#closing) this.#options.onEnded(error);
  }
}

function transportsOf(options: RtspSessionOptions, target: RtspTarget): readonly TransportKind[] {
  const wanted = options.transport ?? target.transport;
  if (wanted === 'udp') return ['udp', 'tcp'];
  return wanted === 'tcp-only' || wanted === 'http' ? ['tcp'] : ['tcp', 'udp'];
}
