// Ten thousand sockets of a stranger at every endpoint at once, from one address and from a hundred, while the owner watches and calls.
import { waitFor } from '../harness/wait-for.ts';
import { type AttackTarget, type AttackResult, meanwhile, p95While, streamOf, tooSlow } from './attack.ts';
import { type MemoryFigures, MemoryWatch } from './memory-watch.ts';
import { startRole } from './role-process.ts';
import type { SocketKind } from './socket-kinds.ts';
import type {
  ListenerOrder,
  ListenerReport,
  SilentSiteOrder,
  SilentSiteReport,
  StrangerOrder,
  StrangerReport,
  ViewingOrder,
  ViewingReport,
} from './role-messages.ts';

const KINDS: readonly SocketKind[] = ['silent', 'half-tls', 'idle-http', 'live', 'talk', 'page', 'site', 'rtsp-silent'];
/** A bare listener has no certificate. */
const PLAIN_KINDS = KINDS.filter((kind) => kind !== 'site');
const ONE = ['127.0.0.33'];
const MANY = Array.from({ length: 100 }, (_none, at) => `127.0.1.${at + 1}`);
/** Strangers speak from loopback alone. */
const HOST = '127.0.0.1';
const OBSERVER = '127.0.0.34';
/** SE-85: five seconds without a hello, and a second for a busy machine. */
const SILENT_SITE_MAX_MS = 6000;

interface Wave {
  readonly opened: number;
  readonly mostHeld: number;
  readonly viewing: ViewingReport;
  /** Undefined where nobody looked. */
  readonly silentSiteMs?: number | null;
}

export async function socketsAtOnce(place: AttackTarget): Promise<AttackResult> {
  const viewer = startRole<ViewingOrder, ViewingReport>('./main-owner-viewing.ts');
  try {
    const { ticket, rtspUrl } = await streamOf(place);
    const ports = { gateway: Number(new URL(place.url).port), rtsp: Number(new URL(rtspUrl).port) };
    await viewer.ask({ watch: { url: place.url, ticket } });
    await waitFor('the picture of the owner', async () => (await viewer.ask({})).frames > 0);
    const memory = place.launcherPid === null ? null : await MemoryWatch.start(place.launcherPid);
    await firstCrowds(place, ports);
    memory?.begin();
    const waves: Wave[] = [];
    await viewer.ask({});
    let quiet: ViewingReport | null = null;
    const seen = await meanwhile(place, 'main-server.ts', async () => {
      quiet = await viewer.ask({});
      waves.push(await waveOfOne(place, viewer, ports), await wave(viewer, orderOf(place, ports, MANY)));
    });
    const back = (await memory?.end()) ?? null;
    const besideP95Ms = await p95While(place, crowdElsewhere(place));
    const [one, many] = waves;
    const ownerSaw = {
      quiet: told(quiet),
      oneAddress: toldOf(one),
      manyAddresses: toldOf(many),
      besideP95Ms,
      ...toldOfMemory(back),
    };
    const broken = [...tooSlow(seen.p95Ms), ...waves.flatMap(brokenBy), ...notBack(back)];
    const tried = `${place.count} sockets at once, from one address and from ${MANY.length}: ${KINDS.join(', ')}`;
    return { name: 'sockets-at-once', tried, ownerSaw, ...seen, broken };
  } finally {
    await viewer.end();
  }
}

interface Ports {
  readonly gateway: number;
  readonly rtsp: number;
}

function orderOf({ count }: AttackTarget, ports: Ports, addresses: readonly string[]): StrangerOrder {
  return { open: { kinds: KINDS, count, host: HOST, ports, addresses, isAgain: false } };
}

/** Both kinds of crowd that follow: what the server takes once for each of them it keeps, and takes no more of the next. */
async function firstCrowds(place: AttackTarget, ports: Ports): Promise<void> {
  for (const addresses of [ONE, MANY]) {
    const stranger = startRole<StrangerOrder, StrangerReport>('./main-stranger.ts');
    try {
      await stranger.ask(orderOf(place, ports, addresses));
      await stranger.ask({ leave: true });
    } finally {
      await stranger.end();
    }
  }
}

/** What the same crowd costs the owner of this machine where it comes to a listener that is none of the product's. */
async function crowdElsewhere({ count }: AttackTarget): Promise<void> {
  const listener = startRole<ListenerOrder, ListenerReport>('./main-bare-listener.ts');
  const stranger = startRole<StrangerOrder, StrangerReport>('./main-stranger.ts');
  try {
    const { port } = await listener.ask({ host: HOST });
    const open = { kinds: PLAIN_KINDS, count, host: HOST, ports: { gateway: port, rtsp: port }, addresses: MANY };
    await stranger.ask({ open: { ...open, isAgain: false } });
    await stranger.ask({ leave: true });
  } finally {
    await Promise.all([stranger.end(), listener.end()]);
  }
}

type Viewer = ReturnType<typeof startRole<ViewingOrder, ViewingReport>>;

/** From one address: until a silent socket at /site, beside it in a process of its own, is closed. */
async function waveOfOne(place: AttackTarget, viewer: Viewer, ports: Ports): Promise<Wave> {
  const observer = startRole<SilentSiteOrder, SilentSiteReport>('./main-silent-site-socket.ts');
  try {
    let silentSiteMs: number | null = null;
    const seen = await wave(viewer, orderOf(place, ports, ONE), async () => {
      silentSiteMs = (await observer.ask({ url: `https://${HOST}:${ports.gateway}`, localAddress: OBSERVER })).openMs;
    });
    return { ...seen, silentSiteMs };
  } finally {
    await observer.end();
  }
}

async function wave(
  viewer: Viewer,
  order: StrangerOrder,
  beside: () => Promise<void> = async () => undefined,
): Promise<Wave> {
  const stranger = startRole<StrangerOrder, StrangerReport>('./main-stranger.ts');
  try {
    const [{ opened, mostHeld }] = await Promise.all([stranger.ask(order), beside()]);
    const viewing = await viewer.ask({});
    await stranger.ask({ leave: true });
    return { opened, mostHeld, viewing };
  } finally {
    await stranger.end();
  }
}

function brokenBy({ viewing, silentSiteMs }: Wave): string[] {
  return [
    ...(viewing.lost > 0 || viewing.isEnded ? [`the owner's live picture lost ${viewing.lost} frames`] : []),
    ...(silentSiteMs === null || (silentSiteMs ?? 0) > SILENT_SITE_MAX_MS
      ? [`a silent socket at /site was open for ${silentSiteMs} ms`]
      : []),
  ];
}

function notBack(memory: MemoryFigures | null): string[] {
  if (memory === null || memory.backAfterMs !== null) return [];
  return [`memory is not back after a minute: ${JSON.stringify(memory)}`];
}

function told(viewing: ViewingReport | null): string {
  return viewing === null
    ? ''
    : `${viewing.frames} frames, ${viewing.lost} lost, longest pause ${viewing.longestPauseMs} ms`;
}

function toldOf(of: Wave | undefined): string {
  if (!of) return '';
  const site = of.silentSiteMs === undefined ? '' : `; silent /site closed after ${of.silentSiteMs} ms`;
  return `${of.opened} opened, ${of.mostHeld} held; ${told(of.viewing)}${site}`;
}

function toldOfMemory(memory: MemoryFigures | null): Readonly<Record<string, string | number>> {
  if (memory === null) return {};
  const { cold, before, most, after, backAfterMs } = memory;
  const line = (of: MemoryFigures['cold']): string =>
    `server ${of.server}, site ${of.site}, gateway ${of.gateway}, tree ${of.tree}`;
  return {
    coldMB: line(cold),
    beforeMB: line(before),
    mostMB: line(most),
    afterMB: line(after),
    backAfterMs: backAfterMs ?? 'not within a minute',
  };
}
