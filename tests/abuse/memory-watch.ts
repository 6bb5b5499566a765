// Resident memory of the processes that a stranger reaches, and of all below the launcher: before, the most, and when it is back.
import { readFileSync } from 'node:fs';
import { processesBelow } from '../harness/processes.ts';
import { waitFor } from '../harness/wait-for.ts';

const PARTS = { server: 'main-server.ts', site: 'main-site.ts', gateway: 'main-gateway.ts' } as const;
export type WatchedPart = keyof typeof PARTS;
export type Resident = Readonly<Record<WatchedPart | 'tree', number>>;

export interface MemoryFigures {
  /** Before anybody came. */
  readonly cold: Resident;
  /** After a first crowd like those that follow: code, and what allocators keep, are no loss of the next one. */
  readonly before: Resident;
  readonly most: Resident;
  readonly after: Resident;
  /** Until each was back; null where one was not in time. */
  readonly backAfterMs: number | null;
}

const LOOK_MS = 250;
/** SE-85: back within 10 % of what it was, a minute after the attack. */
const BACK_WITHIN_MS = 60_000;
const BACK_FACTOR = 1.1;

export class MemoryWatch {
  readonly #pids: ReadonlyMap<WatchedPart, number>;
  readonly #below: readonly number[];
  readonly #timer: NodeJS.Timeout;
  readonly #cold: Resident;
  #before: Resident;
  #most: Resident;

  private constructor(pids: ReadonlyMap<WatchedPart, number>, below: readonly number[]) {
    this.#pids = pids;
    this.#below = below;
    this.#cold = this.#now();
    this.#before = this.#cold;
    this.#most = this.#cold;
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  static async start(launcherPid: number): Promise<MemoryWatch> {
    const below = await processesBelow(launcherPid);
    const pids = new Map<WatchedPart, number>();
    for (const [part, file] of Object.entries(PARTS) as [WatchedPart, string][]) {
      const found = below.find(({ command }) => command.includes(file));
      if (!found) throw new Error(`nothing below ${launcherPid} runs ${file}`);
      pids.set(part, found.pid);
    }
    return new MemoryWatch(pids, [launcherPid, ...below.map(({ pid }) => pid)]);
  }

  /** The first crowd has left. */
  begin(): void {
    this.#before = this.#now();
  }

  /** Waits until memory is back, a minute at most. */
  async end(): Promise<MemoryFigures> {
    const endedMs = performance.now();
    const backAfterMs = await waitFor('the memory to be back', () => this.#isBack(), BACK_WITHIN_MS).then(
      () => Math.round(performance.now() - endedMs),
      () => null,
    );
    clearInterval(this.#timer);
    return { cold: this.#cold, before: this.#before, most: this.#most, after: this.#now(), backAfterMs };
  }

  #isBack(): boolean {
    const now = this.#now();
    return [...this.#pids.keys()].every((part) => now[part] <= this.#before[part] * BACK_FACTOR);
  }

  #look(): void {
    const [most, now] = [this.#most, this.#now()];
    this.#most = {
      server: Math.max(most.server, now.server),
      site: Math.max(most.site, now.site),
      gateway: Math.max(most.gateway, now.gateway),
      tree: Math.max(most.tree, now.tree),
    };
  }

  #now(): Resident {
    const of = (part: WatchedPart): number => residentMB(this.#pids.get(part) ?? 0);
    const tree = this.#below.reduce((sum, pid) => sum + residentMB(pid), 0);
    return { server: of('server'), site: of('site'), gateway: of('gateway'), tree };
  }
}

/** What is no more has none. */
function residentMB(pid: number): number {
  try {
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return 0;
    throw error;
  }
}
