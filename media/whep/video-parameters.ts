// Parameters of H.264 and H.265 in session descriptions of WebRTC (RFC 6184, 8.1; RFC 7798, 7.1).
import type { VideoFormat } from '../stream/stream.ts';
import type { RtcVideo } from './rtc-messages.ts';

/** What every receiver of WebRTC takes: constrained baseline (RFC 7742, 6.2). */
const EVERYONES = '42e01f';
const HVCC_PROFILE = 1;
const HVCC_LEVEL = 12;

export function h264Parameters(profileLevelId: string): string {
  return `level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=${profileLevelId}`;
}

/** What is offered for a stream: what it is, and for H.264 also what everyone takes. Null for what WebRTC does not carry. */
export function offeredVideo({ codec, config }: Pick<VideoFormat, 'codec' | 'config'>): RtcVideo | null {
  if (codec === 'h264') {
    const own = config.subarray(1, 4).toString('hex');
    const ids = own.length === EVERYONES.length && own !== EVERYONES ? [own, EVERYONES] : [EVERYONES];
    return { codec: 'H264', parameters: ids.map(h264Parameters) };
  }
  if (codec !== 'h265' || config.length <= HVCC_LEVEL) return null;
  const profile = config.readUInt8(HVCC_PROFILE);
  const tier = (profile >> 5) & 1;
  const parameters = `level-id=${config.readUInt8(HVCC_LEVEL)};profile-id=${profile & 0x1f};tier-flag=${tier};tx-mode=SRST`;
  return { codec: 'H265', parameters: [parameters] };
}
