// Reads the date and time burnt into the frames of an export: of some seconds, which one's text stands in the pixels.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { burnInScript, type BurnInText } from '../../media/export/burn-in-script.ts';
import { run } from './ffprobe.ts';

/** Part of the frame's height in which one line of text stands. */
const LOWEST_PART = 1 / 12;

/** The bottom of each frame as grey pixels, or what `place` names instead. */
export async function greyStrips(
  path: string,
  { width, height }: Pick<BurnInText, 'width' | 'height'>,
  place: 'bottom' | 'above' = 'bottom',
): Promise<Buffer[]> {
  const lines = Math.round(height * LOWEST_PART);
  const filters = `crop=iw:${lines}:0:ih-${place === 'bottom' ? lines : 2 * lines},format=gray`;
  const output = ['-vf', filters, '-fps_mode', 'passthrough', '-f', 'rawvideo', '-'];
  const { bytes } = await run('ffmpeg', ['-v', 'error', '-i', path, ...output]);
  const size = width * lines;
  return Array.from({ length: bytes.length / size }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}

/** For each frame, of `seconds` (wall-clock ms) the one whose text looks most like what stands in the frame. */
export async function burntTimes(path: string, text: BurnInText, seconds: readonly number[]): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'burnt-'));
  try {
    const drawn: { second: number; strip: Buffer }[] = [];
    for (const second of seconds) drawn.push({ second, strip: await drawnText(folder, text, second) });
    return (await greyStrips(path, text)).map((strip) => {
      const differences = drawn.map((one) => difference(strip, one.strip));
      return drawn[differences.indexOf(Math.min(...differences))]?.second ?? Number.NaN;
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function drawnText(folder: string, text: BurnInText, wallMs: number): Promise<Buffer> {
  const script = join(folder, 'expected.ass');
  await writeFile(script, burnInScript(text, [{ at: 0, wallMs }], 90_000));
  const source = `color=c=0x606060:s=${text.width}x${text.height}:r=1:d=1,format=yuv420p,ass=filename=${script}`;
  const movie = join(folder, 'expected.mkv');
  await run('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', source, '-c:v', 'ffv1', movie]);
  const [strip] = await greyStrips(movie, text);
  if (!strip) throw new Error('no text was drawn');
  return strip;
}

/** Of two pixels of the same place, on average. */
export function difference(a: Buffer, b: Buffer): number {
  return a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / a.length;
}
