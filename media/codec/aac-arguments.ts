// ffmpeg arguments that make AAC of G.711, and what is known of the AAC that comes out.
import { aacCodecString, writeAudioSpecificConfig } from '@vedette/protocols/aac/audio-specific-config.ts';
import type { AudioFormat } from '../stream/stream.ts';

export type G711Format = Pick<AudioFormat, 'sampleRate' | 'channels'> & { readonly codec: 'pcma' | 'pcmu' };

/** Every AAC decoder takes it; telephone audio has nothing above 4 kHz. */
export const AAC_SAMPLE_RATE = 16_000;
/** Of a frame; also of the silence that the encoder puts before the audio. */
export const AAC_FRAME_SAMPLES = 1024;
const AAC_LC = 2;

/** Raw G.711 on stdin; fragmented MP4 on stdout with one frame per fragment. */
export function aacArguments(from: G711Format, channels: number): string[] {
  const quick = ['-protocol_whitelist', 'pipe', '-probesize', '32', '-analyzeduration', '0'];
  const layout = ['-ar', String(from.sampleRate), '-ac', String(from.channels)];
  const input = [...quick, '-f', from.codec === 'pcma' ? 'alaw' : 'mulaw', ...layout, '-i', 'pipe:0'];
  const shape = ['-ar', String(AAC_SAMPLE_RATE), '-ac', String(channels)];
  const coder = ['-c:a', 'aac', ...shape, '-b:a', '48k', '-threads', '1'];
  const fragments = ['-movflags', 'empty_moov+default_base_moof+frag_every_frame', '-use_editlist', '0'];
  return ['-v', 'error', '-nostdin', ...input, ...coder, ...fragments, '-flush_packets', '1', '-f', 'mp4', 'pipe:1'];
}

export function aacFormat(channels: number): AudioFormat {
  const config = Buffer.from(writeAudioSpecificConfig(AAC_SAMPLE_RATE, channels));
  return { codec: 'aac', codecString: aacCodecString(AAC_LC), sampleRate: AAC_SAMPLE_RATE, channels, config };
}
