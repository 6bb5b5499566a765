// Audio output of the page: one AudioContext for all tiles, opened with the first that is listened to, unlocked by a click or a key.

/** Port of one tile's audio to the worklet (audio-worklet.js). */
export type AudioSinkMessage =
  | { readonly type: 'format'; readonly rate: number; readonly channels: number }
  | { readonly type: 'samples'; readonly wallMs: number; readonly channels: readonly Float32Array<ArrayBuffer>[] }
  | { readonly type: 'ratio'; readonly ratio: number }
  | { readonly type: 'jump'; readonly ms: number };

export interface AudioSinkReport {
  /** Capture time of the sample being rendered, ms. */
  readonly wallMs: number;
  /** When that sample is heard, ms since 1970 by the page's clock. */
  readonly heardAtMs: number;
  /** Silent: the position says nothing about the delay. */
  readonly isSilent: boolean;
  /** Frames of the audio device without data since the last report. */
  readonly starved: number;
}

export interface AudioSink {
  send(order: AudioSinkMessage): void;
  /** 0 to 1. */
  setVolume(volume: number): void;
  close(): void;
}

export interface AudioOutput {
  /** False on an insecure page: browsers then have no audio worklet. */
  readonly isAvailable: boolean;
  /** The browser blocks audio until a click or a key press. */
  readonly isBlocked: boolean;
  /** Called when `isBlocked` changes. */
  onChange(listener: () => void): () => void;
  open(onReport: (report: AudioSinkReport) => void): Promise<AudioSink>;
}

const PROCESSOR = 'vedette-sound-ring';
/** Duration of a volume change, seconds: an instant one clicks. */
const VOLUME_RAMP_S = 0.02;

export class BrowserAudioOutput implements AudioOutput {
  readonly #listeners = new Set<() => void>();
  #context: AudioContext | null = null;
  #loaded: Promise<void> | null = null;

  get isAvailable(): boolean {
    return globalThis.isSecureContext && 'AudioWorkletNode' in globalThis;
  }

  get isBlocked(): boolean {
    return this.#context?.state === 'suspended';
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async open(onReport: (report: AudioSinkReport) => void): Promise<AudioSink> {
    const context = this.#open();
    this.#loaded ??= context.audioWorklet.addModule(new URL('./audio-worklet.js', import.meta.url));
    await this.#loaded;
    const node = new AudioWorkletNode(context, PROCESSOR, { numberOfInputs: 0, outputChannelCount: [2] });
    const volume = context.createGain();
    node.connect(volume).connect(context.destination);
    node.port.onmessage = ({ data }: MessageEvent<Omit<AudioSinkReport, 'heardAtMs'> & { contextTime: number }>) =>
      onReport({ ...data, heardAtMs: heardAt(context, data.contextTime) });
    return {
      send: (order) => {
        const transfer = order.type === 'samples' ? order.channels.map((samples) => samples.buffer) : [];
        node.port.postMessage(order, [...new Set(transfer)]);
      },
      setVolume: (to) => volume.gain.setTargetAtTime(to, context.currentTime, VOLUME_RAMP_S),
      close: () => {
        node.port.onmessage = null;
        node.disconnect();
        volume.disconnect();
      },
    };
  }

  #open(): AudioContext {
    if (this.#context) return this.#context;
    const context = new AudioContext({ latencyHint: 'interactive' });
    this.#context = context;
    context.onstatechange = () => {
      for (const listener of this.#listeners) listener();
    };
    // Autoplay policy: audio needs a user gesture.
    const unlock = (): void => {
      if (context.state === 'suspended') void context.resume();
    };
    for (const gesture of ['pointerdown', 'keydown']) document.addEventListener(gesture, unlock, { capture: true });
    return context;
  }
}

function heardAt(context: AudioContext, contextTime: number): number {
  const now = performance.timeOrigin + performance.now();
  const { contextTime: playing = 0, performanceTime = 0 } = context.getOutputTimestamp();
  if (playing > 0) return performance.timeOrigin + performanceTime + (contextTime - playing) * 1000;
  return now + (context.baseLatency + (context.outputLatency || 0)) * 1000;
}
