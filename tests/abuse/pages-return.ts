// Many pages of several accounts lose the server, then the gateway, in one instant: all are back within a minute, none is left out.
import { readFileSync } from 'node:fs';
import { findProcess } from '../harness/processes.ts';
import { waitFor } from '../harness/wait-for.ts';
import type { AttackResult, AttackTarget } from './attack.ts';
import type { PagesOrder, PagesReport } from './role-messages.ts';
import { type RoleProcess, startRole } from './role-process.ts';
import { newTenant } from './tenants.ts';

/** An account may have 256 pages, and an address 128 that have not yet said who they are. */
const PAGES_OF_ACCOUNT = 250;
const PAGES_OF_ADDRESS = 100;
/** GO-19 */
const BACK_WITHIN_MS = 60_000;
/** The goal is 5,000 pages in 300 MB of gateway and server together. */
const MEMORY_PAGES = 5000;
const MEMORY_MAX_MB = 300;
const PARTS = ['main-server.ts', 'main-gateway.ts'] as const;

type Pages = RoleProcess<PagesOrder, PagesReport>;

export async function pagesReturn(place: AttackTarget): Promise<AttackResult> {
  const { launcherPid, count } = place;
  if (launcherPid === null) throw new Error('pages-return kills processes: give the --pid of the launcher');
  const pages: Pages = startRole('./main-pages.ts');
  try {
    const tokens = await tokensOf(place);
    const addresses = Array.from({ length: Math.ceil(count / PAGES_OF_ADDRESS) }, (_none, at) => `127.0.2.${at + 1}`);
    const before = await memoryOf(launcherPid);
    await pages.ask({ open: { url: place.url.replace('localhost', '127.0.0.1'), tokens, count, addresses } });
    const pagesMB = (await memoryOf(launcherPid)) - before;
    const backMs: Record<string, number | null> = {};
    for (const part of PARTS) backMs[part] = await killed(launcherPid, part, pages);
    const allBackAt = Date.now();
    await waitFor('an answer to the owner', () => isAnswered(place), BACK_WITHIN_MS);
    const answeredMs = Date.now() - allBackAt;
    return {
      name: 'pages-return',
      tried: `${count} pages of ${tokens.length} accounts lose the server, then the gateway`,
      ownerSaw: {
        pagesMB,
        answeredMs,
        ...Object.fromEntries(Object.entries(backMs).map(([part, ms]) => [part, ms ?? 'not all'])),
      },
      memoryMB: null,
      p95Ms: null,
      broken: [
        ...PARTS.filter((part) => backMs[part] === null).map(
          (part) => `not all pages were back a minute after ${part}`,
        ),
        ...(count >= MEMORY_PAGES && pagesMB > MEMORY_MAX_MB ? [`the pages took ${pagesMB} MB`] : []),
      ],
    };
  } finally {
    await pages.end();
  }
}

async function tokensOf(place: AttackTarget): Promise<string[]> {
  const tokens: string[] = [];
  for (let have = 0; have < place.count; have += PAGES_OF_ACCOUNT) {
    const { client } = await newTenant(place);
    tokens.push(client.accessToken ?? '');
  }
  return tokens;
}

/** When the last page was back, ms after the kill; null where one was missing after a minute. */
async function killed(launcherPid: number, part: string, pages: Pages): Promise<number | null> {
  const { pid } = await findProcess(launcherPid, part);
  const since = Date.now();
  process.kill(pid, 'SIGKILL');
  let report: PagesReport | null = null;
  await waitFor(
    'every page to be back',
    async () => {
      report = await pages.ask({ since });
      return report.back === report.pages;
    },
    BACK_WITHIN_MS,
  ).catch(() => undefined);
  const last = report as PagesReport | null;
  return last !== null && last.back === last.pages ? last.lastBackMs : null;
}

async function isAnswered({ owner }: AttackTarget): Promise<boolean> {
  return (await owner.call('device/list', {})).code === 200;
}

/** Resident, of gateway and server. */
async function memoryOf(launcherPid: number): Promise<number> {
  const found = await Promise.all(PARTS.map((part) => findProcess(launcherPid, part)));
  const sizes = found.map(({ pid }) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]));
  return Math.round(sizes.reduce((sum, kB) => sum + kB, 0) / 1024);
}
