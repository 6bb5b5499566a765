// Reads from and writes to plain sockets at once, by their descriptors: for small pieces a stream's own way costs more than the bytes.
import { readSync, writeSync, writevSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';

/** What lies with the system for it, into `into`; 0 where the socket must look itself: nothing came, it ended or broke, or it has no descriptor. */
export function readAtOnce(stream: Duplex | null, into: Buffer): number {
  const descriptor = descriptorOf(stream);
  if (descriptor < 0) return 0;
  try {
    return readSync(descriptor, into, 0, into.length, null);
  } catch {
    // EAGAIN most often; what else there is the socket reports.
    return 0;
  }
}

/** Writes all of them in order: what the system takes at once, the rest the stream's way. */
export function writeAtOnce(stream: Duplex, pieces: readonly Buffer[]): void {
  let taken = takenAtOnce(stream, pieces);
  if (taken === pieces.reduce((sum, { length }) => sum + length, 0)) return;
  stream.cork();
  for (const piece of pieces) {
    if (taken < piece.length) stream.write(taken === 0 ? piece : piece.subarray(taken));
    taken = Math.max(0, taken - piece.length);
  }
  stream.uncork();
}

/** Bytes; 0 where earlier ones still wait, and where the stream must tell what is the matter. */
function takenAtOnce(stream: Duplex, pieces: readonly Buffer[]): number {
  if (stream.writableLength > 0 || stream.writableCorked > 0 || !stream.writable) return 0;
  const descriptor = descriptorOf(stream);
  if (descriptor < 0) return 0;
  const [first] = pieces;
  try {
    return first && pieces.length === 1 ? writeSync(descriptor, first) : writevSync(descriptor, pieces);
  } catch {
    return 0;
  }
}

/** -1 for TLS, tunnels, sockets that connect or ended, and systems that lend none (Windows). Asked anew each time: numbers are used again. */
function descriptorOf(stream: Duplex | null): number {
  if (!(stream instanceof Socket) || stream instanceof TLSSocket || stream.connecting || stream.destroyed) return -1;
  // Not documented, but there since the first Node. This is the only place that asks for it: where it is missing or no number,
  // everything goes the stream's way, which is the same but slower.
  const { _handle: handle } = stream as Socket & { readonly _handle?: { readonly fd?: unknown } | null };
  const descriptor = handle?.fd;
  return typeof descriptor === 'number' && Number.isInteger(descriptor) ? descriptor : -1;
}
