// Parses fragmented MP4 from a pipe: the init segment once, then each sample of its single track.
import { readBox, readFragment } from '@vedette/protocols/mp4/box-reader.ts';

export interface FragmentSample {
  /** Copied data. */
  readonly data: Buffer;
  readonly isKey: boolean;
  /** Decode time and composition offset, in ticks of the track. */
  readonly dts: number;
  readonly ctsOffset: number;
}

export interface FragmentSink {
  /** ftyp + moov. */
  init(bytes: Buffer): void;
  sample(sample: FragmentSample): void;
}

export class FragmentReader {
  readonly #sink: FragmentSink;
  #bytes: Buffer = Buffer.alloc(0);
  #head: Buffer[] = [];
  #fragment: Buffer | null = null;

  constructor(sink: FragmentSink) {
    this.#sink = sink;
  }

  /** Throws Mp4Error for invalid boxes. */
  push(bytes: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
    for (let box = readBox(this.#bytes, 0); box && box.end <= this.#bytes.length; box = readBox(this.#bytes, 0)) {
      const whole = this.#bytes.subarray(0, box.end);
      this.#bytes = this.#bytes.subarray(box.end);
      this.#box(box.type, whole);
    }
  }

  #box(type: string, whole: Buffer): void {
    if (type === 'ftyp') this.#head = [whole];
    else if (type === 'moov') this.#sink.init(Buffer.concat([...this.#head, whole]));
    else if (type === 'moof') this.#fragment = whole;
    else if (type === 'mdat' && this.#fragment) this.#samples(this.#fragment, Buffer.concat([this.#fragment, whole]));
  }

  #samples(moof: Buffer, all: Buffer): void {
    for (const { baseDts, samples } of readFragment(moof, 0)) {
      let dts = baseDts;
      for (const { offset, size, duration, isKey, ctsOffset } of samples) {
        this.#sink.sample({ data: Buffer.from(all.subarray(offset, offset + size)), isKey, dts, ctsOffset });
        dts += duration;
      }
    }
  }
}
