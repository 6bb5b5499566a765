// Bodies of FLV audio tags, which RTMP carries unchanged: AAC (Adobe FLV 10.1, E.4.2) and Opus (Enhanced RTMP v2).

export type FlvAudio =
  | {
      readonly codec: 'aac';
      /** AudioSpecificConfig. */
      readonly config: Uint8Array;
    }
  | { readonly codec: 'opus'; readonly channels: number; readonly sampleRate: number };

/** AAC is always announced as 44.1 kHz, 16 bits, stereo: the AudioSpecificConfig says what it is. */
const AAC = 0xaf;
/** Sound format 9 is the header of Enhanced RTMP v2. */
const EXTENDED = 0x90;
const SEQUENCE_START = 0;
const CODED_FRAMES = 1;
const OPUS = [0x4f, 0x70, 0x75, 0x73];
/** Samples of 48 kHz that a decoder drops first: as libopus encodes. */
const PRE_SKIP = 312;

/** What comes before the first frame. */
export function audioConfigBody(audio: FlvAudio): readonly Uint8Array[] {
  if (audio.codec === 'aac') return [Uint8Array.of(AAC, SEQUENCE_START), audio.config];
  return [Uint8Array.of(EXTENDED | SEQUENCE_START, ...OPUS), opusHead(audio)];
}

export function audioFrameBody({ codec }: Pick<FlvAudio, 'codec'>, data: Uint8Array): readonly Uint8Array[] {
  const header = codec === 'aac' ? [AAC, CODED_FRAMES] : [EXTENDED | CODED_FRAMES, ...OPUS];
  return [Uint8Array.from(header), data];
}

/** Identification header of RFC 7845 5.1, channel mapping family 0: one or two channels. */
function opusHead({ channels, sampleRate }: { readonly channels: number; readonly sampleRate: number }): Uint8Array {
  const bytes = new Uint8Array(19);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode('OpusHead'));
  bytes.set([1, channels], 8);
  view.setUint16(10, PRE_SKIP, true);
  view.setUint32(12, sampleRate, true);
  return bytes;
}
