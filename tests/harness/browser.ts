// A real Chromium for browser tests: fails on any console error, page error or failed request not listed.
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { chromium } from 'playwright-core';

const WHOLE_BROWSER = ['/usr/bin/chromium', '/usr/bin/google-chrome', '/usr/bin/chromium-browser'].find(existsSync);
const CHOSEN_BROWSER = [process.env['VEDETTE_BROWSER'] ?? ''].find(existsSync) ?? WHOLE_BROWSER;
/** Folder for pictures of the screens; none are kept where it is unset. */
const SHOTS = process.env['VEDETTE_SHOTS'];
/** So many times slower than it is a page runs, and so many ms each step of a test waits: what depends on speed shows under one or the other. */
const SLOWER_PAGE = Number(process.env['VEDETTE_SLOWER_PAGE'] ?? 1);
const SLOWER_STEPS_MS = Number(process.env['VEDETTE_SLOWER_STEPS_MS'] ?? 0);

/** The console is dark unless told otherwise; pages under test follow their colour scheme. */
const FOLLOW_SCHEME = `
  if (location.protocol.startsWith('http') && localStorage.getItem('vedette.theme') === null)
    localStorage.setItem('vedette.theme', 'system');
`;

/** With a made-up microphone, from which a headless shell hears nothing. */
export function openBrowserWithMicrophone(): Promise<Browser> {
  return launch(WHOLE_BROWSER, ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']);
}

/** With names that no name server has: `MAP vedette.example 127.0.0.1`. */
export function openBrowserWithNames(rules: string): Promise<Browser> {
  return launch(CHOSEN_BROWSER, [`--host-resolver-rules=${rules}`]);
}

export function openBrowser(): Promise<Browser> {
  return launch(CHOSEN_BROWSER);
}

async function launch(executable: string | undefined, flags: readonly string[] = []): Promise<Browser> {
  if (executable === undefined) throw new Error('no Chromium found; install the package chromium');
  return chromium.launch({
    executablePath: executable,
    slowMo: SLOWER_STEPS_MS,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--autoplay-policy=no-user-gesture-required',
      ...flags,
    ],
  });
}

/** A page that is left while a busy machine still opens its socket: nothing has failed. */
const LEFT_EARLY = /WebSocket is closed before the connection is established/;

/** Not closed yet, of whatever this worker runs. */
const openPages = new Set<Page>();

export interface WatchedPage {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Everything that went wrong in the page so far. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

export interface PageOptions {
  readonly locale?: 'en-US' | 'zh-CN';
  readonly colorScheme?: 'dark' | 'light';
  readonly width?: number;
  readonly height?: number;
  readonly ignoreHTTPSErrors?: boolean;
  /** Requests that a test cuts on purpose. */
  readonly allowed?: RegExp;
}

export async function openPage(browser: Browser, options: PageOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({
    locale: options.locale ?? 'en-US',
    colorScheme: options.colorScheme ?? 'dark',
    // Drawn without a graphics card, what turns for ever takes half a core from what is tested.
    reducedMotion: 'reduce',
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
    ignoreHTTPSErrors: options.ignoreHTTPSErrors ?? false,
  });
  await context.addInitScript({ content: FOLLOW_SCHEME });
  context.on('page', (one) => {
    openPages.add(one);
    one.on('close', () => openPages.delete(one));
    if (SLOWER_PAGE > 1) void slowDown(one);
  });
  const page = await context.newPage();
  const problems: string[] = [];
  const note = (text: string): void => {
    if (!options.allowed?.test(text) && !LEFT_EARLY.test(text)) problems.push(text);
  };
  page.on('console', (message) => {
    if (message.type() === 'error') note(`console: ${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => note(`page: ${error.message}`));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    if (reason !== 'net::ERR_ABORTED') note(`request: ${request.url()} ${reason}`);
  });
  return { context, page, problems, close: () => context.close() };
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_PAGE });
}

/** What stands on each open page as words, for whoever reads of a failure on another machine. */
export async function pagesInWords(): Promise<string[]> {
  return await Promise.all(
    [...openPages].map(async (page) => {
      // One that is frozen or gone says nothing.
      const words = page.locator('body').innerText({ timeout: 2000 });
      return `${page.url()}\n${await words.catch((error: unknown) => String(error))}`;
    }),
  );
}

let axeText: Promise<string> | undefined;

function axeSource(): Promise<string> {
  axeText ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  return axeText;
}

/** Serious and critical findings of axe on the page as it stands. */
export async function axeFindings(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(await axeSource());
  const result = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  };
  return result.violations
    .filter((finding) => finding.impact === 'serious' || finding.impact === 'critical')
    .map((finding) => `${finding.id}: ${finding.nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
}

/** Keeps a picture of the page where VEDETTE_SHOTS names a folder. */
export async function shot(page: Page, name: string): Promise<void> {
  if (!SHOTS) return;
  await mkdir(SHOTS, { recursive: true });
  await page.screenshot({ path: `${SHOTS}/${name}.png` });
}
