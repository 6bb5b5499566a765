// Messages of the analyst: frames on its standard input, answers as lines of JSON on its standard output.
import { z } from 'zod';
import { MODEL_REFUSALS, OBJECT_CLASSES } from '@vedette/contract/enumerations.ts';

/** Red, green and blue of each pixel, row by row from the top left. */
export interface AnalystFrame {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
  /** Looked at a second time, enlarged; null: nothing small moves. */
  readonly region: PixelRegion | null;
}

/** Whole pixels within the frame. */
export interface PixelRegion {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface NumberedFrame extends AnalystFrame {
  readonly id: number;
}

/** Number, width, height, and the region (0, 0, 0, 0 for none), 32 bits each, little endian. */
export const FRAME_HEAD_BYTES = 28;
/** Larger frames are scaled by the decoder before. */
export const FRAME_SIDE_MAX = 2048;

export function frameHead({ id, width, height, region }: NumberedFrame): Buffer {
  const { x, y, ...size } = region ?? { x: 0, y: 0, width: 0, height: 0 };
  const head = Buffer.alloc(FRAME_HEAD_BYTES);
  for (const [at, value] of [id, width, height, x, y, size.width, size.height].entries())
    head.writeUInt32LE(value, at * 4);
  return head;
}

/** Throws RangeError for a frame that no decoder of ours makes: the stream is then out of step. */
export async function* readFrames(input: AsyncIterable<Buffer>): AsyncGenerator<NumberedFrame> {
  let parts: Buffer[] = [];
  let bytes = 0;
  let frame: Omit<NumberedFrame, 'rgb'> | null = null;
  for await (const part of input) {
    parts.push(part);
    bytes += part.length;
    for (;;) {
      const needed = frame === null ? FRAME_HEAD_BYTES : frame.width * frame.height * 3;
      if (bytes < needed) break;
      const all = Buffer.concat(parts, bytes);
      const whole = all.subarray(0, needed);
      parts = [all.subarray(needed)];
      bytes -= needed;
      if (frame !== null) yield { ...frame, rgb: whole };
      frame = frame === null ? readHead(whole) : null;
    }
  }
}

function readHead(head: Buffer): Omit<NumberedFrame, 'rgb'> {
  const at = (index: number): number => head.readUInt32LE(index * 4);
  const [id, width, height] = [at(0), at(1), at(2)];
  const region = { x: at(3), y: at(4), width: at(5), height: at(6) };
  const isPossible = width > 0 && height > 0 && width <= FRAME_SIDE_MAX && height <= FRAME_SIDE_MAX;
  const isWithin = region.x + region.width <= width && region.y + region.height <= height;
  if (!isPossible || !isWithin) throw new RangeError(`a frame of ${width} × ${height}`);
  return { id, width, height, region: region.width === 0 || region.height === 0 ? null : region };
}

const share = z.number().min(0).max(1);
const detection = z.object({
  objectClass: z.enum(OBJECT_CLASSES),
  score: share,
  box: z.object({ x: share, y: share, width: share, height: share }),
});

/** What the analyst runs, as its description says. */
const openedModel = z.object({
  name: z.string(),
  sha256: z.string(),
  licence: z.string(),
  size: z.number(),
  classes: z.array(z.enum(OBJECT_CLASSES)),
});

/** Answers of the analyst; `cpuMs` is processor time of the frame, all in. */
export const analystAnswer = z.discriminatedUnion('event', [
  z.object({ event: z.literal('ready'), model: openedModel.optional() }),
  z.object({
    event: z.literal('failed'),
    fault: z.string().max(500),
    /** Null: it is not for the model. */
    reason: z.enum(MODEL_REFUSALS).nullable().default(null),
  }),
  z.object({
    event: z.literal('seen'),
    id: z.number().int(),
    cpuMs: z.number().min(0),
    detections: z.array(detection).max(1000),
  }),
]);
export type AnalystAnswer = z.infer<typeof analystAnswer>;
