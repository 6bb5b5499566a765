// Texts of others in dialogs, menus, popovers and inspectors of the console: whatever opens by pressing everything is opened with the corpus of scripts in it, and it stays text.
import type { CallPath } from '@vedette/contract/calls/calls.ts';
import { calls } from '@vedette/contract/calls/calls.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PATHS } from '../../console/navigation/paths.ts';
import { SYSTEM_SECTIONS, systemAddress } from '../../console/navigation/system-sections.ts';
import { SCRIPT_TEXTS, SCRIPT_URLS } from '../abuse/corpora/script-payloads.ts';
import { openBrowser } from '../harness/browser.ts';
import { isLongRun } from '../harness/fault-rounds.ts';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';
import { consoleOverlays, isOverlay } from './console-overlays.ts';
import { createOneOfEach } from './one-of-each.ts';
import { OverlayCrawl } from './overlay-crawl.ts';
import { scriptsIn } from './scripts-in-page.ts';
import { openSignedIn, OPERATOR } from './signed-in.ts';
import { changeAnswers } from './texts-in-answers.ts';

/** All of them take minutes: the usual run looks at these. */
const USUAL_SCREENS = [PATHS.liveVideo, PATHS.container, PATHS.deviceManage];
/** Fewer overlays than these mean that nothing was looked at. */
const USUALLY_SEEN = 12;
const SEEN_ON_ALL = 30;

let product: Product;
let browser: Browser;

beforeAll(async () => {
  [product, browser] = await Promise.all([Product.start({ demo: true }), openBrowser()]);
  const operator = await product.setUp(...OPERATOR);
  const { deviceSerial } = await waitFor(
    'a camera of the demo',
    async () => (await operator.ok('device/list', { status: 1 })).deviceList[0],
    60_000,
  );
  await waitFor('alarms of the demo', async () => (await operator.ok('alarm/list', {})).alarmList.length > 0, 60_000);
  await operator.ok('user/add', { username: 'viewer', password: 'Watch-2027', userType: 2 });
  const items = [{ deviceSerial, channelNo: 1 }];
  await operator.ok('share/add', { account: 'viewer', items, permission: ['videoView'] });
  await operator.ok('role/add', { roleName: 'Guards', permissions: ['Realplay'], resources: [] });
  await createOneOfEach(operator, deviceSerial);
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

/** Nothing is changed: each call that would is refused, the first time by the question for the password. */
async function refuseChanges(page: Page): Promise<void> {
  const asked = new Set<string>();
  await page.route(/\/api\/v1\//u, async (route) => {
    const path = new URL(route.request().url()).pathname.replace('/api/v1/', '');
    if (calls[path as CallPath]?.audit !== 'write') return await route.fallback();
    const isFirst = !asked.has(path);
    asked.add(path);
    const [text = ''] = SCRIPT_TEXTS;
    const json = isFirst
      ? { code: ERROR_CODES.stepUpRequired, message: text, data: { methods: [], providerName: null } }
      : { code: ERROR_CODES.paramInvalid, message: text, data: null };
    return await route.fulfill({ json });
  });
}

it('[SE-87] the corpus of scripts is text in the overlays that are opened by pressing everything', async () => {
  const { page } = await openSignedIn(browser, product, { path: '/serverConfig.json', allowed: /./ });
  page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
  const changed = await changeAnswers(page, { texts: SCRIPT_TEXTS, urls: SCRIPT_URLS });
  await refuseChanges(page);
  const overlays = consoleOverlays();
  const seen = new Set<string>();
  const crawl = new OverlayCrawl({
    page,
    onStep: async (where, open) => {
      expect(await scriptsIn(page), where).toEqual([]);
      for (const one of open) for (const overlay of overlays) if (isOverlay(overlay, one)) seen.add(overlay.name);
    },
  });
  const screens = isLongRun ? everyScreen() : USUAL_SCREENS;
  for (const address of screens) {
    await crawl.crawl(address, async () => {
      await page.goto(`${product.url}${address}`);
      await page.locator('main').waitFor();
    });
  }
  const missed = overlays.map(({ name }) => name).filter((name) => !seen.has(name));
  process.stdout.write(
    `overlays: ${seen.size} of ${overlays.length} in ${crawl.steps} steps; not opened:\n${missed.join('\n')}\n`,
  );
  expect(changed.fields.size).toBeGreaterThan(10);
  expect(seen.size).toBeGreaterThan(isLongRun ? SEEN_ON_ALL : USUALLY_SEEN);
}, 1_800_000);

function everyScreen(): string[] {
  const screens = Object.values(PATHS).filter((path) => path.startsWith('/homepage/') && path !== PATHS.liveWindow);
  return [...new Set([...screens, ...SYSTEM_SECTIONS.map((section) => systemAddress(section))])];
}
