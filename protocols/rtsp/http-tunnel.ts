// Carries an RTSP connection inside two HTTP requests, for networks that let nothing else pass: GET brings what the device says,
// POST takes what we say in base64 (RTSP over HTTP as QuickTime made it usual; ONVIF Streaming 5.1.1.4).
import { Duplex } from 'node:stream';
import { parseChallenges } from '../http-digest/challenge.ts';
import { refuseWeaker, RtspAuthorizer, type RtspCredentials } from './authentication.ts';
import type { RtspDial, RtspDialRequest } from './dial.ts';
import type { RtspTarget } from './request-url.ts';
import { errorOfStatus, RtspError } from './rtsp-error.ts';

export interface TunnelOptions {
  readonly dial: RtspDial;
  readonly credentials: RtspCredentials | null;
  /** Fresh random text: names the pair of requests, and serves sign-in. */
  readonly clientNonce: () => string;
}

const HEAD_LIMIT_BYTES = 16_384;
const CONTENT_TYPE = 'application/x-rtsp-tunnelled';
/** What every client announces; nobody counts it, since the request never ends. */
const POST_LENGTH = 32_767;

/** The dial for a target: through HTTP where its URL says so, else as it is. */
export function dialFor(target: RtspTarget, options: TunnelOptions): RtspDial {
  if (target.transport !== 'http') return options.dial;
  const path = /^rtsps?:\/\/[^/?]*(.*)$/is.exec(target.url)?.[1] ?? '';
  return (request) => openTunnel(path === '' ? '/' : path, request, options);
}

async function openTunnel(path: string, request: RtspDialRequest, options: TunnelOptions): Promise<Duplex> {
  const cookie = options.clientNonce();
  const first = await askGet(path, request, options.dial, [`x-sessioncookie: ${cookie}`]);
  if (first.status === 401) first.socket.destroy();
  const signIn = first.status === 401 ? authorizerOf(first, options) : null;
  const authorized = (method: string): string[] =>
    signIn
      ? [`x-sessioncookie: ${cookie}`, `Authorization: ${signIn.authorization(method, path)}`]
      : [`x-sessioncookie: ${cookie}`];
  const get = signIn ? await askGet(path, request, options.dial, authorized('GET')) : first;
  if (get.status !== 200) {
    get.socket.destroy();
    throw errorOfStatus('GET', get.status, 'instead of a tunnel');
  }
  signIn?.accepted();
  try {
    const post = await options.dial(withoutBuffer(request));
    const fields = [`Content-Type: ${CONTENT_TYPE}`, `Content-Length: ${POST_LENGTH}`, ...authorized('POST')];
    post.write(head('POST', path, request, fields));
    return new Tunnel(get, post);
  } catch (error) {
    get.socket.destroy();
    throw error;
  }
}

/** The shared buffer of the reader is for RTSP; here HTTP comes first. */
function withoutBuffer({ host, port, isSecure, signal }: RtspDialRequest): RtspDialRequest {
  return { host, port, isSecure, signal };
}

function head(method: string, path: string, { host, port }: RtspDialRequest, fields: readonly string[]): string {
  const name = host.includes(':') ? `[${host}]` : host;
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${name}:${port}`, 'User-Agent: Vedette', ...fields];
  return `${[...lines, 'Pragma: no-cache', 'Cache-Control: no-cache', '', ''].join('\r\n')}`;
}

interface HttpAnswer {
  readonly socket: Duplex;
  readonly status: number;
  readonly challenges: readonly string[];
  /** What came behind the head. */
  readonly rest: Buffer;
}

async function askGet(
  path: string,
  request: RtspDialRequest,
  dial: RtspDial,
  fields: readonly string[],
): Promise<HttpAnswer> {
  const socket = await dial(withoutBuffer(request));
  socket.write(head('GET', path, request, [`Accept: ${CONTENT_TYPE}`, ...fields]));
  try {
    return { socket, ...(await readHead(socket, request.signal)) };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function readHead(socket: Duplex, signal: AbortSignal): Promise<Omit<HttpAnswer, 'socket'>> {
  const { promise, resolve, reject } = Promise.withResolvers<Omit<HttpAnswer, 'socket'>>();
  let held = Buffer.alloc(0);
  const take = (bytes: Buffer): void => {
    held = Buffer.concat([held, bytes]);
    const end = held.indexOf('\r\n\r\n');
    if (end < 0 && held.length < HEAD_LIMIT_BYTES) return;
    const text = held.toString('latin1', 0, Math.max(0, end));
    const status = Number(/^(?:HTTP|RTSP)\/\d\.\d (\d{3})/.exec(text)?.[1] ?? 0);
    if (status === 0) return reject(new RtspError('protocol', 'what answers here speaks no HTTP'));
    const challenges = [...text.matchAll(/^www-authenticate:[ \t]*([^\r\n]*)/gim)].map((match) => match[1] ?? '');
    socket.pause();
    resolve({ status, challenges, rest: held.subarray(end + 4) });
  };
  const broke = (error?: Error): void =>
    reject(new RtspError('unreachable', 'device closed the tunnel', { cause: error }));
  const abort = (): void => reject(new RtspError('closed', 'given up'));
  socket.on('data', take);
  socket.on('error', broke);
  socket.on('close', broke);
  signal.addEventListener('abort', abort, { once: true });
  return promise.finally(() => {
    socket.off('data', take);
    socket.off('error', broke);
    socket.off('close', broke);
    signal.removeEventListener('abort', abort);
  });
}

function authorizerOf({ challenges }: HttpAnswer, { credentials, clientNonce }: TunnelOptions): RtspAuthorizer | null {
  const [strongest] = parseChallenges(challenges);
  if (!strongest || !credentials) return null;
  refuseWeaker(strongest, credentials);
  return new RtspAuthorizer(strongest, credentials, clientNonce());
}

class Tunnel extends Duplex {
  readonly #incoming: Duplex;
  readonly #outgoing: Duplex;

  constructor({ socket, rest }: HttpAnswer, outgoing: Duplex) {
    super();
    this.#incoming = socket;
    this.#outgoing = outgoing;
    if (rest.length > 0) this.push(rest);
    socket.on('data', (bytes: Buffer) => {
      if (!this.push(bytes)) socket.pause();
    });
    socket.on('end', () => this.push(null));
    for (const side of [socket, outgoing]) {
      side.on('error', (error) => this.destroy(error));
      side.on('close', () => this.destroy());
    }
    // Some devices answer the POST; nothing in it matters.
    outgoing.resume();
  }

  override _read(): void {
    this.#incoming.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#outgoing.write(chunk.toString('base64'), done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#incoming.destroy();
    this.#outgoing.destroy();
    done(error);
  }
}
