// One client of the RTSP server: requests in, answers and `$` frames out, one session (RFC 2326 10, ONVIF Streaming 6).
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { ServerAuthentication, type ServerAuthenticationOptions } from '../http-digest/server-authentication.ts';
import { encodeRtspResponse, RtspHeaders, RtspParseError, RtspParser, type RtspRequest } from './message.ts';
import type { RtspFault, RtspMount, RtspPlayback, RtspSender } from './server-mount.ts';

export interface RtspServerConnectionOptions {
  readonly socket: Socket;
  readonly authentication: Omit<ServerAuthenticationOptions, 'qop'>;
  readonly serverName: string;
  /** Null: 404. The path starts with a slash; a query is part of it. */
  readonly mountOf: (path: string) => RtspMount | null;
  /** Seconds named in the Session header. */
  readonly timeoutSeconds: () => number;
  readonly faultOf?: ((request: RtspRequest) => RtspFault | null) | undefined;
  readonly onClose: () => void;
}

const PUBLIC = 'OPTIONS, DESCRIBE, SETUP, PLAY, PAUSE, GET_PARAMETER, SET_PARAMETER, TEARDOWN';

const REASONS: Readonly<Record<number, string>> = {
  200: 'OK',
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  454: 'Session Not Found',
  455: 'Method Not Valid in This State',
  457: 'Invalid Range',
  459: 'Aggregate Operation Not Allowed',
  461: 'Unsupported Transport',
  501: 'Not Implemented',
  551: 'Option not supported',
};

interface Session {
  readonly id: string;
  readonly path: string;
  readonly mount: RtspMount;
  /** Interleaved media channel by track. */
  readonly channels: Map<number, number>;
  playback: RtspPlayback | null;
}

export class RtspServerConnection implements RtspSender {
  readonly #options: RtspServerConnectionOptions;
  readonly #authentication: ServerAuthentication;
  #session: Session | null = null;
  #timer: NodeJS.Timeout | null = null;
  #drainWaiters: (() => void)[] = [];

  constructor(options: RtspServerConnectionOptions) {
    this.#options = options;
    this.#authentication = new ServerAuthentication({ ...options.authentication, qop: null });
    const { socket } = options;
    socket.setNoDelay(true);
    const parser = new RtspParser({
      request: (request) => this.#receive(request),
      response: () => undefined,
      // Receiver reports prove that the client lives.
      interleaved: () => this.#touch(),
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
    socket.on('close', () => this.#closed());
  }

  get queuedBytes(): number {
    return this.#options.socket.writableLength;
  }

  get isClosed(): boolean {
    return this.#options.socket.destroyed || !this.#options.socket.writable;
  }

  send(frames: Buffer): void {
    if (this.isClosed || this.#session === null) return;
    this.#options.socket.write(remapChannels(frames, this.#session.channels));
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
    this.#options.socket.resetAndDestroy();
  }

  renewNonce(): void {
    this.#authentication.renewNonce();
  }

  /** The session is forgotten: its next request is answered with 454. */
  forgetSession(): void {
    this.#stop();
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
      this.#write(request, 401, headers);
      return;
    }
    this.#perform(request);
  }

  #perform(request: RtspRequest): void {
    const id = request.headers.get('session')?.split(';')[0]?.trim();
    if (id !== undefined && id !== this.#session?.id) {
      this.#answer(request, 454);
      return;
    }
    switch (request.method) {
      case 'DESCRIBE':
        this.#describe(request);
        return;
      case 'SETUP':
        this.#setUp(request);
        return;
      case 'PLAY':
        this.#play(request);
        return;
      case 'PAUSE':
        this.#session?.playback?.stop();
        if (this.#session !== null) this.#session.playback = null;
        this.#answer(request, this.#session === null ? 455 : 200);
        return;
      case 'GET_PARAMETER':
      case 'SET_PARAMETER':
        this.#answer(request, 200);
        return;
      case 'TEARDOWN':
        this.#answer(request, 200);
        this.#stop();
        return;
      default:
        this.#answer(request, 501);
    }
  }

  #describe(request: RtspRequest): void {
    const mount = this.#options.mountOf(pathOf(request.uri));
    if (mount === null) {
      this.#answer(request, 404);
      return;
    }
    const base = request.uri.endsWith('/') ? request.uri : `${request.uri}/`;
    const headers = RtspHeaders.of({ 'Content-Base': base, 'Content-Type': 'application/sdp' });
    this.#write(request, 200, headers, Buffer.from(mount.sdp()));
  }

  #setUp(request: RtspRequest): void {
    const found = this.#trackOf(pathOf(request.uri));
    if (found === null || (this.#session !== null && this.#session.path !== found.path)) {
      this.#answer(request, found === null ? 404 : 459);
      return;
    }
    const transport = request.headers.get('transport') ?? '';
    if (!/RTP\/AVP\/TCP/i.test(transport)) {
      this.#answer(request, 461);
      return;
    }
    this.#session ??= { id: newSessionId(), path: found.path, mount: found.mount, channels: new Map(), playback: null };
    const wanted = /interleaved=(\d{1,3})/i.exec(transport)?.[1];
    const channel = wanted === undefined || Number(wanted) > 254 ? found.track * 2 : Number(wanted);
    this.#session.channels.set(found.track, channel);
    this.#touch();
    this.#answer(request, 200, {
      Transport: `RTP/AVP/TCP;unicast;interleaved=${channel}-${channel + 1}`,
      Session: `${this.#session.id};timeout=${this.#options.timeoutSeconds()}`,
    });
  }

  #trackOf(path: string): { path: string; mount: RtspMount; track: number } | null {
    const slash = path.lastIndexOf('/');
    const parent = path.slice(0, slash);
    const mount = this.#options.mountOf(parent);
    const track = mount?.controls.indexOf(path.slice(slash + 1)) ?? -1;
    if (mount !== null && track >= 0) return { path: parent, mount, track };
    // Clients that found no control attribute set up the path itself.
    const whole = this.#options.mountOf(path.replace(/\/$/, ''));
    return whole === null ? null : { path: path.replace(/\/$/, ''), mount: whole, track: 0 };
  }

  #play(request: RtspRequest): void {
    const session = this.#session;
    if (session === null) {
      this.#answer(request, 455);
      return;
    }
    session.playback?.stop();
    session.playback = null;
    const { headers } = request;
    const playback = session.mount.play(this, {
      range: headers.get('range'),
      scale: headers.get('scale'),
      isPaced: headers.get('rate-control')?.toLowerCase() !== 'no',
      wantsReplay: headers.getAll('require').some((value) => value.includes('onvif-replay')),
      tracks: new Set(session.channels.keys()),
    });
    if (playback === null) {
      this.#answer(request, 457);
      return;
    }
    session.playback = playback;
    const info = playback.starts.flatMap((start, track) =>
      start === undefined || !session.channels.has(track)
        ? []
        : [
            `url=${trackUrl(request.uri, session.mount.controls[track] ?? '')};seq=${start.sequence};rtptime=${start.rtpTime}`,
          ],
    );
    const answer: Record<string, string> = { Session: `${session.id};timeout=${this.#options.timeoutSeconds()}` };
    if (playback.range !== undefined) answer['Range'] = playback.range;
    if (info.length > 0) answer['RTP-Info'] = info.join(',');
    this.#answer(request, 200, answer);
  }

  #answer(request: RtspRequest, status: number, fields: Readonly<Record<string, string>> = {}, reason?: string): void {
    const headers = RtspHeaders.of(fields);
    if (this.#session !== null && headers.get('session') === undefined) headers.append('Session', this.#session.id);
    this.#write(request, status, headers, undefined, reason);
  }

  #write(request: RtspRequest, status: number, extra: RtspHeaders, body?: Buffer, reason?: string): void {
    if (this.isClosed) return;
    const headers = RtspHeaders.of({ CSeq: request.headers.get('cseq') ?? '0', Server: this.#options.serverName });
    for (const [name, value] of extra.entries()) headers.append(name, value);
    this.#options.socket.write(encodeRtspResponse(status, reason ?? REASONS[status] ?? 'Error', headers, body));
  }

  #touch(): void {
    if (this.#session === null) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    // Devices grant some grace; a third keeps clients that answer at the last moment.
    this.#timer = setTimeout(() => this.#stop(), this.#options.timeoutSeconds() * 1333);
    this.#timer.unref();
  }

  #stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#session?.playback?.stop();
    this.#session = null;
  }

  #closed(): void {
    this.#stop();
    this.#wakeWaiters();
    this.#options.onClose();
  }

  #wakeWaiters(): void {
    for (const wake of this.#drainWaiters.splice(0)) wake();
  }
}

function newSessionId(): string {
  return randomBytes(8).toString('hex').toUpperCase();
}

function pathOf(uri: string): string {
  const path = /^rtsps?:\/\/[^/]*(\/.*)?$/i.exec(uri)?.[1] ?? (uri.startsWith('/') ? uri : '/');
  return path;
}

function trackUrl(uri: string, control: string): string {
  return uri.endsWith('/') ? uri + control : `${uri}/${control}`;
}

/** Frames are written for channels 2n and 2n + 1; only a client that asked for others costs a copy. */
function remapChannels(frames: Buffer, channels: ReadonlyMap<number, number>): Buffer {
  let isPlain = true;
  for (const [track, channel] of channels) if (channel !== track * 2) isPlain = false;
  if (isPlain) return frames;
  const copy = Buffer.from(frames);
  for (let at = 0; at + 4 <= copy.length; at += 4 + copy.readUInt16BE(at + 2)) {
    const given = copy[at + 1] as number;
    copy[at + 1] = (channels.get(given >> 1) ?? given & ~1) + (given & 1);
  }
  return copy;
}
