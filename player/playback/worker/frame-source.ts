// One video decoder of playback: configured by the format, reset on seek; every frame is handed over or closed.
import { JPEG, type VideoSetup } from '../segments/decoder-setup.ts';
import type { VideoSample } from '../segments/fragment-samples.ts';
import { JpegDecoder } from './jpeg-decoder.ts';

export interface FrameSourceOptions {
  /** Takes the picture over and closes it. */
  readonly onFrame: (picture: VideoFrame) => void;
  /** The browser has no decoder for it. */
  readonly onUnsupported: (codec: string) => void;
  /** What it was fed can't be decoded, or the browser took the decoder away: nothing more comes until `reset`. */
  readonly onBroken: (error: DOMException) => void;
  /** The decoder took everything that it was fed. */
  readonly onHungry?: () => void;
}

export interface DecodingNeeds {
  /** Many pictures are kept at once: hardware has only a few surfaces, and stands still while they are held. */
  readonly keepsMany: boolean;
  readonly isReordered: boolean;
}

export class FrameSource {
  readonly #options: FrameSourceOptions;
  #decoder: VideoDecoder | JpegDecoder | null = null;
  #setup: VideoSetup | null = null;
  #needs: DecodingNeeds | null = null;
  /** Nothing was fed since it was set up, or since everything was handed out. */
  #isEmpty = false;
  /** Time stamps that were fed and not handed out: what else comes out was fed before the last reset. */
  readonly #awaited = new Set<number>();

  constructor(options: FrameSourceOptions) {
    this.#options = options;
  }

  /** Fed and not handed out yet. */
  get pending(): number {
    return this.#awaited.size;
  }

  /** Ready to take a keyframe of this format. Nothing that was fed before is handed out any more. */
  reset(setup: VideoSetup, needs: DecodingNeeds): void {
    this.#awaited.clear();
    const isSame =
      setup === this.#setup &&
      needs.keepsMany === this.#needs?.keepsMany &&
      needs.isReordered === this.#needs.isReordered;
    if (this.#decoder?.state === 'configured' && isSame) {
      // Setting up costs about as much as decoding ten pictures.
      if (this.#isEmpty) return;
      this.#decoder.reset();
    } else {
      this.#close();
      this.#decoder = this.#make(setup);
    }
    this.#setup = setup;
    this.#needs = needs;
    this.#isEmpty = true;
    this.#configure(setup, needs);
  }

  isFor(setup: VideoSetup): boolean {
    return this.#setup === setup && this.#decoder?.state === 'configured';
  }

  decode({ atUs, durationUs, isKey, data }: VideoSample): void {
    if (this.#decoder?.state !== 'configured') return;
    this.#isEmpty = false;
    this.#awaited.add(atUs);
    const sample = { timestamp: atUs, duration: durationUs, data };
    if (this.#decoder instanceof JpegDecoder) return this.#decoder.decode(sample);
    try {
      this.#decoder.decode(new EncodedVideoChunk({ type: isKey ? 'key' : 'delta', ...sample }));
    } catch (error) {
      // A stretch that does not begin with a keyframe (WebCodecs, `decode`, DataError).
      if (!(error instanceof DOMException)) throw error;
      this.#close();
      this.#options.onBroken(error);
    }
  }

  /** Hands out what the decoder keeps back; the next picture must be a keyframe. Ends early when it is reset. */
  async flush(): Promise<void> {
    const flushed = this.#decoder;
    try {
      await flushed?.flush();
      this.#isEmpty = flushed === this.#decoder && this.#awaited.size === 0;
    } catch (error) {
      // Reset, closed, or failed and told so.
      if (!(error instanceof DOMException)) throw error;
    }
  }

  close(): void {
    this.#awaited.clear();
    this.#close();
    this.#setup = null;
  }

  #make({ codec }: VideoSetup): VideoDecoder | JpegDecoder {
    const events = {
      output: (picture: VideoFrame) => {
        if (this.#decoder === made && this.#awaited.delete(picture.timestamp)) this.#options.onFrame(picture);
        else picture.close();
      },
      error: (error: DOMException) => {
        if (this.#decoder !== made) return;
        if (error.name === 'NotSupportedError') this.#options.onUnsupported(codec);
        else this.#options.onBroken(error);
      },
    };
    const made = codec === JPEG ? new JpegDecoder(events) : new VideoDecoder(events);
    made.addEventListener('dequeue', () => {
      if (this.#decoder === made && made.decodeQueueSize === 0) this.#options.onHungry?.();
    });
    return made;
  }

  #configure(setup: VideoSetup, { keepsMany, isReordered }: DecodingNeeds): void {
    if (this.#decoder instanceof JpegDecoder) return this.#decoder.configure();
    // Browsers decode H.264 in software too; H.265 often in hardware alone.
    const isSoftware = keepsMany && setup.codec.startsWith('avc');
    this.#decoder?.configure({
      ...setup,
      hardwareAcceleration: isSoftware ? 'prefer-software' : 'no-preference',
      optimizeForLatency: !isReordered,
    });
  }

  #close(): void {
    if (this.#decoder && this.#decoder.state !== 'closed') this.#decoder.close();
    this.#decoder = null;
  }
}
