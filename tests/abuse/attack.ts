// Interface of attacks: a started product, its owner working meanwhile, memory and times before and during.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { ApiClient } from '../harness/api-client.ts';
import { findProcess } from '../harness/processes.ts';

export interface AttackTarget {
  readonly url: string;
  /** Signed in, with the cameras that are attacked; at work while the attack runs. */
  readonly owner: ApiClient;
  readonly password: string;
  /** Of the product on this machine; null elsewhere: memory is not measured and nothing is frozen. */
  readonly launcherPid: number | null;
  /** Sockets, calls or rows of one volley. */
  readonly count: number;
}

export interface AttackResult {
  readonly name: string;
  readonly tried: string;
  readonly ownerSaw: Readonly<Record<string, number | string>>;
  readonly memoryMB: { readonly before: number; readonly most: number } | null;
  readonly p95Ms: { readonly quiet: number; readonly attacked: number } | null;
  /** Why it does not hold; nothing where it does. */
  readonly broken: readonly string[];
}

export type Attack = (target: AttackTarget) => Promise<AttackResult>;

/** Two times the quiet one (SE-85); below this a machine with two cores tells nothing. */
const P95_LEAST_MS = 400;
const CALLS = 30;

/** Calls of the owner, one after another, in a thread of their own: the attack keeps this one busy. */
async function timesOf({ url, owner }: AttackTarget, calls: number): Promise<number[]> {
  const workerData = { url, accessToken: owner.accessToken, calls };
  const worker = new Worker(new URL('main-owner-calls.ts', import.meta.url), { workerData });
  try {
    const [times] = (await once(worker, 'message')) as [number[]];
    return times;
  } finally {
    await worker.terminate();
  }
}

/** A stream of the owner's first camera that is online, with new tickets. */
export async function streamOf({ owner }: AttackTarget): Promise<{ ticket: string; rtspUrl: string }> {
  const [device] = (await owner.ok('device/list', { status: 1 })).deviceList;
  if (!device) throw new Error('the owner has no device that is online');
  return await owner.ok('media/url', { deviceSerial: device.deviceSerial, channelNo: 1, quality: 0 });
}

function ninetyFifth(times: readonly number[]): number {
  return Math.round(times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? 0);
}

export function tooSlow(p95Ms: { readonly quiet: number; readonly attacked: number }): string[] {
  const { quiet, attacked } = p95Ms;
  return attacked > Math.max(2 * quiet, P95_LEAST_MS)
    ? [`calls of the owner took ${attacked} ms, ${quiet} before`]
    : [];
}

/** Of the owner's calls while something runs, ms; `look` comes after each volley of them. */
export async function p95While(
  place: AttackTarget,
  running: Promise<unknown>,
  look: () => Promise<void> = async () => undefined,
): Promise<number> {
  const times: number[] = [];
  let isOver = false;
  const ended = running.finally(() => {
    isOver = true;
  });
  do {
    times.push(...(await timesOf(place, CALLS)));
    await look();
  } while (!isOver);
  await ended;
  return ninetyFifth(times);
}

export async function memoryMB(
  { launcherPid }: AttackTarget,
  part: 'main-server.ts' | 'main-site.ts',
): Promise<number> {
  if (launcherPid === null) return 0;
  const { pid } = await findProcess(launcherPid, part);
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

export interface Meanwhile {
  readonly p95Ms: { readonly quiet: number; readonly attacked: number };
  readonly memoryMB: { readonly before: number; readonly most: number } | null;
}

/** The owner at work and the memory of one process, before and while the attack runs. */
export async function meanwhile(
  place: AttackTarget,
  part: 'main-server.ts' | 'main-site.ts',
  attack: () => Promise<unknown>,
): Promise<Meanwhile> {
  const quiet = ninetyFifth(await timesOf(place, CALLS));
  const before = await memoryMB(place, part);
  let most = before;
  const attacked = await p95While(place, attack(), async () => {
    most = Math.max(most, await memoryMB(place, part));
  });
  const memory = place.launcherPid === null ? null : { before, most };
  return { p95Ms: { quiet, attacked }, memoryMB: memory };
}
