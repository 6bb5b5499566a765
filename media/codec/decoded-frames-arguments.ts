// ffmpeg arguments of frames as pixels: constants and numbers, nothing from the network.

/** Ticks of the output a second. */
export const DECODED_TIMESCALE = 1000;

/** 8192 × 4096: more than any camera has. */
const PIXELS_MAX = '33554432';

/** Uncompressed frames in fragmented QuickTime, one a fragment: a raw pipe would have no times. */
export function decodedFramesArguments(
  { width, height }: { readonly width: number; readonly height: number },
  picturesPerS: number,
): string[] {
  // Without `nobuffer`, which drops what was probed: a GOP may be ten seconds long.
  const quick = [
    '-max_pixels',
    PIXELS_MAX,
    '-flags',
    'low_delay',
    '-probesize',
    '65536',
    '-analyzeduration',
    '0',
    '-fpsprobesize',
    '0',
  ];
  const input = ['-protocol_whitelist', 'pipe', ...quick, '-threads', '1', '-f', 'mov', '-i', 'pipe:0', '-an'];
  const filters = `fps=${picturesPerS}:round=near,scale=${width}:${height}:flags=area`;
  const pixels = ['-filter_threads', '1', '-vf', filters, '-c:v', 'rawvideo', '-pix_fmt', 'rgb24'];
  const fragments = ['-movflags', 'empty_moov+default_base_moof+frag_every_frame', '-flush_packets', '1'];
  const to = ['-video_track_timescale', String(DECODED_TIMESCALE), ...fragments, '-f', 'mov', 'pipe:1'];
  return ['-v', 'error', '-nostdin', ...input, ...pixels, ...to];
}
