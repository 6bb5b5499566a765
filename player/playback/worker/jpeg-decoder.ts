// Decodes JPEG frames one after the other with the interface of VideoDecoder, which has no such codec.

export interface JpegDecoderEvents {
  /** Takes the picture over and closes it. */
  readonly output: (picture: VideoFrame) => void;
  readonly error: (error: DOMException) => void;
}

interface JpegSample {
  readonly timestamp: number;
  readonly duration: number;
  readonly data: Uint8Array;
}

export class JpegDecoder extends EventTarget {
  readonly #events: JpegDecoderEvents;
  #state: CodecState = 'unconfigured';
  #waiting: JpegSample[] = [];
  #work: Promise<void> | null = null;
  /** What was begun in an earlier turn is dropped when it is done. */
  #turn = 0;
  /** Stands again in the place of a picture that lost datagrams on its way. */
  #last: VideoFrame | null = null;

  constructor(events: JpegDecoderEvents) {
    super();
    this.#events = events;
  }

  get state(): CodecState {
    return this.#state;
  }

  get decodeQueueSize(): number {
    return this.#waiting.length;
  }

  configure(): void {
    this.#state = 'configured';
  }

  decode(sample: JpegSample): void {
    this.#waiting.push(sample);
    this.#work ??= this.#run(this.#turn);
  }

  async flush(): Promise<void> {
    await this.#work;
  }

  reset(): void {
    this.#turn++;
    this.#waiting = [];
    this.#work = null;
    this.#last?.close();
    this.#last = null;
    this.#state = 'unconfigured';
  }

  close(): void {
    this.reset();
    this.#state = 'closed';
  }

  async #run(turn: number): Promise<void> {
    for (;;) {
      const sample = this.#waiting.shift();
      if (!sample) break;
      this.dispatchEvent(new Event('dequeue'));
      const picture = await decodeOne(sample).catch((error: unknown) => asFault(error));
      const isFault = picture instanceof DOMException;
      if (turn !== this.#turn) return isFault ? undefined : picture.close();
      if (isFault && !this.#last) {
        this.close();
        return this.#events.error(picture);
      }
      if (!isFault) {
        this.#last?.close();
        this.#last = picture;
      }
      const { timestamp, duration } = sample;
      if (this.#last) this.#events.output(new VideoFrame(this.#last, { timestamp, duration }));
    }
    this.#work = null;
  }
}

async function decodeOne({ data, timestamp, duration }: JpegSample): Promise<VideoFrame> {
  // A copy: the bytes are part of a segment that may be shared.
  const bitmap = await createImageBitmap(new Blob([new Uint8Array(data)], { type: 'image/jpeg' }));
  try {
    return new VideoFrame(bitmap, { timestamp, duration });
  } finally {
    bitmap.close();
  }
}

function asFault(error: unknown): DOMException {
  return error instanceof DOMException ? error : new DOMException(String(error), 'EncodingError');
}
