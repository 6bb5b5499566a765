// Which audio of a stream goes over WebRTC.
import type { MediaFormat } from '../stream/stream.ts';
import type { RtcAudioCodec } from './rtc-messages.ts';

/** Audio that browsers accept unchanged. */
export function audioOf({ audio }: MediaFormat): RtcAudioCodec | null {
  if (audio?.codec === 'opus') return 'opus';
  const isUsual = audio?.sampleRate === 8000 && audio.channels === 1;
  return isUsual && (audio.codec === 'pcma' || audio.codec === 'pcmu') ? audio.codec : null;
}
