// ffmpeg arguments of the burn-in: constants and file names of ours, nothing from the network.
import { VIDEO_TIMESCALE } from '../recordings/index-record.ts';

/** The text, in the folder in which ffmpeg runs. */
export const BURN_IN_SCRIPT = 'burn-in.ass';
const KEYFRAME_EVERY_S = 2;
/** 8192 × 4096: more than any camera has. */
const PIXELS_MAX = '33554432';
/** H.264 needs even sides. */
const FILTERS = `pad=ceil(iw/2)*2:ceil(ih/2)*2,ass=filename=${BURN_IN_SCRIPT},format=yuv420p`;

/** A movie on stdin becomes fragmented MP4 on stdout: each frame keeps its time, without frame reordering. One core at most. */
export function burnInArguments(): string[] {
  const input = [
    '-protocol_whitelist',
    'pipe',
    '-max_pixels',
    PIXELS_MAX,
    '-threads',
    '1',
    '-f',
    'mov',
    '-i',
    'pipe:0',
  ];
  const frames = ['-map', '0:v:0', '-fps_mode', 'passthrough', '-enc_time_base', `1:${VIDEO_TIMESCALE}`];
  const coder = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-bf', '0', '-threads', '1'];
  const keys = ['-force_key_frames', `expr:gte(t,n_forced*${KEYFRAME_EVERY_S})`];
  const ticks = ['-video_track_timescale', String(VIDEO_TIMESCALE)];
  const fragments = ['-movflags', 'empty_moov+default_base_moof+frag_every_frame', '-f', 'mp4', 'pipe:1'];
  const filters = ['-filter_threads', '1', '-vf', FILTERS];
  return ['-v', 'error', '-nostdin', ...input, ...frames, ...filters, ...coder, ...keys, ...ticks, ...fragments];
}

/** Draws one black frame with the text: it shows whether this ffmpeg has what a burn-in needs, and warns of characters without a font. */
export function trialArguments({ width, height }: { readonly width: number; readonly height: number }): string[] {
  const input = ['-f', 'lavfi', '-i', `color=black:s=${width}x${height}:r=1`, '-frames:v', '1'];
  return ['-v', 'warning', '-nostdin', ...input, '-vf', FILTERS, '-c:v', 'libx264', '-f', 'null', '-'];
}

/** What libass writes for a character that no installed font has. */
export const NO_GLYPH = 'failed to find any fallback with glyph';
