// Reads the frame counter and wall clock burned into frames by virtual cameras, so that lost frames are counted.
import {
  readStripFromLuma,
  STRIP_BLOCKS_PER_WIDTH,
  STRIP_COLUMNS,
  STRIP_ROWS,
  type StripContent,
} from '../../virtual-devices/scene/painting/strip.ts';
import { run } from './ffprobe.ts';

/** The strip of every decoded picture of a file or address, in order; pictures without a readable one are an error. */
export async function countedFrames(source: string, input?: Buffer): Promise<StripContent[]> {
  const width = await widthOf(source, input);
  const block = width / STRIP_BLOCKS_PER_WIDTH;
  const [cropWidth, cropHeight] = [block * STRIP_COLUMNS, block * STRIP_ROWS];
  const decoded = await run(
    'ffmpeg',
    [
      '-v',
      'error',
      '-i',
      source,
      '-vf',
      `crop=${cropWidth}:${cropHeight}:0:0:exact=1,format=gray`,
      '-fps_mode',
      'passthrough',
      '-f',
      'rawvideo',
      '-',
    ],
    input,
  );
  const size = cropWidth * cropHeight;
  const frames: StripContent[] = [];
  for (let at = 0; at + size <= decoded.bytes.length; at += size) {
    const strip = readStripFromLuma(decoded.bytes.subarray(at, at + size), cropWidth, width);
    if (!strip)
      throw new Error(`picture ${at / size} of ${source} has no readable strip; ${decoded.stderr.slice(0, 400)}`);
    frames.push(strip);
  }
  return frames;
}

/** Places where the counter did not rise by exactly one. */
export function counterBreaks(
  frames: readonly StripContent[],
): { readonly after: number; readonly next: number; readonly lostMs: number }[] {
  return frames.flatMap((frame, index) => {
    const next = frames[index + 1];
    if (!next || next.frame === frame.frame + 1) return [];
    return [{ after: frame.frame, next: next.frame, lostMs: next.wallMs - frame.wallMs }];
  });
}

async function widthOf(source: string, input?: Buffer): Promise<number> {
  const args = ['-v', 'error', '-select_streams', 'v:0', '-show_entries', 'stream=width', '-of', 'csv=p=0', source];
  const { stdout } = await run('ffprobe', args, input);
  const width = Number.parseInt(stdout, 10);
  if (!(width > 0)) throw new Error(`no picture in ${source}`);
  return width;
}
