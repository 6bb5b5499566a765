// npm run bench:config: time from opening a configuration page to its controls, beyond the device's own response time, in Chromium.
import { parseArgs } from 'node:util';
import type { SectionName } from '@vedette/contract/config/section-names.ts';
import { probe } from '@vedette/drivers/probe.ts';
import { parseProbeTarget } from '@vedette/drivers/probe-target.ts';
import { driverById } from '@vedette/drivers/registry.ts';
import { testContext } from '@vedette/drivers/testing/driver-context.fake.ts';
import { pack } from '@vedette/phrases/en/pack.ts';
import type { Page } from 'playwright-core';
import { openSignedIn, OPERATOR } from '../tests/browser/signed-in.ts';
import { openBrowser } from '../tests/harness/browser.ts';
import { Product } from '../tests/harness/product.ts';
import { addAll, startVirtualSite, type VirtualDevice } from '../tests/harness/virtual-site.ts';
import { waitFor } from '../tests/harness/wait-for.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '10' } } });
const GOAL_MS = 500;
/** Sections with a control that is there only when the device has answered. */
const SECTIONS = { image: 'brightness', motion: 'sensitivity', audio: 'outputVolume' } as const;
const WANTED = 'Main Lobby';

const [product, browser, cameras] = await Promise.all([Product.start(), openBrowser(), startVirtualSite()]);
try {
  const operator = await product.setUp(...OPERATOR);
  const camera = cameras.devices.find(({ name }) => name === WANTED);
  if (camera === undefined) throw new Error(`no camera ${WANTED}`);
  const [place] = await addAll(operator, [camera]);
  if (place === undefined) throw new Error('the camera was not added');
  await waitFor('the camera online', async () => (await operator.ok('device/list', {})).onlineTotal === 1, 30_000);
  const { page } = await openSignedIn(browser, product, { path: '/homepage/deviceManage' });
  await page.addInitScript({ content: noteReady() });
  const answers = await ownAnswers(camera);
  const beyond: number[] = [];
  const pages: number[] = [];
  // The first round fills the browser's cache and the site's list of sections, as a first visit does.
  const rounds = Array.from({ length: 1 + Number(values.rounds) }, (_, round) => round);
  const sections = Object.keys(SECTIONS) as (keyof typeof SECTIONS)[];
  for (const { round, section } of rounds.flatMap((round) => sections.map((section) => ({ round, section })))) {
    const { deviceSerial, channelNo } = place;
    const address = new URLSearchParams({ device: deviceSerial, channel: String(channelNo), section });
    const pageMs = await ready(page, `${product.url}/homepage/deviceManage/config?${address}`);
    const deviceMs = await answers(section);
    if (round === 0) continue;
    pages.push(pageMs);
    beyond.push(pageMs - deviceMs);
  }
  const result = {
    bench: 'config-ready',
    pages: pages.length,
    pageP50Ms: at(pages, 0.5),
    beyondP50Ms: at(beyond, 0.5),
    beyondP95Ms: at(beyond, 0.95),
    goalMs: GOAL_MS,
  };
  const ratioToGoal = Math.round((result.beyondP95Ms / GOAL_MS) * 100) / 100;
  process.stdout.write(`${JSON.stringify({ ...result, ratioToGoal })}\n`);
} finally {
  await browser.close();
  await cameras.stop();
  await product.stop();
}

/** From the address being opened, the whole console included, to the first frame with its control; both clocks are this machine's. */
async function ready(page: Page, address: string): Promise<number> {
  const begun = Date.now();
  await page.goto(address, { waitUntil: 'commit' });
  const readyAt = await page.waitForFunction(() => (globalThis as { configReadyAt?: number }).configReadyAt);
  return Number(await readyAt.jsonValue()) - begun;
}

/** In the page itself: the driver of the browser looks twice a second when it has waited for a while. */
function noteReady(): string {
  const labels = Object.entries(SECTIONS).map(([section, field]) => [section, pack[`config.field.${field}`]]);
  return `(() => {
    const label = new Map(${JSON.stringify(labels)}).get(new URL(location.href).searchParams.get('section'));
    const look = () => {
      if (document.querySelector('main input[type="number"][aria-label="' + label + '"]')) window.configReadyAt = Date.now();
      else requestAnimationFrame(look);
    };
    if (label !== undefined) requestAnimationFrame(look);
  })()`;
}

/** How long the camera takes for the same section when nobody stands in between. */
async function ownAnswers({
  target,
  user,
  password,
}: VirtualDevice): Promise<(section: SectionName) => Promise<number>> {
  const context = testContext();
  const parsed = parseProbeTarget(target);
  if (parsed === null) throw new Error('no target');
  const credentials = { user, password };
  const { native } = await probe({ target: parsed, credentials, context });
  const driver = driverById('onvif')?.open({ native, credentials, context });
  const { config } = (await driver?.channel(1)) ?? {};
  if (config === undefined) throw new Error('no configuration');
  return async (section) => {
    const begun = performance.now();
    await config.section(section)?.read();
    return performance.now() - begun;
  };
}

function at(all: readonly number[], share: number): number {
  const sorted = all.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}
