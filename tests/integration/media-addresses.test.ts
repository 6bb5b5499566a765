// Attacks on media addresses: guessed, replayed, out of range, from foreign pages, and around the API.
import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import type { DeviceAssignment, TicketGrant } from '@vedette/contract/site/site.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { CAMERA_ACCOUNT, type CountedCamera, startCountedCamera } from '../harness/counted-camera.ts';
import { faultRounds, isLongRun } from '../harness/fault-rounds.ts';
import { listeningSockets } from '../harness/listening-sockets.ts';
import { LiveViewer } from '../harness/live-viewer.ts';
import { Product } from '../harness/product.ts';
import { SiteProcess } from '../harness/site-process.ts';
import { waitFor } from '../harness/wait-for.ts';

const GUESSES = isLongRun ? 100_000 : 2000;
const CROWD = isLongRun ? 2000 : 60;
const KINDS = ['live', 'hls', 'fragments', 'snapshot', 'talk', 'export'] as const;
type Kind = (typeof KINDS)[number];

let site: SiteProcess;
let camera: CountedCamera;
let device: DeviceAssignment;
let startedMs: number;

beforeAll(async () => {
  [site, camera] = await Promise.all([SiteProcess.create(), startCountedCamera()]);
  await site.serve();
  await site.start();
  const found = await site.ok('probe', { target: camera.url(), ...CAMERA_ACCOUNT, isOperator: true });
  const record = { quality: 0, retentionDays: 30 } as const;
  device = {
    deviceSerial: found.deviceSerial,
    driver: found.driver,
    native: found.native,
    ...CAMERA_ACCOUNT,
    isOperatorAddress: true,
    channels: [{ channelNo: 1, channelId: 'counted', record, backfillFrom: null }],
  };
  startedMs = Date.now();
  await site.ok('assign', { devices: [device], settings: site.settings });
  await waitFor('eight seconds of recording', async () => (await recordedMs()) > 8000, 60_000);
}, 120_000);

afterAll(async () => {
  await site?.stop();
  await camera?.stop();
});

async function recordedMs(): Promise<number> {
  const range = { startTime: 0, endTime: Date.now() + 1000 };
  const { spans } = await site.ok('recordings', { channelId: 'counted', quality: 0, ...range });
  return spans.reduce((sum, span) => sum + span.endTime - span.startTime, 0);
}

interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

async function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Got> {
  const sent = request({ socketPath: site.socketPath, path, headers });
  sent.end();
  const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) };
}

const about = () => ({ deviceSerial: device.deviceSerial, channelNo: 1 });
const whole = () => ({ startTime: startedMs, endTime: Date.now() });

function ticketOf(kind: Kind, more: Partial<TicketGrant> = {}): Promise<string> {
  const range = kind === 'hls' || kind === 'fragments' ? whole() : null;
  return site.ticket({ kind, ...about(), range, ...more });
}

/** 200, or how the place refused: an HTTP status, or the code that ends a subscription. */
const PLACES: Readonly<Record<'live' | 'hls' | 'fragments' | 'snapshot', (ticket: string) => Promise<number>>> = {
  live: async (ticket) => {
    const viewer = await LiveViewer.open(await site.viewersUrl(), ticket);
    const outcome = await waitFor('an outcome', () => viewer.end?.code ?? (viewer.fragments.length > 0 && 200), 20_000);
    viewer.close();
    return outcome;
  },
  hls: async (ticket) => (await get(`/media/hls/${ticket}/index.m3u8`)).status,
  fragments: async (ticket) => (await get(`/media/fragments/${ticket}`)).status,
  snapshot: async (ticket) => (await get(`/media/snapshot/${ticket}`)).status,
};
const PLACE_NAMES = Object.keys(PLACES) as (keyof typeof PLACES)[];

it('[SE-44] a ticket opens its own address and no other', async () => {
  for (const kind of KINDS) {
    for (const place of PLACE_NAMES) {
      const outcome = await PLACES[place](await ticketOf(kind));
      if (kind !== place) expect([kind, place, outcome === 200]).toEqual([kind, place, false]);
      // A still needs a decoder or a device that gives one; without either the ticket was good all the same.
      else if (kind !== 'snapshot') expect([kind, place, outcome]).toEqual([kind, place, 200]);
      else expect([401, 403]).not.toContain(outcome);
    }
  }
}, 120_000);

it('[SE-44] tickets unused in time, withdrawn, expired or modified open nothing', async () => {
  const late = { firstUseBefore: Date.now() - 1 };
  const over = { until: Date.now() - 1 };
  for (const place of PLACE_NAMES) {
    const ticketId = `withdrawn-${place}`;
    const withdrawn = await ticketOf(place, { ticketId });
    await site.ok('revoke', { ticketIds: [ticketId], code: 2001 });
    const changed = (await ticketOf(place)).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    const outcomes = [
      await PLACES[place](await ticketOf(place, late)),
      await PLACES[place](withdrawn),
      await PLACES[place](await ticketOf(place, over)),
      await PLACES[place](changed),
      await PLACES[place](await ticketOf(place, { channelNo: 2, range: place === 'live' ? null : whole() })),
    ];
    expect([place, outcomes.filter((outcome) => outcome === 200)]).toEqual([place, []]);
  }
  // Somebody else's ticket, while its owner watches.
  const owned = await ticketOf('live');
  const owner = await LiveViewer.open(await site.viewersUrl(), owned);
  await waitFor('the owner’s picture', () => owner.fragments.length > 0, 20_000);
  expect(await PLACES.live(owned)).not.toBe(200);
  expect(owner.end).toBeUndefined();
  owner.close();
}, 120_000);

it('[SE-45] segments and initialization segments outside a ticket’s playlist are not served', async () => {
  const namesOf = async (ticket: string): Promise<string[]> => {
    const { body } = await get(`/media/hls/${ticket}/index.m3u8`);
    return [...body.toString().matchAll(/^[^#\s].*\.m4s$/gm)].map(([name]) => name);
  };
  const names = await waitFor(
    'a playlist of several segments',
    async () => {
      const found = await namesOf(await ticketOf('hls'));
      return found.length > 3 && found;
    },
    60_000,
  );
  const narrow = await ticketOf('hls', { range: { startTime: startedMs, endTime: startedMs + 2500 } });
  const own = await namesOf(narrow);
  for (const name of own) expect((await get(`/media/hls/${narrow}/${name}`)).status).toBe(200);
  const foreign = names.filter((name) => !own.includes(name));
  expect(foreign.length).toBeGreaterThan(0);
  for (const name of foreign) expect([name, (await get(`/media/hls/${narrow}/${name}`)).status]).toEqual([name, 404]);
  // Numbers counted up (the last only tells the player where the segment belongs), other files, and ways out of the folder.
  const stepped = own.flatMap((name) => {
    const [file = '', first = '', count = '', ...rest] = name.split('-');
    const up = (text: string): string => String(Number(text) + 1000);
    return [
      [up(file), first, count],
      [file, up(first), count],
      [file, first, up(count)],
    ].map((parts) => [...parts, ...rest].join('-'));
  });
  for (const name of [...stepped, 'init-1.mp4', '..%2f..%2fsite.json', '....', 'live-0.m4s']) {
    expect([name, (await get(`/media/hls/${narrow}/${name}`)).status]).toEqual([name, 404]);
  }
  const live = await ticketOf('hls', { range: null });
  expect((await get(`/media/hls/${live}/index.m3u8`)).status).toBe(200);
  for (const name of ['live-100000.m4s', 'init-999.mp4', ...names.slice(0, 1)]) {
    expect([name, (await get(`/media/hls/${live}/${name}`)).status]).toEqual([name, 404]);
  }
});

/** Of the picture in a JPEG, or in what begins an MP4. */
function widthOf(data: Buffer): number {
  const entry = data.indexOf('avc1');
  if (entry >= 0) return data.readUInt16BE(data.indexOf('avc1', entry) + 28);
  for (let at = 2; at < data.length - 9; at += 2 + data.readUInt16BE(at + 2)) {
    const marker = data.readUInt8(at + 1);
    if (marker >= 0xc0 && marker <= 0xc2) return data.readUInt16BE(at + 7);
  }
  return 0;
}

/** The same camera in two widths, so that every picture tells whose it is. */
const TENANTS = [
  { deviceSerial: 'TENANTA', path: '/live/1/third', width: 320 },
  { deviceSerial: 'TENANTAA', path: '/live/1/second', width: 640 },
] as const;

interface Look {
  readonly tenant: (typeof TENANTS)[number];
  readonly kind: 'live' | 'snapshot';
  readonly ticket: string;
}

async function assignTenants(): Promise<void> {
  const devices = TENANTS.map(({ deviceSerial, path }) => ({
    ...device,
    deviceSerial,
    native: { urls: [camera.url().replace('/live/1/third', path)] },
    channels: [{ channelNo: 1, channelId: deviceSerial, record: null, backfillFrom: null }],
  }));
  await site.ok('assign', { devices: [device, ...devices], settings: site.settings });
}

async function lookOf(at: number): Promise<Look> {
  const tenant = TENANTS[at % 2] ?? TENANTS[0];
  const kind = at % 4 < 2 ? 'live' : 'snapshot';
  const { deviceSerial } = tenant;
  return { tenant, kind, ticket: await site.ticket({ kind, deviceSerial, channelNo: 1 }) };
}

/** The width of what was shown; null for none. `isLost`: the site died. */
async function seenBy({ tenant, kind, ticket }: Look, isLost: () => boolean = () => false) {
  try {
    if (kind === 'snapshot') {
      const { status, body } = await get(`/media/snapshot/${ticket}`);
      return { tenant, width: status === 200 ? widthOf(body) : null };
    }
    const viewer = await LiveViewer.open(await site.viewersUrl(), ticket);
    await waitFor('a picture', () => viewer.fragments.length > 0 || viewer.end !== undefined || isLost(), 30_000);
    viewer.close();
    return { tenant, width: viewer.fragments.length > 0 ? widthOf(viewer.videoFile()) : null };
  } catch (error) {
    if (isLost()) return { tenant, width: null };
    throw error;
  }
}

/** Answers how many got a picture; each of them its own. */
function ownPictures(seen: readonly Awaited<ReturnType<typeof seenBy>>[]): number {
  const shown = seen.filter(({ width }) => width !== null);
  for (const { tenant, width } of shown)
    expect([tenant.deviceSerial, width]).toEqual([tenant.deviceSerial, tenant.width]);
  return shown.length;
}

it(`[SE-39] [GO-14] (Wyze 2024) ${CROWD} viewers of two tenants on cold caches: nobody gets an image of the other's`, {
  timeout: 600_000,
}, async () => {
  await assignTenants();
  const seen = await inCrowds(CROWD, async (at) => seenBy(await lookOf(at)));
  expect(ownPictures(seen)).toBeGreaterThanOrEqual(CROWD / 2);
  await site.ok('assign', { devices: [device], settings: site.settings });
});

it(`[FT-34] a site killed and restarted under such load: each gets its own image or none`, {
  timeout: 600_000,
}, async () => {
  const crowd = isLongRun ? 100 : 24;
  await assignTenants();
  for (let round = 0; round < faultRounds(1, 20); round += 1) {
    const looks = await Promise.all(Array.from({ length: crowd }, (_none, at) => lookOf(at)));
    let isLost = false;
    let seenSoon = 0;
    const before = looks.map(async (look) => {
      const seen = await seenBy(look, () => isLost);
      seenSoon += 1;
      return seen;
    });
    await waitFor('the first of them', () => seenSoon > 0, 30_000);
    await site.kill();
    isLost = true;
    ownPictures(await Promise.all(before));
    await site.start();
    // What was given out before is worth nothing to a site that starts cold.
    const old = await Promise.all(looks.map((look) => seenBy(look)));
    expect(ownPictures(old)).toBe(0);
    await assignTenants();
    const after = await Promise.all(Array.from({ length: crowd }, async (_none, at) => seenBy(await lookOf(at))));
    expect(ownPictures(after)).toBeGreaterThanOrEqual(crowd / 2);
  }
  await site.ok('assign', { devices: [device], settings: site.settings });
});

/** So many times, a hundred at once. */
async function inCrowds<T>(count: number, work: (at: number) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (let from = 0; from < count; from += 100) {
    const size = Math.min(100, count - from);
    done.push(...(await Promise.all(Array.from({ length: size }, (_none, at) => work(from + at)))));
  }
  return done;
}

it(
  `[SE-43] ${GUESSES} guessed tickets open nothing and are rate-limited, valid ones are not`,
  async () => {
    const outcomes = new Map<number, number>();
    const client = { 'x-forwarded-for': '198.51.100.7' };
    for (let done = 0; done < GUESSES; done += 50) {
      const guesses = Array.from({ length: 50 }, async () => {
        const guess = Buffer.from(Array.from({ length: 24 }, () => Math.floor(Math.random() * 256))).toString(
          'base64url',
        );
        const { status } = await get(`/media/hls/${guess}/index.m3u8`, client);
        outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
      });
      await Promise.all(guesses);
    }
    process.stdout.write(
      `media-addresses: ${JSON.stringify({ guesses: GUESSES, byStatus: Object.fromEntries(outcomes) })}\n`,
    );
    expect([...outcomes.keys()].sort()).toEqual([401, 429]);
    expect(outcomes.get(401)).toBeLessThanOrEqual(60);
    const real = await ticketOf('hls');
    expect((await get(`/media/hls/${real}/index.m3u8`, client)).status).toBe(200);
    // Over the live socket the line ends.
    const viewer = new WebSocket(`${await site.viewersUrl()}/media/live`);
    await once(viewer, 'open');
    const closed = once(viewer, 'close');
    for (let id = 1; id <= 30; id += 1)
      viewer.send(JSON.stringify({ type: 'subscribe', id, ticket: `guess-number-${id}` }));
    expect((await closed)[0]).toBe(4429);
  },
  60_000 + GUESSES * 5,
);

it('[SE-47] [SE-48] [SE-89] media responses are not cached, send no referrer, and are closed to foreign pages and frames', async () => {
  const foreign = { origin: 'https://elsewhere.example', referer: 'https://elsewhere.example/page' };
  const good = await ticketOf('hls');
  const answers = await Promise.all([
    get(`/media/hls/${good}/index.m3u8`, foreign),
    get(`/media/fragments/${await ticketOf('fragments')}`, foreign),
    get('/media/hls/no-such-ticket-at-all/index.m3u8', foreign),
    get('/media/nothing', foreign),
  ]);
  for (const { headers, status } of answers) {
    expect([status, headers['cache-control']]).toEqual([status, 'no-store, private']);
    expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'content-security-policy': "frame-ancestors 'none'" });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  }
  for (const { headers } of answers.slice(0, 3)) {
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
  }
  expect(site.log.join('\n')).not.toContain(good);
});

it('[SE-48] what a ticket of a page on another origin is for is readable there alone, and so is why it ended', async () => {
  const page = 'https://portal.example';
  const ticketId = 'of a page';
  const address = `/media/fragments/${await ticketOf('fragments', { pageOrigin: page, ticketId })}/index.json`;
  const readableBy = async (headers: Readonly<Record<string, string>>) =>
    (await get(address, headers)).headers['access-control-allow-origin'];
  expect(await readableBy({ origin: page })).toBe(page);
  expect(await readableBy({ origin: 'https://elsewhere.example' })).toBeUndefined();
  expect(await readableBy({})).toBeUndefined();
  await site.ok('revoke', { ticketIds: [ticketId], code: 1001 });
  const { status, headers, body } = await get(address, { origin: page });
  expect([status, headers['access-control-allow-origin'], JSON.parse(String(body))]).toMatchObject([
    403,
    page,
    { code: 1001 },
  ]);
});

it('[SE-47] [SE-51] [GO-14] (Axis CVE-2025-30026) the whole product listens on declared ports, reveals nothing there, and logs no ticket', async () => {
  const product = await Product.start();
  try {
    const operator = await product.setUp();
    const added = await operator.ok('device/add', { target: camera.url(), ...CAMERA_ACCOUNT, deviceName: 'Counted' });
    const { deviceSerial } = added.device;
    const live = await waitFor(
      'a ticket',
      async () => await operator.ok('media/url', { deviceSerial, channelNo: 1 }),
      30_000,
    );
    const viewer = await LiveViewer.open(product.url, live.ticket);
    await waitFor('pictures', () => viewer.fragments.length > 5, 30_000);
    const hls = await fetch(new URL(live.hlsUrl, product.url));
    expect(hls.headers.get('cache-control')).toBe('no-store, private');
    const page = await fetch(product.url);
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');

    const sockets = await listeningSockets(product.process.pid ?? 0);
    const gateway = Number(new URL(product.url).port);
    const foreign = sockets.filter(({ protocol, port, command }) => {
      if (protocol === 'tcp') return !(port === gateway || command.includes('main-site.ts'));
      return !command.includes('main-site.ts');
    });
    expect(foreign).toEqual([]);
    expect(
      sockets.filter(({ protocol, command }) => protocol === 'tcp' && command.includes('main-site.ts')).length,
    ).toBeLessThanOrEqual(1);

    const paths = ['/debug', '/json/version', '/site', '/media/', '/media/live', '/.env', '//site', '/server-status'];
    for (const path of paths) {
      const { status, headers } = await fetch(`${product.url}${path}`, { redirect: 'manual' });
      // The console answers its page for what may be a screen; anything else of 200 would be an answer.
      const isPage = (headers.get('content-type') ?? '').includes('text/html');
      expect([path, status, isPage || status >= 300]).toEqual([path, status, true]);
    }
    // For this machine alone: streams by device and channel, neither tickets nor addresses.
    let metrics = '';
    await waitFor('frames of a main stream in the metrics', async () => {
      metrics = await (await fetch(new URL('/metrics', product.url))).text();
      return /figure\{site="local",device="[^"]+",channel="1",quality="0",figure="videoUnits"\} [1-9]/.test(metrics);
    });
    expect([metrics.includes('rtsp'), metrics.includes(live.ticket)]).toEqual([false, false]);
    // The port of sites is not to be reached through the gateway.
    const siteSocket = new WebSocket(`${product.url.replace(/^http/, 'ws')}/site`);
    const [refusal] = await Promise.race([once(siteSocket, 'error'), once(siteSocket, 'open')]);
    expect(String(refusal)).toMatch(/Unexpected server response|hang up|ECONNRESET/);

    viewer.close();
    const secrets = [
      live.ticket,
      new URL(live.hlsUrl, product.url).pathname.split('/')[3] ?? '',
      CAMERA_ACCOUNT.password,
    ];
    for (const secret of secrets) expect([secret.length > 5, product.log.includes(secret)]).toEqual([true, false]);
  } finally {
    await product.stop();
  }
}, 180_000);
