// Opens the TCP or TLS socket under an RTSP connection; whoever injects a dial function decides which addresses are allowed.
import { createConnection, isIP, type OnReadOpts } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { RtspError } from './rtsp-error.ts';

export interface RtspDialRequest {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  /** For the options of a net or tls socket, whose reads then go into one shared buffer. A dial that leaves it out works too, at some cost. */
  readonly onread?: OnReadOpts;
  readonly signal: AbortSignal;
}

/** Answers a connected socket or throws RtspError (`unreachable`, `refused-address`, `timeout`). */
export type RtspDial = (request: RtspDialRequest) => Promise<Duplex>;

export interface DialOptions {
  /** The address to dial when it was resolved and checked before; the host stays the name for TLS. */
  readonly address?: string;
  /** Devices carry certificates of their own making, so checking is the operator's choice. */
  readonly checkCertificate?: boolean;
}

export function dialDirect(request: RtspDialRequest, options: DialOptions = {}): Promise<Duplex> {
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  const target = {
    host: options.address ?? request.host,
    port: request.port,
    ...(request.onread && { onread: request.onread }),
    noDelay: true,
  };
  const socket = request.isSecure
    ? connectTls({
        ...target,
        // An address is no name for the server to choose a certificate by (RFC 6066 3).
        ...(isIP(request.host) === 0 && { servername: request.host }),
        rejectUnauthorized: options.checkCertificate ?? false,
      })
    : createConnection(target);
  const fail = (error: Error): void => {
    socket.destroy();
    reject(new RtspError('unreachable', `cannot connect to port ${request.port}`, { cause: error }));
  };
  const abort = (): void => fail(new Error('given up'));
  request.signal.addEventListener('abort', abort, { once: true });
  socket.once('error', fail);
  socket.once(request.isSecure ? 'secureConnect' : 'connect', () => {
    request.signal.removeEventListener('abort', abort);
    socket.removeListener('error', fail);
    resolve(socket);
  });
  if (request.signal.aborted) abort();
  return promise;
}
