// Sign-in: messages, keyboard, languages, redirects, and pages without a session.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import german from '@vedette/phrases/further/de.json' with { type: 'json' };
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, openPage, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';
import { LANGUAGES, signIn } from './console-steps.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';
import { handToPage, sendAsShell, shellAnswers, TEST_SHELL, shellStatuses } from './test-shell.ts';

const [NAME, PASSWORD] = OPERATOR;
const { words } = LANGUAGES[0];

let product: Product;
let browser: Browser;

beforeAll(async () => {
  [product, browser] = await Promise.all([Product.start(), openBrowser()]);
  await product.setUp(NAME, PASSWORD);
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

/** Paths of the calls that the page makes from now on, sockets included. */
function watchCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/') || pathname.startsWith('/media/')) calls.push(pathname);
  });
  page.on('websocket', (socket) => calls.push(new URL(socket.url()).pathname));
  return calls;
}

async function openLogin(options: Parameters<typeof openPage>[1] = {}, search = ''): Promise<WatchedPage> {
  const watched = await openPage(browser, options);
  await watched.page.goto(`${product.url}/login${search}`);
  return watched;
}

describe.each(LANGUAGES)('the form in $lang', ({ locale, lang, words: said }) => {
  it('[VA-06] [ER-03] names missing fields, and says that name or password is wrong', async () => {
    const watched = await openLogin({ locale, colorScheme: lang === 'en' ? 'dark' : 'light' });
    const { page } = watched;
    const calls = watchCalls(page);
    const submit = page.getByRole('button', { name: said['login.submit'] });
    await submit.click();
    await page.getByText(said['login.accountRequired']).waitFor();
    await page.getByText(said['login.passwordRequired']).waitFor();
    expect(calls).not.toContain('/api/v1/account/login');
    await expectNoProblems(watched, `login-required-${lang}`);

    const account = page.getByLabel(said['login.account'], { exact: true });
    const password = page.getByLabel(said['login.password'], { exact: true });
    await account.fill(NAME);
    await password.fill('Wrong-2026');
    await submit.click();
    await page.getByRole('alert').getByText(said['errCode_2004']).waitFor();
    expect(await account.inputValue()).toBe(NAME);
    await expect.poll(() => password.inputValue()).toBe('');
    await waitFor('the cursor in the password', () => password.evaluate((input) => input === document.activeElement));
    expect(new URL(page.url()).pathname).toBe('/login');
    await expectNoProblems(watched, `login-wrong-${lang}`);
    await watched.close();
  });
});

describe('by mouse and keyboard', () => {
  it('keys alone are enough to sign in', async () => {
    const watched = await openLogin();
    const { page } = watched;
    const account = page.getByLabel(words['login.account'], { exact: true });
    await waitFor('the cursor in the name', () => account.evaluate((input) => input === document.activeElement));
    await page.keyboard.type(NAME);
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/homepage\/liveVideo$/);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('shows the password on request, and says that Caps Lock is on', async () => {
    const watched = await openLogin();
    const { page } = watched;
    const password = page.getByLabel(words['login.password'], { exact: true });
    await password.fill('abc');
    await page.getByRole('button', { name: words['common.showPassword'] }).click();
    await expect.poll(() => password.getAttribute('type')).toBe('text');
    // A browser under test has no Caps Lock: the event of a keyboard that has it on is sent.
    await password.dispatchEvent('keyup', { key: 'A', modifierCapsLock: true });
    await page.getByText(words['login.capsLock']).waitFor();
    await expectNoProblems(watched, 'login-caps-lock');
    await password.dispatchEvent('keyup', { key: 'a', modifierCapsLock: false });
    await page.getByText(words['login.capsLock']).waitFor({ state: 'detached' });
    await watched.close();
  });

  it('[UI-03] changes the language at once and remembers it', async () => {
    const watched = await openLogin();
    const { page } = watched;
    const chinese = LANGUAGES[1].words;
    await page.getByRole('button', { name: words['shell.preferences'] }).click();
    await page.getByRole('menuitemradio', { name: '简体中文' }).click();
    await page.getByRole('button', { name: chinese['login.submit'] }).waitFor();
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('zh-CN');
    await expect.poll(() => page.title()).toContain(chinese['login.title']);
    await page.reload();
    await page.getByRole('button', { name: chinese['login.submit'] }).waitFor();
    await page.getByRole('button', { name: chinese['shell.preferences'] }).click();
    await page.getByRole('menuitemradio', { name: '简体中文', checked: true }).waitFor();
    await expectNoProblems(watched, 'login-menu-zh');
    await watched.close();
  });

  it('[CA-06] [UI-09] [ER-05] fetches a pack when it is chosen, and keeps the language where it does not come', async () => {
    const watched = await openPage(browser, { allowed: /ERR_FAILED|language pack/ });
    const { page } = watched;
    const packs: string[] = [];
    page.on('request', (request) => {
      const name = /\/assets\/(pack|de|fr|es|it|pt-br|nl|pl|ru|ja|ko)-[\w-]+\.js$/.exec(request.url())?.[1];
      if (name !== undefined) packs.push(`${request.method()} ${name}`);
    });
    const preferences = page.locator('header button[aria-haspopup=menu]');
    const choose = async (name: string): Promise<void> => {
      await preferences.click();
      await page.getByRole('menuitemradio', { name }).click();
    };
    await page.goto(`${product.url}/login`);
    await page.getByRole('button', { name: words['login.submit'], exact: true }).waitFor();
    expect(packs).toEqual(['GET pack']);
    await choose('Deutsch');
    await page.getByRole('button', { name: german['login.submit'], exact: true }).waitFor();
    expect(packs).toEqual(['GET pack', 'GET de']);
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de');
    await preferences.click();
    await page.getByRole('menuitem', { name: german['theme.open'] }).waitFor();
    await expectNoProblems(watched, 'login-german');
    await page.keyboard.press('Escape');
    for (const [file, name, alert] of [
      [/\/assets\/fr-/, 'Français', 'Import Locale Error'],
      [/\/assets\/pack-/, '简体中文', 'Import Lang Error'],
    ] as const) {
      await page.route(file, (route) => route.abort());
      await choose(name);
      await page.getByText(alert, { exact: true }).waitFor();
      await page.getByRole('button', { name: german['login.submit'], exact: true }).waitFor();
    }
    expect(packs).toEqual(['GET pack', 'GET de', 'GET fr', 'GET pack']);
    await page.unrouteAll();
    await page.reload();
    await page.getByRole('button', { name: german['login.submit'], exact: true }).waitFor();
    await watched.close();
  });
});

describe('after sign-in', () => {
  it('chooses colours on the sign-in page, and leaves no dialog open behind it', async () => {
    const watched = await openLogin();
    const { page } = watched;
    await page.getByRole('button', { name: words['shell.preferences'] }).click();
    await page.getByRole('menuitem', { name: words['theme.open'] }).click();
    const dialog = page.getByRole('dialog', { name: words['theme.title'] });
    await dialog.getByRole('button', { name: words['theme.done'] }).click();
    await dialog.waitFor({ state: 'detached' });
    await signIn(page, words, NAME, PASSWORD);
    await page.getByRole('main').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('[RT-02] / redirects to sign-in', async () => {
    const watched = await openPage(browser);
    await watched.page.goto(`${product.url}/`);
    await watched.page.waitForURL(/\/login$/);
    await watched.close();
  });

  it('[RT-08] returns to the requested page, with its query', async () => {
    const watched = await openPage(browser);
    const { page } = watched;
    await page.goto(`${product.url}/homepage/deviceManage?status=offline`);
    await page.waitForURL(/\/login\?from=/);
    await signIn(page, words, NAME, PASSWORD);
    await page.waitForURL(/\/homepage\/deviceManage\?status=offline$/);
    await page.getByRole('heading', { name: words['screen.devices'] }).waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('[RT-08] never redirects to another site', async () => {
    const watched = await openLogin({}, '?from=https%3A%2F%2Fevil.example%2Fhomepage%2F');
    await signIn(watched.page, words, NAME, PASSWORD);
    expect(watched.page.url()).toBe(`${product.url}/homepage/liveVideo`);
    await watched.close();
  });

  it('[RT-02] an unknown path offers a way back and keeps the session', async () => {
    const watched = await openSignedIn(browser, product, { path: '/homepage/deviceManage', colorScheme: 'light' });
    const { page } = watched;
    for (const [path, name] of [
      ['/nowhere', 'not-found'],
      ['/homepage/nowhere', 'not-found-in-shell'],
    ] as const) {
      await page.goto(`${product.url}${path}`);
      await page.getByText(words['notFound.detail']).waitFor();
      await expectNoProblems(watched, name);
      await page.getByRole('button', { name: words['notFound.back'] }).click();
      await page.getByRole('tree').or(page.getByText(words['tree.empty'])).waitFor();
      expect(page.url()).toBe(`${product.url}/homepage/liveVideo`);
    }
    await watched.close();
  });
});

describe.each([
  ['liveVideo', 'screen.live', 'dark', 'tree.empty'],
  ['container', 'screen.playback', 'light', 'tree.empty'],
  ['alarmMsg', 'screen.alarms', 'dark', 'alarms.empty'],
] as const)('%s without a session', (path, title, colorScheme, empty) => {
  it('[RT-09] opens, makes no authenticated call, and offers sign-in in place', async () => {
    const watched = await openPage(browser, { colorScheme });
    const { page } = watched;
    const calls = watchCalls(page);
    await page.goto(`${product.url}/homepage/${path}`, { waitUntil: 'networkidle' });
    await page.getByRole('heading', { name: words['login.inPlace'] }).waitFor();
    await page.getByRole('heading', { name: words[title], exact: true }).waitFor();
    expect(calls).toEqual([]);
    await expectNoProblems(watched, `${path}-without-session`);
    await signIn(page, words, NAME, PASSWORD);
    await page.getByText(words[empty]).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/homepage/${path}`);
    await expect.poll(() => calls).toContain('/ws');
    expect(watched.problems).toEqual([]);
    await watched.close();
  });
});

const OPERATE = { id: '1', url: '/api/v1.0/web/account/operate', data: { status: 0 } } as const;

describe('the client entry', () => {
  it('[RT-01] [RT-03] [ST-01] [ST-04] [EN-20] asks for the server, keeps name and session, lists the devices of its shell, and follows its commands', async () => {
    const watched = await openPage(browser);
    const { context, page } = watched;
    await context.addInitScript({ content: TEST_SHELL });
    await page.goto(`${product.url}/client.html`);
    const server = page.getByLabel(words['client.server'], { exact: true });
    expect(await server.inputValue()).toBe(product.url);
    await server.fill('not a server');
    await page.getByRole('button', { name: words['client.serverGo'] }).click();
    await page.getByText(words['client.serverBad']).waitFor();
    await server.fill(product.url);
    const devices = page.getByRole('region', { name: words['client.lanDevices'] }).getByRole('listitem');
    await devices.getByText('Gate').waitFor();
    await expect.poll(() => devices.count()).toBe(1);
    await page.getByRole('checkbox', { name: words['client.autoLogin'] }).check();
    await expect.poll(() => page.getByRole('checkbox', { name: words['client.remember'] }).isChecked()).toBe(true);
    await expectNoProblems(watched, 'client-login');
    // Nobody, then somebody who makes an account and gives it up, then who signs in.
    await expect.poll(() => shellStatuses(page)).toEqual([0]);
    for (const [place, told] of [
      ['#/register', [0, 2]],
      ['#/login', [0, 2, 0]],
    ] as const) {
      await page.evaluate((hash) => {
        window.location.hash = hash;
      }, place);
      await expect.poll(() => shellStatuses(page)).toEqual(told);
    }
    await page.getByRole('checkbox', { name: words['client.autoLogin'] }).check();
    await signIn(page, words, NAME, PASSWORD);
    await expect.poll(() => shellStatuses(page)).toEqual([0, 2, 0, 1]);
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(PASSWORD);
    await page.close();

    const again = await context.newPage();
    await again.goto(`${product.url}/client.html`);
    await again.waitForURL(/#\/homepage\//);
    await again.getByRole('navigation').waitFor();
    await hostileHours(again);
    await sendAsShell(again, OPERATE);
    await again.waitForURL(/#\/login/);
    await expect.poll(() => again.getByLabel(words['login.account'], { exact: true }).inputValue()).toBe('');
    await again.reload();
    await again.getByLabel(words['client.server'], { exact: true }).waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  /** The page is signed in before and after. */
  async function hostileHours(page: Page): Promise<void> {
    const forged = [
      OPERATE,
      { ...OPERATE, nonce: 'guessed' },
      JSON.parse(JSON.stringify(OPERATE).replace('{"status"', '{"__proto__":{"isAdmin":true},"status"')) as object,
    ];
    for (const message of forged) await handToPage(page, message);
    // Of the shell itself: what came before is not done again, what is unknown is said to be, and nothing is told.
    for (const id of ['7', '7']) await sendAsShell(page, { id, url: '/api/v1.0/web/autoLogin', data: {} });
    await sendAsShell(page, { ...OPERATE, id: '8', data: { status: '0' } });
    await expect
      .poll(() => shellAnswers(page))
      .toEqual([
        { id: '7', code: 1003, message: 'paramInvalid', data: { loginName: 'required', ticket: 'required' } },
        { id: '8', code: 1003, message: 'paramInvalid', data: { status: 'notAllowed' } },
      ]);
  }

  it('[SE-90] [SE-92] ignores other pages, and takes only a version from a program on port 9999', async () => {
    const asked: IncomingHttpHeaders[] = [];
    const program = createServer(({ headers }, response) => {
      asked.push(headers);
      response.setHeader('access-control-allow-origin', '*').end('2.14.0<img src=x onerror=alert(1)>');
    });
    const page9999 = new Promise<boolean>((resolve) => {
      program.once('error', () => resolve(false)).listen(9999, '127.0.0.1', () => resolve(true));
    });
    const isOurs = await page9999;
    // It opens the console, frames it, and shouts at both.
    const hostile = createServer((_, response) => {
      const client = JSON.stringify(`${product.url}/client.html`);
      const shout = `const message = ${JSON.stringify(OPERATE)};
        const go = () => {
          const opened = window.open(${client});
          setInterval(() => { for (const one of [opened, frames[0]]) one?.postMessage(message, '*'); }, 20);
        };`;
      response
        .setHeader('content-type', 'text/html')
        .end(`<iframe src=${client}></iframe><button onclick="go()">Go</button><script>${shout}</script>`);
    });
    await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
    const { port } = hostile.address() as AddressInfo;
    const watched = await openSignedIn(browser, product, { path: '/homepage/liveVideo', allowed: /frame|ERR_BLOCKED/ });
    const { context, page } = watched;
    // Both pages hold the session: of one tab for the page in a browser, kept for the client.
    await page.evaluate(() => {
      const { auth } = JSON.parse(sessionStorage.getItem('vedette.auth') ?? '{}') as { auth: object };
      localStorage.setItem('vedette.client.session', JSON.stringify(auth));
      window.postMessage({ id: '1', url: '/api/v1.0/web/account/operate', data: { status: 0 } }, '*');
    });
    expect(await page.evaluate(() => 'vedetteShell' in window)).toBe(false);
    await context.addInitScript({ content: TEST_SHELL });
    const other = await context.newPage();
    await other.goto(`http://127.0.0.1:${port}/`);
    const [client] = await Promise.all([context.waitForEvent('page'), other.getByRole('button').click()]);
    await client.waitForURL(/#\/homepage\//);
    await client.goto(`${product.url}/client.html#/homepage/personalContainer?tab=documents`);
    await client.getByText(words['personal.directNone']).waitFor();
    expect(client.url()).toContain('#/homepage/personalContainer');
    expect(await client.evaluate(() => sessionStorage.getItem('vedette.auth'))).not.toBeNull();
    expect(await page.evaluate(() => sessionStorage.getItem('vedette.auth'))).not.toBeNull();
    expect(await shellAnswers(client)).toEqual([]);
    if (isOurs) {
      // Pages of other tests on this machine ask the same port.
      const byUs = asked.filter(({ origin }) => origin === new URL(product.url).origin);
      expect(byUs).toHaveLength(1);
      for (const name of ['authorization', 'cookie', 'referer']) expect(byUs[0], name).not.toHaveProperty(name);
    }
    await watched.close();
    for (const server of [program, hostile]) server.close().closeAllConnections();
  });
});
