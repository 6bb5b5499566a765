// Attack: frames of sixteen megabytes at /site from sockets that never authenticate.
import WebSocket from 'ws';
import { waitFor } from '../harness/wait-for.ts';
import { type AttackTarget, type AttackResult, meanwhile, memoryMB, tooSlow } from './attack.ts';

const FRAME = Buffer.alloc(16 << 20, 0x61);
/** Before anybody said who they are the server keeps 4 KB each. */
const GROWTH_MAX_MB = 96;
const UNAUTHENTICATED_ADDRESS = '127.0.0.31';

export interface Volley {
  readonly refused: number;
  /** Until the stranger's own machine saw the end, which is busy with sending: a figure, no verdict. */
  readonly longestMs: number;
}

/** Resolves when the last socket is closed. */
export async function openUnauthenticatedSites(url: string, sockets: number): Promise<Volley> {
  let refused = 0;
  const stayed = await Promise.all(
    Array.from({ length: sockets }, async () => {
      const openedMs = performance.now();
      const socket = new WebSocket(`${url.replace(/^https?/, 'wss')}/site`, {
        // The port speaks both; a remote site dials by TLS alone, to an authority of the product's own.
        rejectUnauthorized: false,
        localAddress: UNAUTHENTICATED_ADDRESS,
        family: 4,
        perMessageDeflate: false,
      });
      socket.on('error', () => undefined);
      socket.on('open', () => socket.send(FRAME, () => undefined));
      let isOpen = false;
      socket.once('open', () => {
        isOpen = true;
      });
      await new Promise((resolve) => socket.once('close', resolve));
      if (!isOpen) refused += 1;
      return performance.now() - openedMs;
    }),
  );
  return { refused, longestMs: Math.round(Math.max(...stayed)) };
}

export async function siteMemory(place: AttackTarget): Promise<AttackResult> {
  const sockets = Math.min(place.count, 60);
  let volley: Volley = { refused: 0, longestMs: 0 };
  const seen = await meanwhile(place, 'main-server.ts', async () => {
    volley = await openUnauthenticatedSites(place.url, sockets);
  });
  const { before, most } = seen.memoryMB ?? { before: 0, most: 0 };
  const back = await waitFor(
    'the memory to be given back',
    async () => {
      const now = await memoryMB(place, 'main-server.ts');
      if (now > before + GROWTH_MAX_MB) throw new Error(`${now} MB`);
      return { now };
    },
    10_000,
  ).catch(async () => ({ now: await memoryMB(place, 'main-server.ts') }));
  const broken = [
    ...tooSlow(seen.p95Ms),
    ...(most - before > GROWTH_MAX_MB ? [`the server grew from ${before} to ${most} MB, ${back.now} afterwards`] : []),
  ];
  const ownerSaw = { ...volley, afterwardsMB: back.now };
  return { name: 'site-memory', tried: `${sockets} sockets with 16 MB each at /site`, ownerSaw, ...seen, broken };
}
