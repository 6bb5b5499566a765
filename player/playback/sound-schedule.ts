// Plays decoded sound at the instants of the clock: each piece is set down on the time line of the sound card.
import { type ClockState, epochNow, positionAt } from './clock-state.ts';
import type { SoundChunk } from './sound-run.ts';

/** Below this a piece follows the one before it without a gap, though the clocks of card and machine drift apart. */
const DRIFT_S = 0.04;

export class SoundSchedule {
  #context: AudioContext | null = null;
  #clock: ClockState | null = null;
  #playing = new Set<AudioBufferSourceNode>();
  /** End of the last piece: instant of the footage (ms) and of the sound card (s). */
  #end: { readonly at: number; readonly cardS: number } | null = null;

  /** Pieces of an earlier jump are left out. */
  play(chunk: SoundChunk & { readonly jump: number }, clock: ClockState): void {
    const [first] = chunk.channels;
    if (!clock.isRunning || clock.rate !== 1 || chunk.jump !== clock.jump || !first || first.length === 0) return;
    this.#context ??= new AudioContext({ latencyHint: 'interactive' });
    const context = this.#context;
    // Browsers begin with sound after a click of the user: the one that chose to listen.
    if (context.state === 'suspended') context.resume().catch(() => undefined);
    const buffer = context.createBuffer(chunk.channels.length, first.length, chunk.sampleRate);
    for (const [index, samples] of chunk.channels.entries()) buffer.copyToChannel(samples, index);
    const dueS = context.currentTime + (chunk.at - positionAt(clock, epochNow())) / 1000;
    const followsS = this.#end && Math.abs(this.#end.at - chunk.at) < 5 ? this.#end.cardS : null;
    const startS = followsS !== null && Math.abs(followsS - dueS) < DRIFT_S ? followsS : dueS;
    this.#end = { at: chunk.at + buffer.duration * 1000, cardS: startS + buffer.duration };
    // Too late to be heard in time.
    if (startS < context.currentTime) return;
    const node = context.createBufferSource();
    node.buffer = buffer;
    node.connect(context.destination);
    node.addEventListener('ended', () => this.#playing.delete(node));
    this.#playing.add(node);
    node.start(startS);
  }

  /** What was set down for a clock that is no more is silenced. */
  follow(clock: ClockState): void {
    const before = this.#clock;
    this.#clock = clock;
    const isSame = before?.jump === clock.jump && before.rate === clock.rate && before.isRunning === clock.isRunning;
    if (!isSame) this.clear();
  }

  clear(): void {
    for (const node of this.#playing) node.stop();
    this.#playing = new Set();
    this.#end = null;
  }

  close(): void {
    this.clear();
    this.#context?.close().catch(() => undefined);
    this.#context = null;
  }
}
