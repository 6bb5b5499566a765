// Asks an RTSP server what it would play, without setting anything up: one DESCRIBE on a connection of its own (RFC 2326 10.2).
import { parseSdp, type Sdp, SdpError } from '../sdp/sdp.ts';
import { followRedirects } from './follow-redirects.ts';
import type { RtspChallenge, RtspCredentials } from './authentication.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { RtspConnection } from './connection.ts';
import type { RtspDial } from './dial.ts';
import { dialFor } from './http-tunnel.ts';
import type { RtspTarget } from './request-url.ts';
import { RtspError } from './rtsp-error.ts';

export interface DescribeOptions {
  readonly url: string;
  readonly credentials: RtspCredentials | null;
  readonly dial: RtspDial;
  readonly clock: Clock;
  readonly clientNonce: () => string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Sent with DESCRIBE, for example `Require: www.onvif.org/ver20/backchannel`. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RtspDescription {
  readonly sdp: Sdp;
  /** The Server header. */
  readonly server: string | null;
}

/** Throws RtspError, or the signal's reason. */
export async function describeRtsp(options: DescribeOptions): Promise<RtspDescription> {
  return await followRedirects(options, (target, challenge) => {
    const connection = connectionOf(options, target, challenge);
    return {
      get challenge() {
        return connection.challenge;
      },
      run: () => ask(options, target, connection),
    };
  });
}

function connectionOf(options: DescribeOptions, target: RtspTarget, challenge: RtspChallenge | null): RtspConnection {
  const credentials = options.credentials ?? target.credentials;
  const { dial, clientNonce } = options;
  const connection = new RtspConnection({
    host: target.host,
    port: target.port,
    isSecure: target.isSecure,
    credentials,
    dial: dialFor(target, { dial, credentials, clientNonce }),
    clock: options.clock,
    clientNonce,
    userAgent: 'Vedette',
    requestTimeoutMs: options.timeoutMs,
    onFrame: () => undefined,
    onClosed: () => undefined,
  });
  if (challenge) connection.useChallenge(challenge);
  return connection;
}

async function ask(options: DescribeOptions, target: RtspTarget, connection: RtspConnection): Promise<RtspDescription> {
  const abort = () => connection.close(new RtspError('closed', 'given up'));
  options.signal.addEventListener('abort', abort, { once: true });
  try {
    await connection.connect(options.signal);
    const response = await connection.request('DESCRIBE', target.url, {
      Accept: 'application/sdp',
      ...options.headers,
    });
    return { sdp: readSdp(response.body), server: response.headers.get('Server') ?? null };
  } catch (error) {
    options.signal.throwIfAborted();
    // Bytes came, but none that answered: a greeting of a mail or shell server, not a device that is away.
    const isGreeting =
      error instanceof RtspError && error.code !== 'untrusted' && error.status === null && connection.bytesRead > 0;
    if (isGreeting && connection.challenge === null) {
      throw new RtspError('protocol', 'what answers here speaks another protocol', { cause: error });
    }
    throw error;
  } finally {
    options.signal.removeEventListener('abort', abort);
    connection.close(new RtspError('closed', 'described'));
  }
}

function readSdp(body: Buffer): Sdp {
  try {
    return parseSdp(body.toString('utf8'));
  } catch (error) {
    if (!(error instanceof SdpError)) throw error;
    throw new RtspError('protocol', 'device described nothing readable', { cause: error });
  }
}
