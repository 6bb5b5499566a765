// H.264 frames filled with their own number, as packets of a camera: late or torn reads can be detected.
import { PlainAudioDepacketiser } from '@vedette/protocols/rtp/depacketise-audio.ts';
import { H264Depacketiser } from '@vedette/protocols/rtp/depacketise-h264.ts';
import { SLAB_BYTES } from '@vedette/protocols/rtp/slab-pool.ts';
import { payloadOf } from '@vedette/protocols/rtp/rtp-payload.fixture.ts';
import { UnitArena } from '@vedette/protocols/rtp/unit-arena.ts';
import { UNIT_ROOM_BYTES } from './live-fragment.ts';
import type { StreamConsumer } from './stream.ts';

export const KEYFRAME_EVERY = 20;
export const FRAME_MS = 50;
const START_MS = 1_800_000_000_000;
const TICKS_PER_MS = 90;
const PACKET_BYTES = 1300;
/** G.711 of one picture's length. */
export const AUDIO_BYTES = 8 * FRAME_MS;
/** NAL length, NAL header and the first byte of the slice. */
const HEAD_BYTES = 6;

/** Keyframes need a slab of their own now and then. */
function bodyBytes(no: number): number {
  return no % KEYFRAME_EVERY === 0 ? 30_000 + (no % 7) * 20_000 : 800 + (no % 13) * 1900;
}

export class NumberedCamera {
  readonly #depacketiser: H264Depacketiser;
  readonly #audio: PlainAudioDepacketiser;
  #no = 0;

  constructor(consumer: StreamConsumer) {
    const arena = new UnitArena(UNIT_ROOM_BYTES, SLAB_BYTES, consumer.slabs ?? null);
    this.#depacketiser = new H264Depacketiser(arena, {
      accessUnit: (data, timestamp, isKey, slab) => {
        const wallMs = START_MS + timestamp / TICKS_PER_MS;
        const times = { dts: timestamp, ctsOffset: 0, wallMs };
        consumer.accessUnit({ track: 'video', data, isKey, ...times, room: UNIT_ROOM_BYTES, slab });
      },
      parameterSet: () => undefined,
      damaged: (reason) => {
        throw new Error(`a picture was ${reason}`);
      },
    });
    this.#audio = new PlainAudioDepacketiser(new UnitArena(UNIT_ROOM_BYTES, 4096, consumer.slabs ?? null), {
      accessUnit: (data, timestamp, isKey, slab) => {
        const times = { dts: timestamp, ctsOffset: 0, wallMs: START_MS + timestamp / 8 };
        consumer.accessUnit({ track: 'audio', data, isKey, ...times, room: UNIT_ROOM_BYTES, slab });
      },
      parameterSet: () => undefined,
      damaged: () => undefined,
    });
  }

  /** The audio of the picture before; every sample is `soundOf` its number. */
  speak(): void {
    const no = this.#no - 1;
    const packet = Buffer.alloc(AUDIO_BYTES, audioOf(no));
    this.#audio.packet(packet, payloadOf(packet, no * AUDIO_BYTES));
  }

  next(): void {
    const no = this.#no++;
    const isKey = no % KEYFRAME_EVERY === 0;
    const body = Buffer.alloc(bodyBytes(no));
    for (let at = 0; at + 4 <= body.length; at += 4) body.writeUInt32BE(no, at);
    const slice = Buffer.concat([Buffer.of(0x80), body]);
    const time = no * FRAME_MS * TICKS_PER_MS;
    for (let at = 0; at < slice.length; at += PACKET_BYTES) {
      const end = Math.min(slice.length, at + PACKET_BYTES);
      const flags = (at === 0 ? 0x80 : 0) | (end === slice.length ? 0x40 : 0) | (isKey ? 5 : 1);
      const packet = Buffer.concat([Buffer.of(0x7c, flags), slice.subarray(at, end)]);
      this.#depacketiser.packet(packet, payloadOf(packet, time, end === slice.length));
    }
  }
}

/** Never what memory is overwritten with when it is given back. */
export function audioOf(no: number): number {
  return no % 200;
}

/** The number of a picture whose every byte is its own; null for one that is not whole any more. */
export function numberOf(picture: Uint8Array): number | null {
  const bytes = Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength);
  if (bytes.length < HEAD_BYTES + 4) return null;
  const no = bytes.readUInt32BE(HEAD_BYTES);
  if (bytes.length !== HEAD_BYTES + bodyBytes(no) || bytes.readUInt32BE(0) !== bytes.length - 4) return null;
  for (let at = HEAD_BYTES; at + 4 <= bytes.length; at += 4) if (bytes.readUInt32BE(at) !== no) return null;
  return no;
}
