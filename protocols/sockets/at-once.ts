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

/** Memory that is used again once nobody holds it. */
export interface HeldMemory {
  hold(): void;
  release(): void;
}

/** Writes all of them in order: what the system takes at once, the rest the stream's way, which holds `memory` until it has read it. */
export function writeAtOnce(stream: Duplex, pieces: readonly Buffer[], memory?: HeldMemory): void {
  const taken = takenAtOnce(stream, pieces);
  if (taken < pieces.reduce((sum, { length }) => sum + length, 0)) writeRest(stream, pieces, taken, memory);
}

/** @param taken bytes that are gone already */
function writeRest(stream: Duplex, pieces: readonly Buffer[], taken: number, memory: HeldMemory | undefined): void {
  let gone = taken;
  const last = pieces.length - 1;
  memory?.hold();
  stream.cork();
  for (const [at, piece] of pieces.entries()) {
    const rest = gone === 0 ? piece : piece.subarray(Math.min(gone, piece.length));
    gone = Math.max(0, gone - piece.length);
    // Called for a stream that broke, too.
    if (at === last) stream.write(rest, () => memory?.release());
    else if (rest.length > 0) stream.write(rest);
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
