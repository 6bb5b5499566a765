// The analyst as the site sees it: started for the first task, started again after a fault, killed when it hangs.
import { createInterface } from 'node:readline';
import { Backoff } from '@vedette/foundation/backoff/backoff.ts';
import { randomFraction } from '@vedette/foundation/random/random-numbers.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Detection } from '@vedette/rules/scene/detection/detection.ts';
import type { Logger } from 'pino';
import { type AnalystAnswer, analystAnswer, type AnalystFrame, frameHead } from '../analyst/frame-wire.ts';
import type { AnalystChild, SpawnAnalyst } from './spawn-analyst.ts';

export interface AnalystProcessOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly spawn: SpawnAnalyst;
  readonly runtimeFolder: string;
  readonly modelFolder: string;
  /** It takes a frame. */
  readonly onFree: () => void;
}

export interface SeenFrame {
  readonly detections: readonly Detection[];
  /** Processor time of the frame, all in. */
  readonly cpuMs: number;
}

/** It ended with the frame in hand. */
export class AnalystGone extends Error {
  override readonly name = 'AnalystGone';
}

/** From its start to its first answer on a busy machine. */
const START_WITHIN_MS = 30_000;
/** A frame takes 15 ms of an idle core. */
const FRAME_WITHIN_MS = 8000;
const RESTART = { firstMs: 1000, maxMs: 60_000 };

interface Job {
  readonly id: number;
  readonly resolve: (seen: SeenFrame) => void;
  readonly reject: (error: AnalystGone) => void;
}

export class AnalystProcess {
  readonly #options: AnalystProcessOptions;
  readonly #backoff = new Backoff(RESTART, randomFraction);
  #child: AnalystChild | null = null;
  #isReady = false;
  #isWanted = false;
  #job: Job | null = null;
  #nextId = 1;
  #cancelTimer: () => void = () => undefined;
  #fault: string | null = null;
  restarts = 0;

  constructor(options: AnalystProcessOptions) {
    this.#options = options;
  }

  get state(): 'idle' | 'starting' | 'running' | 'failed' {
    if (!this.#isWanted) return 'idle';
    if (this.#isReady) return 'running';
    return this.#fault === null ? 'starting' : 'failed';
  }

  /** Why it does not run; null: it does, or has not been tried. */
  get fault(): string | null {
    return this.#fault;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get isFree(): boolean {
    return this.#isReady && this.#job === null;
  }

  start(): void {
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#begin();
  }

  stop(): void {
    this.#isWanted = false;
    this.#child?.kill();
    this.#forget();
  }

  /** One at a time. Rejects with AnalystGone. */
  detect(frame: AnalystFrame): Promise<SeenFrame> {
    const child = this.#child;
    if (!this.isFree || !child) throw new RangeError('the analyst is not free');
    const { promise, resolve, reject } = Promise.withResolvers<SeenFrame>();
    const id = this.#nextId;
    this.#nextId += 1;
    this.#job = { id, resolve, reject };
    this.#killAfter(FRAME_WITHIN_MS, child);
    child.input.write(frameHead({ ...frame, id }));
    child.input.write(frame.rgb);
    return promise;
  }

  #begin(): void {
    const { spawn, runtimeFolder, modelFolder } = this.#options;
    const child = spawn(runtimeFolder, modelFolder);
    this.#child = child;
    this.#killAfter(START_WITHIN_MS, child);
    createInterface({ input: child.output }).on('line', (line) => {
      if (this.#child === child) this.#answered(child, line);
    });
    void child.ended.then(() => this.#ended(child));
  }

  #answered(child: AnalystChild, line: string): void {
    const answer = readAnswer(line);
    if (answer === null) return child.kill();
    if (answer.event === 'failed') {
      this.#fault = answer.fault;
      return;
    }
    if (answer.event === 'ready') {
      this.#isReady = true;
      this.#fault = null;
    } else this.#seen(answer);
    this.#cancelTimer();
    if (this.isFree) this.#options.onFree();
  }

  #seen({ id, detections, cpuMs }: Extract<AnalystAnswer, { event: 'seen' }>): void {
    const job = this.#job;
    if (job?.id !== id) return;
    this.#job = null;
    this.#backoff.reset();
    job.resolve({ detections, cpuMs });
  }

  #ended(child: AnalystChild): void {
    if (this.#child !== child) return;
    const { clock, log } = this.#options;
    this.#forget();
    this.#fault ??= 'the analyst ended unexpectedly';
    this.restarts += 1;
    log.warn({ fault: this.#fault }, 'the analyst ended and is started again');
    this.#cancelTimer = clock.after(this.#backoff.next(), () => this.#begin());
  }

  #forget(): void {
    this.#cancelTimer();
    this.#child = null;
    this.#isReady = false;
    const job = this.#job;
    this.#job = null;
    job?.reject(new AnalystGone('the analyst ended'));
  }

  #killAfter(ms: number, child: AnalystChild): void {
    this.#cancelTimer = this.#options.clock.after(ms, () => child.kill());
  }
}

function readAnswer(line: string): AnalystAnswer | null {
  try {
    return analystAnswer.safeParse(JSON.parse(line)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
