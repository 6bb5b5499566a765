// npm run bench:screen: latency from device to page in Chromium: an event to its alarm, frame times in a burst, a device going offline and online.
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import { RAISED_ALARM_TYPE_NAMES } from '@vedette/contract/alarm-types.ts';
import { pack } from '@vedette/phrases/en/pack.ts';
import type { Page, WebSocketRoute } from 'playwright-core';
import { openSignedIn, OPERATOR } from '../tests/browser/signed-in.ts';
import { openBrowser } from '../tests/harness/browser.ts';
import { Product } from '../tests/harness/product.ts';
import { addAll, startVirtualSite } from '../tests/harness/virtual-site.ts';
import { waitFor } from '../tests/harness/wait-for.ts';
import { passes } from './measure/json-line-process.ts';
import { rounded } from './measure/figures.ts';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '60' },
    turns: { type: 'string', default: '10' },
    /** `status` leaves the alarms out. */
    only: { type: 'string', default: '' },
  },
});
const GOAL_MS = 1000;
/** Far apart, so that none waits for the one before. */
const APART_MS = 300;
/** What is not shown by then counts as that late. */
const GIVEN_UP_MS = 10_000;
/** As AlarmPush has it for one page. */
const BURST = { perSecond: 500, lastsMs: 10_000 } as const;

const [product, browser, cameras] = await Promise.all([Product.start(), openBrowser(), startVirtualSite()]);
try {
  const operator = await product.setUp(...OPERATOR);
  const camera = cameras.devices.find(({ kind }) => kind === 'camera');
  if (camera === undefined) throw new Error('no camera');
  const [place] = await addAll(operator, [camera]);
  if (place === undefined) throw new Error('the camera was not added');
  const isOnline = async () => (await operator.ok('device/list', {})).onlineTotal === 1;
  await waitFor('the camera online', isOnline, 30_000);
  const tell = async (command: string, input: object): Promise<void> => {
    const url = `${cameras.controlUrl}/devices/${place.deviceSerial}/${command}`;
    const { status } = await fetch(url, { method: 'POST', body: JSON.stringify(input) });
    if (status !== 200) throw new Error(`${command} answered ${status}`);
  };
  await tell('events', { watchesScenes: false });
  const { page } = await openSignedIn(browser, product, { path: '/homepage/alarmMsg' });
  await page.getByRole('heading', { name: pack['screen.alarms'] }).first().waitFor();
  const alarms: number[] = [];
  const missed: string[] = [];
  const count = values.only === 'status' ? 0 : Number(values.events) + 1;
  const types = RAISED_ALARM_TYPE_NAMES.filter((name) => !name.endsWith('Cleared')).slice(0, count);
  for (const [at, topic] of types.entries()) {
    const ms = await untilShown(page, `[data-alarm][data-type="${topic}"]`, '', () =>
      tell('raise', { topic, channelNo: 1 }),
    );
    // The first one waits for the subscription.
    if (at > 0) alarms.push(ms);
    if (ms >= GIVEN_UP_MS) missed.push(topic);
    if (at % 10 === 0) say(`alarm ${at} of ${types.length}: ${ms} ms`);
    await passes(APART_MS);
  }
  const [sample] = (await operator.ok('alarm/list', { pageSize: 1 })).alarmList;
  if (sample === undefined) throw new Error('no alarm is listed');
  const flood = await framesInBurst(page, `${product.url}/homepage/alarmMsg`, sample);
  await page.goto(`${product.url}/homepage/deviceManage`);
  const row = 'tbody tr';
  await page.getByRole('row', { name: new RegExp(camera.name, 'u') }).waitFor();
  const status = { off: [] as number[], on: [] as number[] };
  for (let turn = 0; turn < Number(values.turns); turn += 1) {
    status.off.push(await untilShown(page, row, pack['status.offline'], () => tell('stop', {})));
    status.on.push(await untilShown(page, row, pack['status.online'], () => tell('start', {})));
    say(`turn ${turn + 1}: off ${status.off.at(-1)} ms, on ${status.on.at(-1)} ms`);
    await waitFor('the camera online', isOnline, 30_000);
    // What it takes to be as before: the next turn is to begin like the first.
    await passes(APART_MS);
  }
  const result = {
    bench: 'screen',
    load: rounded(loadavg()[0] ?? 0),
    alarm: figures(alarms),
    missed,
    flood,
    statusOff: figures(status.off),
    statusOn: figures(status.on),
    goalMs: GOAL_MS,
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
} finally {
  await browser.close();
  await cameras.stop();
  await product.stop();
}

/** Milliseconds between the frames of the list while it is pushed as much as the server pushes one page in a second. */
async function framesInBurst(page: Page, address: string, sample: Alarm) {
  let line: WebSocketRoute | null = null;
  await page.routeWebSocket(/\/ws$/, (route) => {
    route.connectToServer();
    line = route;
  });
  await page.goto(address);
  await page.locator('[data-alarm]').first().waitFor();
  await waitFor('the line of the page', () => line !== null);
  const frames = page.evaluate(
    (lastsMs) =>
      new Promise<number[]>((resolve) => {
        const gaps: number[] = [];
        const until = performance.now() + lastsMs;
        let before = performance.now();
        const look = (now: number): void => {
          gaps.push(now - before);
          before = now;
          if (now < until) requestAnimationFrame(look);
          else resolve(gaps.map(Math.round));
        };
        requestAnimationFrame(look);
      }),
    BURST.lastsMs,
  );
  const route = line as WebSocketRoute | null;
  const began = performance.now();
  for (let told = 0; told < (BURST.perSecond * BURST.lastsMs) / 1000; ) {
    const due = ((performance.now() - began) / 1000) * BURST.perSecond;
    for (; told < due; told += 1) {
      const alarm = { ...sample, alarmId: `${sample.alarmId.slice(0, -6)}${told.toString(16).padStart(6, '0')}` };
      const event = { kind: 'alarm', isNew: true, alarm: { ...alarm, time: Date.now(), channelNo: told % 100 } };
      route?.send(JSON.stringify({ type: 'event', seq: Date.now() * 1000 + told, event }));
    }
    await passes(10);
  }
  return { perSecond: BURST.perSecond, ...figures(await frames) };
}

/** From before `happen` to the first frame with an element of that kind and text, ms; both clocks are this machine's. */
async function untilShown(page: Page, selector: string, text: string, happen: () => Promise<void>): Promise<number> {
  const shown = page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const look = (): void => {
          const found = [...document.querySelectorAll(wanted.selector)];
          const isShown = found.some((one) => one.textContent.includes(wanted.text));
          if (isShown || Date.now() > wanted.until) resolve(Date.now());
          else requestAnimationFrame(look);
        };
        look();
      }),
    { selector, text, until: Date.now() + GIVEN_UP_MS },
  );
  const begun = Date.now();
  await happen();
  return (await shown) - begun;
}

/** Not the result: that it is alive. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

function figures(all: readonly number[]) {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { count: all.length, p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) };
}
