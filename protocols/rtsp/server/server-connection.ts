// One client of the RTSP server: requests in, answers and `$` frames out, one session (RFC 2326 10, ONVIF Streaming 6).
import { SerialQueue } from '@vedette/foundation/concurrency/serial-queue.ts';
import { isKeyframeRequest } from '../../rtp/rtcp.ts';
import { ServerAuthentication, type ServerAuthenticationOptions } from '../../http-digest/server-authentication.ts';
import { encodeRtspResponse, RtspHeaders, RtspParseError, RtspParser, type RtspRequest } from '../message.ts';
import { pathOf } from '../request-url.ts';
import { rtpInfo } from './rtp-info.ts';
import type { ServerDatagrams } from './server-datagrams.ts';
import { controlsOf, type RtspFault, type RtspMount, RtspRefusal } from './server-mount.ts';
import type { RtspSender, RtspVisitor } from './server-mount.ts';
import type { RtspServerSocket } from './server-socket.ts';
import { ServerSession } from './server-session.ts';
import { reasonOf } from './status-reasons.ts';
import { type GrantedTransport, grantTransport } from './server-transport.ts';

export interface RtspServerConnectionOptions {
  readonly socket: RtspServerSocket;
  readonly authentication: Omit<ServerAuthenticationOptions, 'qop'>;
  readonly serverName: string;
  /** Null: 404; RtspRefusal: its status. The path starts with a slash; a query is part of it. */
  readonly mountOf: (path: string, visitor: RtspVisitor) => RtspMount | null | Promise<RtspMount | null>;
  /** Null: media over the connection only, UDP is refused with 461. */
  readonly datagrams: ServerDatagrams | null;
  /** Seconds named in the Session header. */
  readonly timeoutSeconds: () => number;
  readonly faultOf?: ((request: RtspRequest) => RtspFault | null) | undefined;
  readonly onClose: () => void;
  /** Told of errors that are ours. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

interface Answer {
  readonly status: number;
  /** Beside CSeq and Server. */
  readonly headers: RtspHeaders;
  readonly body?: Buffer;
  /** Undefined: the usual words for the status. */
  readonly reason?: string | undefined;
}

const PUBLIC = 'OPTIONS, DESCRIBE, SETUP, PLAY, PAUSE, GET_PARAMETER, SET_PARAMETER, TEARDOWN';
/** ONVIF Streaming 5.3. */
const BACK_CHANNEL = 'www.onvif.org/ver20/backchannel';
/** Nobody publishes here (SE-50). */
const PUBLISHING = new Set(['ANNOUNCE', 'RECORD']);

/** A client that asks so much ahead of the answers is none. */
const MAX_WAITING = 64;

/** A connection without a session that asks nothing only takes a place. */
const IDLE_MS = 30_000;
const LEAVE_MS = 1000;

export class RtspServerConnection implements RtspSender {
  readonly #options: RtspServerConnectionOptions;
  readonly #authentication: ServerAuthentication;
  readonly #closed = new AbortController();
  readonly visitor: RtspVisitor;
  #session: ServerSession | null = null;
  /** Requests are answered in their order. */
  readonly #requests = new SerialQueue();
  #waiting = 0;
  #timer: NodeJS.Timeout | null = null;
  #drainWaiters: (() => void)[] = [];

  constructor(options: RtspServerConnectionOptions) {
    this.#options = options;
    this.#authentication = new ServerAuthentication({ ...options.authentication, qop: null });
    const { socket } = options;
    const remoteAddress = socket.remoteAddress ?? '';
    this.visitor = { remoteAddress, closed: this.#closed.signal, end: () => this.#leave() };
    socket.setNoDelay?.(true);
    const parser = new RtspParser({
      request: (request) => this.#receive(request),
      response: () => undefined,
      interleaved: (channel, buffer, start, end) => this.#heard(channel, buffer.subarray(start, end)),
    });
    socket.on('data', (bytes) => {
      try {
        parser.push(bytes);
      } catch (error) {
        if (!(error instanceof RtspParseError)) throw error;
        socket.destroy();
      }
    });
    socket.on('drain', () => this.#wakeWaiters());
    // 'close' follows every error, and the client's end is all there is to know.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#ended());
    this.#touch();
  }

  get queuedBytes(): number {
    return this.#options.socket.writableLength + (this.#session?.queuedBytes ?? 0);
  }

  get isClosed(): boolean {
    return this.#options.socket.destroyed || !this.#options.socket.writable;
  }

  send(frames: Buffer): void {
    if (!this.isClosed) this.#session?.send(frames);
  }

  drained(): Promise<void> {
    if (this.isClosed || !this.#options.socket.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => this.#drainWaiters.push(resolve));
  }

  end(): void {
    this.#options.socket.end();
  }

  /** Cuts the line without a word, as a device does that loses power. */
  destroy(): void {
    const { socket } = this.#options;
    if (socket.resetAndDestroy) socket.resetAndDestroy();
    else socket.destroy();
  }

  /** Nothing more is sent; a client that does not hang up either is cut off. */
  #leave(): void {
    this.#stop();
    this.end();
    setTimeout(() => this.destroy(), LEAVE_MS).unref();
  }

  renewNonce(): void {
    this.#authentication.renewNonce();
  }

  /** The session is forgotten: its next request is answered with 454. */
  forgetSession(): void {
    this.#stop();
  }

  /** Receiver reports, and what is said on a back channel, prove that the client lives. */
  #heard(channel: number, packet: Buffer): void {
    const track = this.#session?.trackOf(channel) ?? -1;
    if (track < 0) this.#reported(packet);
    else this.#said(track, packet);
  }

  #said(track: number, packet: Buffer): void {
    this.#touch();
    const mount = this.#session?.playback ? this.#session.mount : null;
    if (mount?.backChannel && track === mount.controls.length) mount.backChannel.hear(packet, this);
  }

  #reported(report: Buffer): void {
    this.#touch();
    if (this.#session?.playback && isKeyframeRequest(report, 0, report.length)) this.#session.mount.requestKeyframe?.();
  }

  #receive(request: RtspRequest): void {
    const fault = this.#options.faultOf?.(request) ?? null;
    if (fault !== null) {
      if (fault.kind === 'status') this.#answer(request, fault.status, {}, fault.reason);
      else if (fault.kind === 'reset') this.destroy();
      return;
    }
    this.#touch();
    if (request.method === 'OPTIONS') {
      this.#answer(request, 200, { Public: PUBLIC });
      return;
    }
    const verdict = this.#authentication.verify(request.method, request.uri, request.headers.get('authorization'));
    if (!verdict.allowed) {
      const headers = RtspHeaders.of({});
      for (const challenge of verdict.challenges) headers.append('WWW-Authenticate', challenge);
      this.#write(request, { status: 401, headers });
      return;
    }
    this.#waiting += 1;
    if (this.#waiting > MAX_WAITING) this.destroy();
    else void this.#requests.run(() => this.#attempt(request));
  }

  async #attempt(request: RtspRequest): Promise<void> {
    try {
      await this.#perform(request);
    } catch (error) {
      if (!(error instanceof RtspRefusal)) this.#options.onFailure?.(error);
      this.#answer(request, error instanceof RtspRefusal ? error.status : 500);
    } finally {
      this.#waiting -= 1;
    }
  }

  async #perform(request: RtspRequest): Promise<void> {
    if (!this.#isOfSession(request)) return this.#answer(request, 454);
    switch (request.method) {
      case 'DESCRIBE':
        return await this.#describe(request);
      case 'SETUP':
        return await this.#setUp(request);
      case 'PLAY':
        return this.#play(request);
      case 'PAUSE':
        return this.#pause(request);
      case 'GET_PARAMETER':
      case 'SET_PARAMETER':
        return this.#answer(request, 200);
      case 'TEARDOWN':
        this.#answer(request, 200);
        return this.#stop();
      default:
        this.#answer(request, PUBLISHING.has(request.method) ? 405 : 501, { Allow: PUBLIC });
    }
  }

  /** A request may leave its session out, but not name another. */
  #isOfSession(request: RtspRequest): boolean {
    const id = request.headers.get('session')?.split(';')[0]?.trim();
    return id === undefined || id === this.#session?.id;
  }

  async #describe(request: RtspRequest): Promise<void> {
    const mount = await this.#options.mountOf(pathOf(request.uri), this.visitor);
    if (mount === null) {
      this.#answer(request, 404);
      return;
    }
    const wantsBack = request.headers.getAll('require').some((value) => value.includes(BACK_CHANNEL));
    if (wantsBack && !mount.backChannel) {
      this.#answer(request, 551, { Unsupported: BACK_CHANNEL });
      return;
    }
    const base = request.uri.endsWith('/') ? request.uri : `${request.uri}/`;
    const headers = RtspHeaders.of({ 'Content-Base': base, 'Content-Type': 'application/sdp' });
    const description = wantsBack && mount.backChannel ? mount.backChannel.sdp() : mount.sdp();
    this.#write(request, { status: 200, headers, body: Buffer.from(description) });
  }

  async #setUp(request: RtspRequest): Promise<void> {
    const found = await this.#trackOf(pathOf(request.uri));
    if (found === null || (this.#session !== null && this.#session.path !== found.path)) {
      this.#answer(request, found === null ? 404 : 459);
      return;
    }
    const granted = await this.#grant(request.headers.get('transport') ?? '', found.track);
    if (granted === null || this.isClosed) {
      if (granted?.delivery.kind === 'udp') granted.delivery.route.close();
      this.#answer(request, 461);
      return;
    }
    this.#session ??= new ServerSession(found.path, found.mount, (frames) => this.#options.socket.write(frames));
    this.#session.setUp(found.track, granted.delivery);
    this.#touch();
    this.#answer(request, 200, {
      Transport: granted.transport,
      Session: `${this.#session.id};timeout=${this.#options.timeoutSeconds()}`,
    });
  }

  async #grant(offers: string, track: number): Promise<GrantedTransport | null> {
    const { datagrams, socket } = this.#options;
    const ends = { local: socket.localAddress, remote: this.visitor.remoteAddress };
    try {
      const heard = {
        media: (packet: Buffer) => this.#said(track, packet),
        report: (report: Buffer) => this.#reported(report),
      };
      return await grantTransport({ offers, track, datagrams, ...ends, heard });
    } catch (error) {
      this.#options.onFailure?.(error);
      return null;
    }
  }

  async #trackOf(path: string): Promise<{ path: string; mount: RtspMount; track: number } | null> {
    const slash = path.lastIndexOf('/');
    const parent = path.slice(0, slash);
    const mount = parent === '' ? null : await this.#options.mountOf(parent, this.visitor);
    const track = mount === null ? -1 : controlsOf(mount).indexOf(path.slice(slash + 1));
    if (mount !== null && track >= 0) return { path: parent, mount, track };
    // Clients that found no control attribute set up the path itself.
    const whole = await this.#options.mountOf(path.replace(/\/$/, ''), this.visitor);
    return whole === null ? null : { path: path.replace(/\/$/, ''), mount: whole, track: 0 };
  }

  #play(request: RtspRequest): void {
    const session = this.#session;
    if (session === null) {
      this.#answer(request, 455);
      return;
    }
    session.pause();
    const { headers } = request;
    const playback = session.mount.play(this, {
      range: headers.get('range'),
      scale: headers.get('scale'),
      isPaced: headers.get('rate-control')?.toLowerCase() !== 'no',
      wantsReplay: headers.getAll('require').some((value) => value.includes('onvif-replay')),
      tracks: session.tracks,
    });
    if (playback === null) {
      this.#answer(request, 457);
      return;
    }
    session.playback = playback;
    const info = rtpInfo(request.uri, session, playback);
    const answer: Record<string, string> = { Session: `${session.id};timeout=${this.#options.timeoutSeconds()}` };
    if (playback.range !== undefined) answer['Range'] = playback.range;
    if (info !== '') answer['RTP-Info'] = info;
    this.#answer(request, 200, answer);
  }

  #pause(request: RtspRequest): void {
    this.#session?.pause();
    this.#answer(request, this.#session === null ? 455 : 200);
  }

  #answer(request: RtspRequest, status: number, fields: Readonly<Record<string, string>> = {}, reason?: string): void {
    const headers = RtspHeaders.of(fields);
    if (this.#session !== null && headers.get('session') === undefined) headers.append('Session', this.#session.id);
    this.#write(request, { status, headers, reason });
  }

  #write(request: RtspRequest, { status, headers: extra, body, reason = reasonOf(status) }: Answer): void {
    if (this.isClosed) return;
    const headers = RtspHeaders.of({ CSeq: request.headers.get('cseq') ?? '0', Server: this.#options.serverName });
    for (const [name, value] of extra.entries()) headers.append(name, value);
    this.#options.socket.write(encodeRtspResponse(status, reason, headers, body));
  }

  #touch(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    // Devices grant some grace; a third keeps clients that answer at the last moment.
    this.#timer =
      this.#session === null
        ? setTimeout(() => this.destroy(), IDLE_MS)
        : setTimeout(() => this.#stop(), this.#options.timeoutSeconds() * 1333);
    this.#timer.unref();
  }

  #stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#session?.close();
    this.#session = null;
    if (!this.#closed.signal.aborted) this.#touch();
  }

  #ended(): void {
    this.#closed.abort();
    this.#stop();
    this.#wakeWaiters();
    this.#options.onClose();
  }

  #wakeWaiters(): void {
    for (const wake of this.#drainWaiters.splice(0)) wake();
  }
}
