// Signing a native client in at an identity provider: the person's browser is opened, ends at the client's loopback address, and the client is signed in.
import { systemClock } from '@vedette/foundation/time/clock.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProviderSignIn } from '../../shells/desktop/provider-sign-in/provider-sign-in.ts';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, openPage, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { StrangerProvider } from '../harness/stranger-provider.ts';
import { LANGUAGES } from './console-steps.ts';
import { addProvider } from './identity-steps.ts';
import { joinShell } from './joined-shell.ts';
import { expectNoProblems, OPERATOR } from './signed-in.ts';

let product: Product;
let browser: Browser;
let operator: ApiClient;
let stranger: StrangerProvider;
const NAME = 'Head office';

beforeAll(async () => {
  [product, browser, stranger] = await Promise.all([Product.start(), openBrowser(), StrangerProvider.start()]);
  operator = await product.setUp(...OPERATOR);
  await addProvider(operator, stranger, NAME);
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
  stranger?.stop();
});

function userOf(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const { auth } = JSON.parse(sessionStorage.getItem('vedette.auth') ?? '{}') as { auth?: { userName: string } };
    return auth?.userName;
  });
}

interface WaitingClient {
  readonly watched: WatchedPage;
  readonly opened: readonly string[];
  close(): Promise<void>;
}

/** The client entry with a shell around it that opens no browser, and says which address it would open. */
async function openClient(options: Parameters<typeof openPage>[1]): Promise<WaitingClient> {
  const watched = await openPage(browser, options);
  const opened: string[] = [];
  const signIn = new ProviderSignIn({
    origin: product.url,
    clock: systemClock,
    openAddress: (url) => opened.push(url),
    onTicket: (ticket) => void shell.peer.ask('identity/ticket', ticket),
  });
  const shell = await joinShell(watched.context, watched.page, {
    'identity/open': async ({ providerId }) => {
      await signIn.begin(providerId);
      return {};
    },
  });
  await watched.page.goto(`${product.url}/client.html`);
  const close = async () => {
    signIn.close();
    await watched.close();
  };
  return { watched, opened, close };
}

describe.each(LANGUAGES)('in $lang', ({ locale, lang, words: said }) => {
  const colorScheme = lang === 'en' ? 'light' : 'dark';
  const button = said['identity.signInWith'].replace('{name}', NAME);

  it('a client is signed in by the browser that it opened, and the browser is not', async () => {
    stranger.user = { sub: `anna ${lang}`, preferred_username: `anna_${lang.slice(0, 2)}` };
    const client = await openClient({ locale, colorScheme });
    const { page } = client.watched;
    await page.getByRole('button', { name: button }).click();
    await page.getByText(said['identity.clientWaiting']).waitFor();
    await expectNoProblems(client.watched, `identity-client-waiting-${lang}`);
    const person = await openPage(browser, { locale, colorScheme });
    await person.page.goto(client.opened[0] ?? '');
    await person.page.getByText(said['identity.clientWarning']).waitFor();
    await expectNoProblems(person, `identity-client-question-${lang}`);
    await person.page.getByRole('button', { name: button }).click();
    await person.page.getByText(said['identity.clientDone']).waitFor();
    await expectNoProblems(person, `identity-client-done-${lang}`);
    expect(new URL(person.page.url()).search, 'the ticket is out of the address').toBe('');
    await expect.poll(() => userOf(page)).toBe(stranger.user['preferred_username']);
    expect(await userOf(person.page)).toBeUndefined();
    const made = (await operator.ok('user/list', { keyWord: 'anna' })).userList;
    expect(made.map(({ userName }) => userName)).toContain(stranger.user['preferred_username']);
    expect(client.watched.problems).toEqual([]);
    await person.close();
    await client.close();
  });

  it('an address that is not whole leads nowhere, and an older client says where to sign in', async () => {
    const person = await openPage(browser, { locale, colorScheme });
    const { identityProviderList } = await operator.ok('server/version', {});
    const word = 'a'.repeat(43);
    for (const port of ['0', '65536', '80@evil.example', '']) {
      const query = new URLSearchParams({ challenge: word, place: word, port });
      await person.page.goto(`${product.url}/signIn/client/${identityProviderList[0]?.providerId}?${query}`);
      await person.page.getByRole('alert').getByText(said['identity.clientBad']).waitFor();
      expect(await person.page.getByRole('button', { name: button }).count(), port).toBe(0);
    }
    await person.close();
    const older = await openPage(browser, { locale, colorScheme });
    await joinShell(older.context, older.page, null);
    await older.page.goto(`${product.url}/client.html`);
    await older.page.getByText(said['identity.signInBrowser'].replace('{names}', NAME)).waitFor();
    expect(await older.page.getByRole('button', { name: button }).count()).toBe(0);
    await expectNoProblems(older, `identity-client-older-${lang}`);
    await older.close();
  });

  it('the operator is told in a client where an account is linked', async () => {
    const client = await openClient({ locale, colorScheme });
    const { page } = client.watched;
    await page.getByLabel(said['login.account'], { exact: true }).fill(OPERATOR[0]);
    await page.getByLabel(said['login.password'], { exact: true }).fill(OPERATOR[1]);
    await page.getByRole('button', { name: said['login.submit'], exact: true }).click();
    await page.waitForURL(/#\/homepage\//);
    await page.goto(`${product.url}/client.html#/homepage/personalContainer?tab=identity`);
    await page.getByText(said['identity.linkInBrowser']).waitFor();
    expect(await page.getByRole('button', { name: said['identity.link'], exact: true }).count()).toBe(0);
    await expectNoProblems(client.watched, `identity-client-link-${lang}`);
    await client.close();
  });
});
