// One ffmpeg process that turns keyframes into JPEG or grey pixels, one after the other; a process per frame would cost ten times as much.
import { type CodedFormat, parameterSets, writeByteStream } from './annex-b.ts';
import type { StartFfmpeg, FfmpegProcess } from './ffmpeg-process.ts';

export interface SnapshotShape {
  readonly codec: CodedFormat['codec'];
  /** `grey`: a byte for each pixel, row by row. */
  readonly output: 'jpeg' | 'grey';
  readonly width: number;
  readonly height: number;
}

/** The process ended, timed out, or could not decode the keyframe. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  /** Another process may decode the same bytes. */
  readonly mayRetry: boolean;

  constructor(message: string, mayRetry: boolean) {
    super(message);
    this.mayRetry = mayRetry;
  }
}

/**
 * A tiny keyframe of a unique colour as a marker. It flushes the frame before it out of the decoder, whose delay is
 * unknown; its constant JPEG shows that the frame before it gave no output.
 */
const MARK = {
  h264: 'AAAAAWdCwArd7ARAAAADAEAAAAMAg8SJ4AAAAAFozg8sgAAAAWWIhAS8RigACbbHAAE1aOAAKfWA',
  h265:
    'AAAAAUABDAH//wQIAAADAJ+oAAADAAAeugJAAAAAAUIBAQQIAAADAJ+oAAADAAAeoEIIWW6q8rwFoCAAAAMAIAAAAwAhAAAAAUQBwXPAiQAA' +
    'ASgBr3j3BAP++bxG8DQ7HuykO3Y=',
} as const;
const MARKS_AFTER_PICTURE = 4;
/** ffmpeg needs some frames to detect the format. */
const MARKS_AT_START = 4;
/** 8192 × 4096: more than any camera has. */
const PIXELS_MAX = 33_554_432;
const JPEG_MAX_BYTES = 16 * 1024 * 1024;
const JPEG_END = Buffer.from([0xff, 0xd9]);

interface Job {
  readonly resolve: (picture: Buffer) => void;
  readonly reject: (error: DecodeError) => void;
  /** Number of the first marker after this frame. */
  readonly firstMark: number;
}

export class KeyframeDecoder {
  readonly shape: SnapshotShape;
  readonly #tool: FfmpegProcess;
  readonly #mark: Buffer;
  #markPicture: Buffer | null = null;
  #marksSent = 0;
  #marksSeen = 0;
  #job: Job | null = null;
  #parts: Buffer[] = [];
  #bytes = 0;
  #isEnded = false;

  constructor(shape: SnapshotShape, start: StartFfmpeg) {
    this.shape = shape;
    this.#mark = Buffer.concat([
      Buffer.from(MARK[shape.codec], 'base64'),
      writeByteStream(shape.codec, Buffer.alloc(0)),
    ]);
    this.#tool = start(decodeArguments(shape));
    this.#tool.output.on('data', (bytes: Buffer) => this.#received(bytes));
    void this.#tool.ended.then(({ code, stderrTail }) => {
      this.#isEnded = true;
      this.#fail(new DecodeError(`the decoder ended with ${code}: ${stderrTail}`, true));
    });
    this.#write(Buffer.alloc(0), MARKS_AT_START);
  }

  get pid(): number | undefined {
    return this.#tool.pid;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  get isBusy(): boolean {
    return this.#job !== null;
  }

  /** One at a time. Rejects with DecodeError. */
  decode(format: CodedFormat, unit: Buffer): Promise<Buffer> {
    if (this.#job) throw new RangeError('the decoder is busy');
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    this.#job = { resolve, reject, firstMark: this.#marksSent + 1 };
    this.#write(Buffer.concat([parameterSets(format), writeByteStream(format.codec, unit)]), MARKS_AFTER_PICTURE);
    return promise;
  }

  /** Fails the running request, which may be retried. */
  kill(): void {
    this.#tool.kill();
  }

  #write(bytes: Buffer, marks: number): void {
    this.#marksSent += marks;
    this.#tool.input.write(Buffer.concat([bytes, ...Array.from({ length: marks }, () => this.#mark)]));
  }

  #received(bytes: Buffer): void {
    this.#parts.push(bytes);
    this.#bytes += bytes.length;
    let all = Buffer.concat(this.#parts, this.#bytes);
    for (let length = this.#lengthIn(all); length !== null; length = this.#lengthIn(all)) {
      this.#pictured(Buffer.from(all.subarray(0, length)));
      all = all.subarray(length);
    }
    this.#parts = [all];
    this.#bytes = all.length;
    if (all.length > JPEG_MAX_BYTES) this.kill();
  }

  /** Splits concatenated JPEGs; null if the first is incomplete. The end marker never occurs inside one (ITU-T T.81 B.1.1.5). */
  #lengthIn(all: Buffer): number | null {
    const { output, width, height } = this.shape;
    if (output === 'grey') return all.length >= width * height ? width * height : null;
    const end = all.indexOf(JPEG_END);
    return end < 0 ? null : end + JPEG_END.length;
  }

  #pictured(picture: Buffer): void {
    // The first output is the marker's.
    this.#markPicture ??= picture;
    if (!picture.equals(this.#markPicture)) {
      const job = this.#job;
      this.#job = null;
      if (!job) return;
      // A marker may be lost at the start or by damage: resynchronizes the count.
      this.#marksSeen = job.firstMark - 1;
      job.resolve(picture);
      return;
    }
    this.#marksSeen += 1;
    const isPassed = this.#job !== null && this.#marksSeen >= this.#job.firstMark;
    if (isPassed) this.#fail(new DecodeError('nothing could be decoded', false));
  }

  #fail(error: DecodeError): void {
    const job = this.#job;
    this.#job = null;
    job?.reject(error);
  }
}

function decodeArguments({ codec, output, width, height }: SnapshotShape): string[] {
  const input = ['-protocol_whitelist', 'pipe', '-r', '25', '-fflags', 'nobuffer', '-flags', 'low_delay'];
  const quick = ['-probesize', '32', '-analyzeduration', '0', '-max_pixels', String(PIXELS_MAX), '-threads', '1'];
  const from = ['-f', codec === 'h264' ? 'h264' : 'hevc', '-i', 'pipe:0'];
  const scaled = ['-an', '-filter_threads', '1', '-vf', `scale=${width}:${height}:flags=area`];
  const made =
    output === 'grey'
      ? ['-f', 'rawvideo', '-pix_fmt', 'gray']
      : ['-f', 'image2pipe', '-c:v', 'mjpeg', '-threads', '1', '-q:v', '4'];
  const to = ['-fps_mode', 'passthrough', ...made];
  return ['-v', 'error', '-nostdin', ...input, ...quick, ...from, ...scaled, ...to, '-flush_packets', '1', 'pipe:1'];
}
