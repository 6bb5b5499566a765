// ffmpeg arguments of a live transcode: constants and one number, nothing from the network.

export const TRANSCODE_TIMESCALE = 90_000;
const RATE_MAX = 15;
const KEYFRAME_EVERY_S = 2;

/** Fragmented MP4 on stdout with one frame per fragment, without frame reordering. */
export function transcodeArguments(maxHeight: number): string[] {
  const quick = ['-fflags', 'nobuffer', '-flags', 'low_delay', '-probesize', '65536', '-analyzeduration', '0'];
  const input = ['-protocol_whitelist', 'pipe', ...quick, '-fpsprobesize', '0', '-threads', '1', '-f', 'mov'];
  const filters = `fps=${RATE_MAX}:round=near,scale=-2:'min(${maxHeight},ih)':flags=fast_bilinear,format=yuv420p`;
  const coder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-profile:v', 'baseline'];
  const rate = ['-crf', '25', '-maxrate', '2M', '-bufsize', '1M', '-g', String(RATE_MAX * KEYFRAME_EVERY_S)];
  const fragments = ['-movflags', 'empty_moov+default_base_moof+frag_every_frame', '-flush_packets', '1'];
  const head = ['-v', 'error', '-nostdin', ...input, '-i', 'pipe:0', '-an', '-filter_threads', '1', '-vf', filters];
  const ticks = ['-bf', '0', '-threads', '1', '-video_track_timescale', String(TRANSCODE_TIMESCALE)];
  return [...head, ...coder, ...rate, ...ticks, ...fragments, '-f', 'mp4', 'pipe:1'];
}
