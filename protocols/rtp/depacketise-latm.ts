// Turns RTP payloads of MP4A-LATM into AAC frames, the configuration being in the description (RFC 6416 6.1, ISO/IEC 14496-3 1.7.3).
import type { RtpPayload } from './packet.ts';
import type { Depacketiser, DepacketiserSink } from './picture-assembler.ts';
import type { UnitArena } from './unit-arena.ts';

const LIMIT_BYTES = 65_536;
/** A length goes on with the next byte while it is all ones. */
const MORE = 255;

export class LatmDepacketiser implements Depacketiser {
  readonly #arena: UnitArena;
  readonly #sink: DepacketiserSink;
  readonly #ticksPerFrame: number;
  #parts: Buffer[] = [];
  #bytes = 0;
  #timestamp = 0;
  /** Nothing counts until the packet after the next marker. */
  #isTorn = false;

  constructor(arena: UnitArena, sink: DepacketiserSink, ticksPerFrame: number) {
    this.#arena = arena;
    this.#sink = sink;
    this.#ticksPerFrame = ticksPerFrame;
  }

  gap(): void {
    // Whether the lost packet closed an element or was part of the next is only known after a marker.
    this.#isTorn = true;
  }

  packet(buffer: Buffer, { payloadStart: start, payloadEnd: end, timestamp, marker }: RtpPayload): void {
    if (this.#bytes > 0 && timestamp !== this.#timestamp) this.#isTorn = true;
    this.#timestamp = timestamp;
    this.#bytes += end - start;
    if (this.#bytes > LIMIT_BYTES) this.#isTorn = true;
    if (!this.#isTorn) this.#parts.push(Buffer.from(buffer.subarray(start, end)));
    if (!marker) return;
    if (this.#isTorn) this.#sink.damaged('lost-packets');
    else this.#frames(Buffer.concat(this.#parts));
    this.#parts = [];
    this.#bytes = 0;
    this.#isTorn = false;
  }

  #frames(elements: Buffer): void {
    let count = 0;
    for (let at = 0; at < elements.length; count++) {
      let size = 0;
      let byte = MORE;
      while (byte === MORE && at < elements.length) {
        byte = elements[at++] as number;
        size += byte;
      }
      if (size === 0 || byte === MORE || at + size > elements.length) {
        this.#sink.damaged('bad-payload');
        return;
      }
      this.#arena.append(elements, at, at + size);
      const time = (this.#timestamp + count * this.#ticksPerFrame) >>> 0;
      this.#sink.accessUnit(this.#arena.finish(), time, true, this.#arena.slab);
      at += size;
    }
  }
}
