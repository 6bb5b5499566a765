// Opens an RTSP session over TCP and plays it: OPTIONS, DESCRIBE, SETUP, PLAY, keep-alive, TEARDOWN (RFC 2326 10).
import { parseSdp, type Sdp, SdpError, type SdpMedia } from '../sdp/sdp.ts';
import type { RtspChallenge, RtspCredentials } from './authentication.ts';
import { type RtspClock, RtspConnection } from './connection.ts';
import type { RtspDial } from './dial.ts';
import { parsePublic, parseRtpInfo, parseSession, parseTransport } from './header-fields.ts';
import { KeepAlive, type KeepAliveMethod } from './keep-alive.ts';
import { MediaChannel, type RtspMediaSink, type TrackCounters } from './media-channel.ts';
import type { RtspResponse } from './message.ts';
import { controlUrl, parseRtspUrl, presentationBase, type RtspTarget } from './request-url.ts';
import { RtspError } from './rtsp-error.ts';

export type RtspRequestHeaders = Readonly<Record<string, string | undefined>>;

export interface RtspSessionOptions {
  /** `rtsp:` or `rtsps:`; a user and password in it count when `credentials` is null. */
  readonly url: string;
  readonly credentials: RtspCredentials | null;
  readonly dial: RtspDial;
  readonly clock: RtspClock;
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
  readonly userAgent?: string;
  readonly connectTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
}

export interface RtspTrack {
  readonly media: SdpMedia;
  readonly counters: Readonly<TrackCounters>;
  /** RTP time of the first packet after PLAY, where the device gives a plausible one; known after `play`. */
  readonly startRtpTime: number | null;
}

export interface RtspSession {
  readonly sdp: Sdp;
  readonly tracks: readonly RtspTrack[];
  /** The Server header, for quirks and the device page. */
  readonly server: string | null;
  /** PLAY with further headers, for example `{ Range: 'clock=…', 'Rate-Control': 'no' }`. */
  play(headers?: RtspRequestHeaders): Promise<void>;
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
export async function openRtspSession(options: RtspSessionOptions): Promise<RtspSession> {
  const target = parseRtspUrl(options.url);
  if (!target) throw new RtspError('protocol', 'not an RTSP URL');
  const first = new OpenSession(options, target, null);
  try {
    return await first.open();
  } catch (error) {
    // Some devices close the connection with their challenge and want the sign-in on a new one.
    const challenge = first.challenge;
    const mayHelp = error instanceof RtspError && error.code === 'unreachable' && challenge !== null;
    if (!mayHelp || options.signal.aborted) throw error;
    return await new OpenSession(options, target, challenge).open();
  }
}

interface SetUpTrack {
  readonly media: SdpMedia;
  readonly url: string;
  readonly channel: MediaChannel;
  readonly counters: Readonly<TrackCounters>;
  startRtpTime: number | null;
}

class OpenSession implements RtspSession {
  readonly #options: RtspSessionOptions;
  readonly #target: RtspTarget;
  readonly #connection: RtspConnection;
  readonly #mediaByChannel: (MediaChannel | undefined)[] = [];
  readonly #controlByChannel: (MediaChannel | undefined)[] = [];
  readonly #tracks: SetUpTrack[] = [];
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
    this.#connection = new RtspConnection({
      host: target.host,
      port: target.port,
      isSecure: target.isSecure,
      credentials: options.credentials ?? target.credentials,
      dial: options.dial,
      clock: options.clock,
      clientNonce: options.clientNonce,
      userAgent: options.userAgent ?? 'Vedette',
      requestTimeoutMs: options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
      onFrame: (channel, buffer, start, end) => this.#frame(channel, buffer, start, end),
      onClosed: (error) => this.#ended(error),
    });
    if (challenge) this.#connection.useChallenge(challenge);
  }

  get challenge(): RtspChallenge | null {
    return this.#connection.challenge;
  }

  get sdp(): Sdp {
    return this.#sdp;
  }

  get tracks(): readonly RtspTrack[] {
    return this.#tracks;
  }

  get server(): string | null {
    return this.#server;
  }

  async open(): Promise<RtspSession> {
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
    const response = await this.#request('PLAY', url, { Range: 'npt=0.000-', ...headers });
    this.#noteSession(response);
    for (const entry of parseRtpInfo(response.headers.get('RTP-Info') ?? '')) {
      const track = this.#tracks.find(
        (one) => one.url === entry.url || (entry.url !== '' && one.url.endsWith(entry.url)),
      );
      if (track) track.startRtpTime = entry.rtpTime;
    }
    this.#keepAlive?.stop();
    this.#keepAlive = new KeepAlive({
      clock: this.#options.clock,
      timeoutSeconds: this.#timeoutSeconds,
      method: this.#keepAliveMethod,
      send: (method) => this.#request(method, url, {}),
    });
    this.#keepAlive.start();
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
    const { promise: waited, resolve } = Promise.withResolvers<void>();
    const cancel = this.#options.clock.after(TEARDOWN_WAIT_MS, resolve);
    const url = controlUrl(this.#base, this.#sdp.control);
    // A device that will not say goodbye is left all the same.
    const asked = this.#request('TEARDOWN', url, {}).then(
      () => undefined,
      () => undefined,
    );
    await Promise.race([asked, waited]);
    cancel();
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
    for (const [index, media] of chosen.entries()) await this.#setUp(index, media);
  }

  async #setUp(index: number, media: SdpMedia): Promise<void> {
    const now = (): number => this.#options.clock.monotonicMs();
    const channel = new MediaChannel(index, media.payloadType, this.#options.sink, now);
    const url = controlUrl(this.#base, media.control);
    const wanted = 2 * index;
    // Set ahead of the answer: some devices send at once.
    this.#listen(wanted, channel);
    const response = await this.#request('SETUP', url, {
      Transport: `RTP/AVP/TCP;unicast;interleaved=${wanted}-${wanted + 1}`,
    });
    const transport = parseTransport(response.headers.get('Transport') ?? 'RTP/AVP/TCP');
    if (!transport.isInterleaved) throw new RtspError('protocol', 'device does not send media over TCP');
    this.#noteSession(response);
    if (transport.channel !== null && this.#mediaByChannel[transport.channel] === undefined)
      this.#listen(transport.channel, channel);
    this.#tracks.push({ media, url, channel, counters: channel.counters, startRtpTime: null });
  }

  #listen(channelNumber: number, channel: MediaChannel): void {
    this.#mediaByChannel[channelNumber] = channel;
    this.#controlByChannel[channelNumber + 1] = channel;
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

  #frame(channelNumber: number, buffer: Buffer, start: number, end: number): void {
    const media = this.#mediaByChannel[channelNumber];
    if (media) {
      media.media(buffer, start, end);
      return;
    }
    const report = this.#controlByChannel[channelNumber]?.control(buffer, start, end);
    if (report) this.#connection.sendFrame(channelNumber, report);
  }

  #ended(error: RtspError): void {
    this.#keepAlive?.stop();
    if (this.#established && !this.#closing) this.#options.onEnded(error);
  }
}
