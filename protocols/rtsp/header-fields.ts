// Reads the RTSP header fields a client needs: Session, Transport, Public, RTP-Info (RFC 2326 12.28, 12.33, 12.37, 12.39).

export interface SessionField {
  readonly id: string;
  /** Seconds without a request after which the device may drop the session. */
  readonly timeoutSeconds: number;
}

const DEFAULT_TIMEOUT_SECONDS = 60;

export function parseSession(value: string): SessionField {
  const [id = '', ...parameters] = value.split(';');
  const timeout = parameters
    .map((one) => /^\s*timeout\s*=\s*"?(\d{1,6})/i.exec(one)?.[1])
    .find((found) => found !== undefined);
  const seconds = timeout === undefined ? DEFAULT_TIMEOUT_SECONDS : Number(timeout);
  return { id: id.trim(), timeoutSeconds: seconds > 0 ? seconds : DEFAULT_TIMEOUT_SECONDS };
}

export interface TransportField {
  readonly isInterleaved: boolean;
  /** Channel of the media packets; reports use the next one. Null when the device does not say. */
  readonly channel: number | null;
  /** UDP ports of RTP at the device and at the client; RTCP uses the next ones. Null when not given. */
  readonly serverPort: number | null;
  readonly clientPort: number | null;
  /** Null when missing or not hexadecimal; some devices put a space ahead or write no number at all. */
  readonly ssrc: number | null;
}

export function parseTransport(value: string): TransportField {
  const parts = value.split(';').map((one) => one.trim());
  const field = (name: string): string | undefined =>
    parts
      .find((part) => part.toLowerCase().startsWith(`${name}=`))
      ?.slice(name.length + 1)
      .trim();
  const channel = /^(\d{1,3})\b/.exec(field('interleaved') ?? '')?.[1];
  const port = (name: string): number | null => {
    const number = Number(/^(\d{1,5})\b/.exec(field(name) ?? '')?.[1] ?? 0);
    return number > 0 && number < 65_535 ? number : null;
  };
  const ssrc = /^(?:0x)?([0-9a-f]{1,8})$/i.exec(field('ssrc') ?? '')?.[1];
  return {
    isInterleaved: /\/tcp$/i.test(parts[0] ?? '') || channel !== undefined,
    channel: channel !== undefined && Number(channel) < 256 ? Number(channel) : null,
    serverPort: port('server_port'),
    clientPort: port('client_port'),
    ssrc: ssrc === undefined ? null : Number.parseInt(ssrc, 16),
  };
}

export function parsePublic(values: readonly string[]): ReadonlySet<string> {
  return new Set(values.flatMap((value) => value.split(',')).map((method) => method.trim().toUpperCase()));
}

export interface RtpInfoEntry {
  readonly url: string;
  readonly sequence: number | null;
  /** RTP time of the first packet; null when missing or impossible (some servers write -1). */
  readonly rtpTime: number | null;
}

const SEQUENCE = /;\s*seq=\s*(\d{1,10})(?![\d.])/i;
const RTP_TIME = /;\s*rtptime=\s*(\d{1,10})(?![\d.])/i;

export function parseRtpInfo(value: string): RtpInfoEntry[] {
  // URLs may hold commas and semicolons; an entry begins where `url=` does.
  const text = value.slice(0, 8192);
  const starts = [...text.matchAll(/\burl=/gi)].slice(0, 32).map(({ index }) => index);
  return starts
    .map((start, at) => text.slice(start, starts[at + 1]).trimEnd())
    .map((entry) => {
      const url = /^url=(.*?)(?=;(?:seq|rtptime|ssrc)=|$)/i.exec(entry)?.[1] ?? '';
      return {
        url: url.replace(/^"|"$|,$/g, ''),
        sequence: whole(SEQUENCE.exec(entry)?.[1], 0xffff),
        rtpTime: whole(RTP_TIME.exec(entry)?.[1], 0xffffffff),
      };
    });
}

function whole(found: string | undefined, maximum: number): number | null {
  return found !== undefined && Number(found) <= maximum ? Number(found) : null;
}
