// Opens the two UDP sockets of a media session, RTP at an even port and RTCP at the next one (RFC 3550 11).
import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';

export interface DatagramPair {
  /** RTP. */
  readonly media: Socket;
  /** RTCP. */
  readonly control: Socket;
  /** Of `media`; `control` has the next one. */
  readonly port: number;
  close(): void;
}

export interface PortRange {
  /** First and last port that may be used, both included. */
  readonly from: number;
  readonly to: number;
}

/** The system is asked for free ports this often; it often gives odd ones. */
const TRIES = 32;
/** Keyframes come as a burst of packets. */
const RECEIVE_BYTES = 2 * 1024 * 1024;

/** Binds at `address` only. Rejects when there is no free pair (in the range). */
export async function openDatagramPair(address: string, range?: PortRange): Promise<DatagramPair> {
  let failure: unknown = new Error('no even port in the range');
  for (const port of candidates(range)) {
    try {
      return await bindPair(address, port);
    } catch (error) {
      failure = error;
    }
  }
  throw new Error('no free pair of UDP ports', { cause: failure });
}

/** Ports to try; 0 asks the system. */
function candidates(range: PortRange | undefined): number[] {
  if (!range) return Array.from({ length: TRIES }, () => 0);
  const even: number[] = [];
  for (let port = range.from + (range.from & 1); port < range.to; port += 2) even.push(port);
  return even;
}

async function bindPair(address: string, port: number): Promise<DatagramPair> {
  const first = await bind(address, port);
  try {
    const given = first.address().port;
    const second = await bind(address, given ^ 1);
    const [media, control] = (given & 1) === 0 ? [first, second] : [second, first];
    return { media, control, port: given & ~1, close: () => closeBoth(media, control) };
  } catch (error) {
    first.close();
    throw error;
  }
}

function closeBoth(media: Socket, control: Socket): void {
  media.close();
  control.close();
}

async function bind(address: string, port: number): Promise<Socket> {
  const socket = createSocket({ type: isIPv6(address) ? 'udp6' : 'udp4', recvBufferSize: RECEIVE_BYTES });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once('error', reject);
  socket.bind(port, address, resolve);
  try {
    await promise;
  } catch (error) {
    socket.close();
    throw error;
  }
  socket.off('error', reject);
  return socket;
}

/** Addresses compared as the system writes them for one and the same peer: without zone and IPv4 mapping. */
export function plainAddress(address: string): string {
  return address.replace(/%.*/s, '').replace(/^::ffff:(?=\d+\.)/i, '');
}
