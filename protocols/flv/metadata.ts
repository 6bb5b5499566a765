// The `onMetaData` object of FLV and RTMP (Adobe FLV 10.1, E.5; codec numbers as Enhanced RTMP writes them).
import type { FlvAudio } from './audio-body.ts';
import type { FlvVideoCodec } from './video-body.ts';

export interface FlvVideo {
  readonly codec: FlvVideoCodec;
  readonly width: number;
  readonly height: number;
}

/** FourCC codes are numbers here, the first letter highest. */
const VIDEO_CODEC_ID = { h264: 7, h265: 0x68766331 } as const;
const AUDIO_CODEC_ID = { aac: 10, opus: 0x4f707573 } as const;

export function flvMetadata(video: FlvVideo | null, audio: FlvAudio | null): { readonly [key: string]: number } {
  return {
    ...(video && { width: video.width, height: video.height, videocodecid: VIDEO_CODEC_ID[video.codec] }),
    ...(audio && { audiocodecid: AUDIO_CODEC_ID[audio.codec] }),
  };
}
