// Runs the drivers' loop on a thread of its own: starts it, checks its heartbeat, restarts it when it hangs, and quarantines the device that caused it.
import type { DriverLog } from '@vedette/drivers/kit/driver-context.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { LoopConnection } from './loop-connection.ts';
import type { LoopThread, LoopThreadOptions } from './loop-thread.ts';
import { Quarantine } from './quarantine.ts';
import { type ContextOptions, RemoteContext } from './remote-context.ts';
import { type FromLoop, type LoopSettings, type BudgetOverrun, SLOT } from './wire.ts';

export interface DriverHostOptions {
  readonly clock: Clock;
  readonly log: DriverLog;
  readonly start: (options: LoopThreadOptions) => LoopThread;
  /** Read each time; the loop is notified of changes. */
  readonly settings: () => LoopSettings;
}

export interface DriverHostHealth {
  /** Since the site started. */
  readonly restarts: number;
  /** Number of quarantined devices and addresses. */
  readonly quarantined: number;
}

/** One loop from its start to its end. */
interface Generation {
  readonly thread: LoopThread;
  readonly connection: LoopConnection;
  readonly contexts: Map<number, RemoteContext>;
  readonly startedMs: number;
  settings: string;
  isReady: boolean;
  beat: number;
  missedBeats: number;
}

const CHECK_MS = 250;
/** Missing heartbeats before the loop counts as hanging, measured by our own checks so that our stalls don't count. */
const MISSED_BEATS_MAX = 20;
/** Starting takes longer on a small machine. */
const START_LOOKS = 240;
/** Loops that end soon after their start are restarted with growing delays. */
const SOON_MS = 30_000;
const PAUSE_FIRST_MS = 250;
const PAUSE_LONGEST_MS = 30_000;

export class DriverHost {
  readonly quarantine: Quarantine;
  readonly #options: DriverHostOptions;
  #now: Generation | null = null;
  #waiting = Promise.withResolvers<void>();
  #restarts = 0;
  #endedSoon = 0;
  #isClosed = false;
  #cancelCheck: () => void = () => undefined;
  #cancelStart: () => void = () => undefined;

  constructor(options: DriverHostOptions) {
    this.#options = options;
    this.quarantine = new Quarantine(options.clock);
  }

  get health(): DriverHostHealth {
    return { restarts: this.#restarts, quarantined: this.quarantine.count };
  }

  start(): void {
    this.#begin();
    this.#check();
  }

  /** Context of one device, candidate or search. */
  context(options: ContextOptions): RemoteContext {
    return new RemoteContext(this, options);
  }

  /** The running loop; waits for the next one if none runs. */
  async connection(signal?: AbortSignal): Promise<LoopConnection> {
    for (;;) {
      signal?.throwIfAborted();
      if (this.#isClosed) throw new DOMException('the site is ending', 'AbortError');
      if (this.#now) {
        this.#tellSettings(this.#now);
        return this.#now.connection;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      signal?.addEventListener('abort', () => resolve(), { once: true });
      await Promise.race([this.#waiting.promise, promise]);
    }
  }

  /** Messages of the loop with this number go to that context. */
  register(line: LoopConnection, number: number, context: RemoteContext): void {
    if (this.#now?.connection === line) this.#now.contexts.set(number, context);
  }

  unregister(line: LoopConnection, number: number): void {
    if (this.#now?.connection === line) this.#now.contexts.delete(number);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelCheck();
    this.#cancelStart();
    this.#waiting.resolve();
    this.#now?.connection.end();
    await this.#now?.thread.end();
  }

  #begin(): void {
    const { clock, start, log } = this.#options;
    const contexts = new Map<number, RemoteContext>();
    const take = (message: FromLoop): void => {
      if (this.#now === generation) generation.connection.receive(message);
    };
    const thread = start({
      onMessage: take,
      onEnd: (error) => {
        if (this.#now !== generation) return;
        log.warn({ err: error }, 'the drivers ended by themselves');
        this.#lose(generation, 'it ended the drivers');
      },
    });
    const connection = new LoopConnection({
      port: { postMessage: (message, transfer) => thread.post(message, transfer as never) },
      onReady: () => {
        generation.isReady = true;
        generation.missedBeats = 0;
      },
      onTrust: (message) => contexts.get(message.context)?.take(message),
      onOver: ({ context, over }) => this.#bar(generation, context, wordsOf(over)),
    });
    const generation: Generation = {
      thread,
      connection,
      contexts,
      startedMs: clock.monotonicMs(),
      settings: '',
      isReady: false,
      beat: 0,
      missedBeats: 0,
    };
    this.#now = generation;
    this.#tellSettings(generation);
    this.#waiting.resolve();
    this.#waiting = Promise.withResolvers();
  }

  #check(): void {
    this.#cancelCheck = this.#options.clock.after(CHECK_MS, () => {
      if (this.#now) this.#judge(this.#now);
      this.#check();
    });
  }

  #judge(generation: Generation): void {
    this.#tellSettings(generation);
    const beat = Atomics.load(generation.thread.slots, SLOT.beat);
    generation.missedBeats = beat === generation.beat ? generation.missedBeats + 1 : 0;
    generation.beat = beat;
    if (generation.missedBeats < (generation.isReady ? MISSED_BEATS_MAX : START_LOOKS)) return;
    this.#options.log.warn({ stillMs: generation.missedBeats * CHECK_MS }, 'the drivers do not answer');
    this.#lose(generation, 'it kept the drivers from answering');
  }

  /** Terminates the loop and fails its calls; quarantines the context whose code ran last. */
  #lose(generation: Generation, why: string): void {
    const { clock, log } = this.#options;
    const owner = Atomics.load(generation.thread.slots, SLOT.owner);
    this.#bar(generation, owner, why);
    this.#now = null;
    generation.connection.end();
    for (const context of generation.contexts.values()) context.lost();
    generation.thread.end().catch((error: unknown) => log.warn({ err: error }, 'the drivers could not be ended'));
    this.#restarts += 1;
    const isSoon = clock.monotonicMs() - generation.startedMs < SOON_MS;
    this.#endedSoon = isSoon ? this.#endedSoon + 1 : 0;
    const pauseMs = Math.min(PAUSE_LONGEST_MS, PAUSE_FIRST_MS * (2 ** this.#endedSoon - 1));
    log.warn({ pauseMs, restarts: this.#restarts }, 'the drivers are started anew');
    this.#cancelStart = clock.after(pauseMs, () => {
      if (!this.#isClosed) this.#begin();
    });
  }

  #bar({ connection, contexts }: Generation, number: number, why: string): void {
    const context = contexts.get(number);
    if (!context) return;
    const { name } = context;
    const lastsMs = this.quarantine.add(name);
    this.#options.log.warn({ name, why, lastsMs }, 'a device cost more than any device may, and is left alone');
    // Others who contact the same address share its quarantine.
    for (const [one, other] of contexts) if (other.name === name) other.quarantined(connection, one, why);
  }

  #tellSettings(generation: Generation): void {
    const settings = this.#options.settings();
    const text = JSON.stringify(settings);
    if (text === generation.settings) return;
    generation.settings = text;
    generation.connection.post({ kind: 'settings', settings });
  }
}

function wordsOf({ what, spent }: BudgetOverrun): string {
  return what === 'cpu' ? `${spent} ms of CPU time within a minute` : `${spent} bytes within a minute`;
}
