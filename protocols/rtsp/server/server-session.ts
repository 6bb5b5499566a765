// One session of the RTSP server: its tracks, the way each of them goes out, and what plays on them.
import { randomBytes } from 'node:crypto';
import type { DatagramRoute } from './server-datagrams.ts';
import type { RtspMount, RtspPlayback } from './server-mount.ts';

/** Interleaved media channel at the client, or its UDP ports. */
export type TrackDelivery =
  | { readonly kind: 'tcp'; readonly channel: number }
  | { readonly kind: 'udp'; readonly route: DatagramRoute };

export class ServerSession {
  readonly id = randomBytes(8).toString('hex').toUpperCase();
  readonly path: string;
  readonly mount: RtspMount;
  playback: RtspPlayback | null = null;
  readonly #deliveries = new Map<number, TrackDelivery>();
  readonly #write: (frames: Buffer) => void;
  /** Frames are written for channels 2n and 2n + 1; a client that set everything up so gets them without a copy. */
  #isPlain = false;

  constructor(path: string, mount: RtspMount, write: (frames: Buffer) => void) {
    this.path = path;
    this.mount = mount;
    this.#write = write;
  }

  get tracks(): ReadonlySet<number> {
    return new Set(this.#deliveries.keys());
  }

  /** Bytes that wait for their turn on the way to UDP ports. */
  get queuedBytes(): number {
    let bytes = 0;
    for (const way of this.#deliveries.values()) if (way.kind === 'udp') bytes += way.route.queuedBytes;
    return bytes;
  }

  setUp(track: number, way: TrackDelivery): void {
    this.#closeDelivery(track);
    this.#deliveries.set(track, way);
    this.#isPlain =
      this.#deliveries.size === this.mount.controls.length &&
      [...this.#deliveries].every(([index, one]) => one.kind === 'tcp' && one.channel === index * 2);
  }

  /** Whole `$` frames of any tracks; those of tracks that were not set up stay here. */
  send(frames: Buffer): void {
    if (this.#isPlain) {
      this.#write(frames);
      return;
    }
    const interleaved: Buffer[] = [];
    for (let at = 0; at + 4 <= frames.length; ) {
      const end = at + 4 + frames.readUInt16BE(at + 2);
      const given = frames[at + 1] as number;
      const way = this.#deliveries.get(given >> 1);
      if (way?.kind === 'udp') way.route.send(frames.subarray(at + 4, end), (given & 1) === 1);
      else if (way) {
        const copy = Buffer.from(frames.subarray(at, end));
        copy[1] = way.channel + (given & 1);
        interleaved.push(copy);
      }
      at = end;
    }
    if (interleaved.length > 0) this.#write(Buffer.concat(interleaved));
  }

  /** The track of an interleaved media channel; -1 for reports and for what was not set up. */
  trackOf(channel: number): number {
    for (const [track, way] of this.#deliveries) if (way.kind === 'tcp' && way.channel === channel) return track;
    return -1;
  }

  pause(): void {
    this.playback?.stop();
    this.playback = null;
  }

  close(): void {
    this.pause();
    for (const track of this.#deliveries.keys()) this.#closeDelivery(track);
    this.#deliveries.clear();
  }

  #closeDelivery(track: number): void {
    const way = this.#deliveries.get(track);
    if (way?.kind === 'udp') way.route.close();
  }
}
