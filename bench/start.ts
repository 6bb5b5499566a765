// npm run bench:start: from `git clone` with an empty npm cache to the first decoded frame of a demo camera, then the same warm.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pack } from '@vedette/phrases/en/pack.ts';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../tests/harness/browser.ts';
import type { ReadyLine } from '../tests/harness/product.ts';

const root = new URL('../', import.meta.url).pathname;
const account = { name: 'operator', password: 'Watch-2026' };
/** Longest wait for each step; the goals are 120 s cold and 15 s warm. */
const timeoutMs = 300_000;

/** Text, as it runs in the page. */
const framesDecoded = '[...document.querySelectorAll("[data-cell]")].some((tile) => tile.dataset.state === "live")';

interface Started {
  readonly ready: ReadyLine;
  readonly process: ChildProcess;
}

const folder = await mkdtemp(path.join(tmpdir(), 'vedette-bench-'));
const clone = path.join(folder, 'vedette');
const browser = await openBrowser();
try {
  const cold = await measure(() => {
    execFileSync('git', ['-c', 'safe.directory=*', 'clone', '--quiet', '--no-hardlinks', root, clone]);
  }, setUp);
  const warm = await measure(() => undefined, signIn);
  console.log(
    JSON.stringify({
      bench: 'start',
      coldMs: cold.frameMs,
      coldReadyMs: cold.readyMs,
      warmMs: warm.frameMs,
      warmReadyMs: warm.readyMs,
    }),
  );
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}

async function measure(prepare: () => void, enter: (page: Page, ready: ReadyLine) => Promise<void>) {
  const begun = performance.now();
  prepare();
  const { ready, process: launcher } = await start();
  try {
    const readyMs = Math.round(performance.now() - begun);
    await firstFrame(browser, (page) => enter(page, ready));
    return { readyMs, frameMs: Math.round(performance.now() - begun) };
  } finally {
    launcher.kill('SIGTERM');
    await once(launcher, 'close');
  }
}

/** As a new user would: the host's Node and npm, nothing in the cache. */
async function start(): Promise<Started> {
  const hostPath = (process.env['PATH'] ?? '').split(path.delimiter).filter((part) => !part.includes('node_modules'));
  const inherited = Object.entries(process.env).filter(([name]) => !/^(npm_|VEDETTE_|NODE)/i.test(name));
  const env = {
    ...Object.fromEntries(inherited),
    PATH: hostPath.join(path.delimiter),
    npm_config_cache: path.join(folder, 'npm-cache'),
  };
  const launcher = spawn('npm', ['start', '--silent', '--', '--port', '0'], {
    cwd: clone,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(launcher, 'close').then(([code]) => {
    throw new Error(`npm start ended with ${String(code)}`);
  });
  ended.catch(() => undefined); // its end is awaited by whoever started it
  for await (const line of createInterface({ input: launcher.stdout })) {
    if (line.startsWith('{')) return { ready: JSON.parse(line) as ReadyLine, process: launcher };
  }
  return ended;
}

async function setUp(page: Page, ready: ReadyLine): Promise<void> {
  await page.goto(ready.setupUrl ?? ready.url);
  await page.locator('[name="username"]').fill(account.name);
  await page.locator('[name="new-password"]').fill(account.password);
  await page.locator('[name="confirm-password"]').fill(account.password);
  await page.keyboard.press('Enter');
}

async function signIn(page: Page, ready: ReadyLine): Promise<void> {
  await page.goto(`${ready.url}/login`);
  await page.locator('[name="username"]').fill(account.name);
  await page.locator('[name="password"]').fill(account.password);
  await page.keyboard.press('Enter');
}

/** Opens a page, lets `enter` reach the wall, fills it, and waits until a picture was decoded. */
async function firstFrame(shared: Browser, enter: (page: Page) => Promise<void>): Promise<void> {
  const context = await shared.newContext({ locale: 'en-US' });
  const page = await context.newPage();
  page.setDefaultTimeout(timeoutMs);
  await enter(page);
  const fill = page.getByRole('button', { name: pack['live.fill'] }).first();
  await fill.waitFor();
  const until = performance.now() + timeoutMs;
  // Demo cameras come in one after the other: asked again until one is there and shown.
  while (!(await hasFrame(page))) {
    if (performance.now() > until) throw new Error('no picture');
    if ((await page.locator('[data-cell][data-state]:not([data-state=empty])').count()) === 0) await fill.click();
    await page.waitForFunction(framesDecoded, undefined, { timeout: 500 }).catch(() => undefined); // asked again above
  }
  await context.close();
}

function hasFrame(page: Page): Promise<boolean> {
  return page.evaluate(framesDecoded);
}
