// The simple handshake of RTMP, client's side (Adobe RTMP 1.0, 5.2): C0 and C1, then C2, which repeats S1.
import { RtmpError } from './rtmp-error.ts';

const VERSION = 3;
const PART_BYTES = 1536;
const RANDOM_BYTES = 1528;

/** S0, S1 and S2 together. */
export const SERVER_HANDSHAKE_BYTES = 1 + 2 * PART_BYTES;

/** C0 and C1; the time and the zeros before the random part say that no later handshake is meant. */
export function clientHello(randomBytes: (size: number) => Buffer): Buffer {
  return Buffer.concat([Buffer.of(VERSION), Buffer.alloc(PART_BYTES - RANDOM_BYTES), randomBytes(RANDOM_BYTES)]);
}

/** C2, from the first `SERVER_HANDSHAKE_BYTES` of the server. Throws RtmpError `protocol` for another protocol. */
export function clientAnswer(server: Buffer): Buffer {
  const [version] = server;
  // HTTP, TLS and SSH begin otherwise.
  if (version !== VERSION) throw new RtmpError('protocol', `answered with version ${String(version)}`);
  return Buffer.from(server.subarray(1, 1 + PART_BYTES));
}
