// Schedules decoded audio at the instants of the clock, on the timeline of the AudioContext.
import { type ClockState, epochNow, positionAt } from './worker/clock-state.ts';
import { endOf, type AudioChunk } from './worker/audio-pipeline.ts';

/** Pieces closer than this are joined without a gap, although the clocks of sound card and machine drift. */
const DRIFT_S = 0.04;

export class AudioSchedule {
  #context: AudioContext | null = null;
  #clock: ClockState | null = null;
  #playing = new Set<AudioBufferSourceNode>();
  /** Not finished: scheduled again after the clock waited for a tile. */
  #chunks: readonly AudioChunk[] = [];
  /** End of the last piece: recording time (ms) and AudioContext time (s). */
  #end: { readonly at: number; readonly cardS: number } | null = null;

  /** Pieces from before the last jump are dropped. */
  play({ jump, ...chunk }: AudioChunk & { readonly jump: number }, clock: ClockState): void {
    if (clock.rate !== 1 || !clock.isPlaying || jump !== clock.jump) return;
    const position = positionAt(clock, epochNow());
    this.#chunks = [...this.#chunks.filter((one) => endOf(one) > position), chunk];
    if (clock.isRunning) this.#setDown(chunk, position);
  }

  /** Silences what was scheduled for an earlier clock. */
  follow(clock: ClockState): void {
    const before = this.#clock;
    this.#clock = clock;
    const isSamePlace = before?.jump === clock.jump && before.rate === clock.rate && clock.isPlaying;
    if (isSamePlace && before.isRunning === clock.isRunning) return;
    this.#silence();
    if (!isSamePlace) this.#chunks = [];
    else if (clock.isRunning) for (const chunk of this.#chunks) this.#setDown(chunk, positionAt(clock, epochNow()));
  }

  clear(): void {
    this.#silence();
    this.#chunks = [];
  }

  close(): void {
    this.clear();
    this.#context?.close().catch(() => undefined);
    this.#context = null;
  }

  #setDown(chunk: AudioChunk, position: number): void {
    const [first] = chunk.channels;
    if (!first || first.length === 0) return;
    this.#context ??= new AudioContext({ latencyHint: 'interactive' });
    const context = this.#context;
    // Browsers start audio after a click: the one that chose to listen.
    if (context.state === 'suspended') context.resume().catch(() => undefined);
    const buffer = context.createBuffer(chunk.channels.length, first.length, chunk.sampleRate);
    for (const [index, samples] of chunk.channels.entries()) buffer.copyToChannel(samples, index);
    const dueS = context.currentTime + (chunk.at - position) / 1000;
    const followsS = this.#end && Math.abs(this.#end.at - chunk.at) < 5 ? this.#end.cardS : null;
    const startS = followsS !== null && Math.abs(followsS - dueS) < DRIFT_S ? followsS : dueS;
    this.#end = { at: endOf(chunk), cardS: startS + buffer.duration };
    // Late pieces are played from the clock's position on.
    const lateS = Math.max(0, context.currentTime - startS);
    if (lateS >= buffer.duration) return;
    const node = context.createBufferSource();
    node.buffer = buffer;
    node.connect(context.destination);
    node.addEventListener('ended', () => this.#playing.delete(node));
    this.#playing.add(node);
    node.start(startS + lateS, lateS);
  }

  #silence(): void {
    for (const node of this.#playing) node.stop();
    this.#playing = new Set();
    this.#end = null;
  }
}
