// Runs a request at its target: on a second connection for sign-in where needed, following redirects that are safe.
import type { RtspChallenge, RtspCredentials } from './authentication.ts';
import { parseRtspUrl, type RtspTarget } from './request-url.ts';
import { RtspError } from './rtsp-error.ts';

/** One connection's try. */
export interface RequestAttempt<T> {
  /** What the device asked for, once it did. */
  readonly challenge: RtspChallenge | null;
  run(): Promise<T>;
}

const MAX_REDIRECTS = 3;

/**
 * With credentials a redirect is followed on the same host only: a device, or whoever answers in its place, must not
 * send our password anywhere else. Every hop is dialled anew, so the network policy judges each. Throws RtspError.
 */
export async function followRedirects<T>(
  options: { readonly url: string; readonly credentials: RtspCredentials | null; readonly signal: AbortSignal },
  begin: (target: RtspTarget, challenge: RtspChallenge | null) => RequestAttempt<T>,
): Promise<T> {
  let target = parseRtspUrl(options.url);
  if (!target) throw new RtspError('protocol', 'not an RTSP URL');
  for (let hops = 0; ; hops++) {
    try {
      return await atTarget(target, options.signal, begin);
    } catch (error) {
      if (!(error instanceof RtspError) || error.location === null || options.signal.aborted) throw error;
      if (hops === MAX_REDIRECTS) throw new RtspError('protocol', 'device leads in circles', { cause: error });
      target = redirected(target, error, options.credentials);
    }
  }
}

async function atTarget<T>(
  target: RtspTarget,
  signal: AbortSignal,
  begin: (target: RtspTarget, challenge: RtspChallenge | null) => RequestAttempt<T>,
): Promise<T> {
  const first = begin(target, null);
  try {
    return await first.run();
  } catch (error) {
    // Some devices close the connection with their challenge and want the sign-in on a new one.
    const { challenge } = first;
    const mayHelp = error instanceof RtspError && error.code === 'unreachable' && challenge !== null;
    if (!mayHelp || signal.aborted) throw error;
    return await begin(target, challenge).run();
  }
}

function redirected(from: RtspTarget, error: RtspError, given: RtspCredentials | null): RtspTarget {
  const credentials: RtspCredentials | null = given ?? from.credentials;
  const to = parseRtspUrl(error.location ?? '');
  if (!to) throw new RtspError('protocol', 'device leads to no RTSP URL', { cause: error });
  if (from.isSecure && !to.isSecure) {
    credentials?.schemes?.onWeaker();
    throw new RtspError('untrusted', 'device leads to an open line', { cause: error });
  }
  if (credentials !== null && to.host.toLowerCase() !== from.host.toLowerCase())
    throw new RtspError('refused-address', 'device leads to another host', { cause: error });
  return { ...to, credentials: from.credentials, transport: from.transport };
}
