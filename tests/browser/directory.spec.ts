// Sign-in by a directory in real browsers: the operator sets a slapd up and tries it, its user signs in by the ordinary form with the mapped role.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, openPage } from '../harness/browser.ts';
import { BASE, DirectoryServer, GUARDS, PEOPLE, SEARCHER } from '../harness/directory-server.ts';
import { Product } from '../harness/product.ts';
import { LANGUAGES, signOut, type Words } from './console-steps.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

let product: Product;
let browser: Browser;
let operator: ApiClient;
let directory: DirectoryServer;
const { words } = LANGUAGES[0];
const NAME = 'Head office';
const STAFF = `cn=staff,ou=groups,${BASE}`;
const SECTION = '/homepage/system?section=identity';

beforeAll(async () => {
  [product, browser, directory] = await Promise.all([Product.start(), openBrowser(), DirectoryServer.start()]);
  directory.addGroup(STAFF, [GUARDS]);
  operator = await product.setUp(...OPERATOR);
  const permissions = ['Realplay', 'AlarmPush'] as const;
  await operator.ok('org/add', { organizationName: 'North' });
  await operator.ok('role/add', { roleName: 'Guards', permissions: [...permissions], resources: null });
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
  await directory?.stop();
});

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

async function fill(dialog: Locator, fields: readonly (readonly [label: string, value: string])[]): Promise<void> {
  for (const [label, value] of fields) await dialog.getByLabel(label, { exact: true }).fill(value);
}

async function signInAs(page: Page, said: Words, [name, password]: readonly [string, string]): Promise<void> {
  await page.getByLabel(said['login.account'], { exact: true }).fill(name);
  await page.getByLabel(said['login.password'], { exact: true }).fill(password);
  await page.getByRole('button', { name: said['login.submit'], exact: true }).click();
}

it('the operator sets a directory up by what its test says, and its user signs in by the ordinary form', async () => {
  const watched = await openSignedIn(browser, product, { path: SECTION });
  const { page } = watched;
  await page.getByRole('button', { name: words['identity.add'] }).click();
  const dialog = page.getByRole('dialog');
  await choose(page, words['identity.kind'], words['identity.kind_ldap']);
  await fill(dialog, [
    [words['identity.name'], NAME],
    [words['directory.hosts'], `localhost:${directory.tlsPort}`],
    [words['directory.bindName'], SEARCHER.name],
    [words['directory.bindPassword'], SEARCHER.password],
    [words['directory.searchBase'], BASE],
    [words['directory.tryUser'], 'anna'],
  ]);
  const test = dialog.getByRole('button', { name: words['identity.test'] });
  await test.click();
  await dialog.getByRole('alert').getByText(words['reason_identityNoTls']).waitFor();
  await dialog.getByLabel(words['directory.authority'], { exact: true }).fill(directory.authority);
  await test.click();
  await dialog.getByText(GUARDS).waitFor();
  await dialog.getByRole('button', { name: words['identity.addRow'] }).click();
  await dialog.getByLabel(words['identity.value'], { exact: true }).fill(GUARDS);
  await choose(page, words['identity.role'], 'Guards');
  await choose(page, words['identity.organization'], 'North');
  await expectNoProblems(watched, 'directory-found');
  await dialog.getByRole('button', { name: words['common.save'] }).click();
  await page.getByLabel(words['personal.yourPassword'], { exact: true }).fill(OPERATOR[1]);
  await page.getByRole('button', { name: words['stepUp.submit'], exact: true }).click();
  await page.getByRole('list', { name: words['identity.title'] }).getByText(`localhost:${directory.tlsPort}`).waitFor();
  await expectNoProblems(watched, 'directory-listed');
  await signOut(page, words);

  await page.getByText(words['directory.signInLead'].replace('{names}', NAME)).waitFor();
  await signInAs(page, words, ['anna', 'wrong']);
  await page.getByRole('alert').waitFor();
  await signInAs(page, words, ['anna', PEOPLE.anna]);
  await page.waitForURL(/\/homepage\//);
  const made = (await operator.ok('user/list', { keyWord: 'anna' })).userList[0];
  const { roleList } = await operator.ok('role/list', {});
  expect(made).toMatchObject({ userType: 5, roleIds: [roleList[0]?.roleId], ownerName: OPERATOR[0] });
  await page.goto(`${product.url}/homepage/personalContainer?tab=identity`);
  await page.getByText(words['identity.onlyWay']).waitFor();
  await page.getByRole('tab', { name: words['personal.factor'] }).click();
  await page.getByRole('button', { name: words['personal.useTotp'] }).click();
  await page.getByLabel(words['personal.yourPassword'], { exact: true }).fill(PEOPLE.anna);
  await page.getByRole('button', { name: words['stepUp.submit'], exact: true }).click();
  await page.getByLabel(words['factor.code'], { exact: true }).waitFor();
  expect(watched.problems).toEqual([]);
  await watched.close();
});

describe.each(LANGUAGES)('in $lang', ({ locale, lang, words: said }) => {
  const colorScheme = lang === 'en' ? 'light' : 'dark';

  it('the sign-in page names the directory, and the operator reads and changes it', async () => {
    const { page: login, ...opened } = await openPage(browser, { locale, colorScheme });
    await login.goto(`${product.url}/login`);
    await login.getByText(said['directory.signInLead'].replace('{names}', NAME)).waitFor();
    await expectNoProblems({ page: login, ...opened }, `directory-login-${lang}`);
    await opened.close();
    const watched = await openSignedIn(browser, product, { path: SECTION, locale, colorScheme });
    const { page } = watched;
    await page.getByRole('button', { name: said['identity.more'].replace('{name}', NAME) }).click();
    await page.getByRole('menuitem', { name: said['identity.change'] }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(said['directory.hosts'], { exact: true }).waitFor();
    await expectNoProblems(watched, `directory-dialog-${lang}`);
    await dialog.getByRole('switch', { name: said['directory.nestedGroups'] }).click();
    await dialog.getByLabel(said['directory.tryUser'], { exact: true }).fill('anna');
    await dialog.getByRole('button', { name: said['identity.test'] }).click();
    await dialog.getByText(said['directory.foundNested'].replace('{groups}', `${STAFF} · staff`)).waitFor();
    await expectNoProblems(watched, `directory-nested-${lang}`);
    await choose(page, said['directory.security'], said['directory.security_plain']);
    await dialog.getByText(said['directory.plainWarning']).waitFor();
    await dialog.getByRole('button', { name: said['directory.preset_activeDirectory'] }).click();
    await dialog.getByLabel(said['directory.tryUser'], { exact: true }).scrollIntoViewIfNeeded();
    await expectNoProblems(watched, `directory-plain-${lang}`);
    await page.setViewportSize({ width: 390, height: 844 });
    await dialog.getByLabel(said['directory.userFilter'], { exact: true }).scrollIntoViewIfNeeded();
    await expectNoProblems(watched, `directory-dialog-390-${lang}`);
    await watched.close();
  });

  it('the operator links the own account by name and password of the directory, and unlinks it', async () => {
    const [name, password] = lang === 'en' ? ['ben', PEOPLE.ben] : ['wang', PEOPLE.wang];
    const path = '/homepage/personalContainer?tab=identity';
    const watched = await openSignedIn(browser, product, { path, locale, colorScheme });
    const { page } = watched;
    const link = page.getByRole('button', { name: said['identity.link'], exact: true });
    await link.click();
    const dialog = page.getByRole('dialog', { name: said['directory.linkTitle'].replace('{name}', NAME) });
    const submit = dialog.getByRole('button', { name: said['identity.link'], exact: true });
    await submit.click();
    await dialog.getByText(said['directory.linkNameRequired']).waitFor();
    await fill(dialog, [
      [said['directory.nameAttribute'], name],
      [said['directory.linkPassword'], 'another'],
    ]);
    await submit.click();
    await page.getByLabel(said['personal.yourPassword'], { exact: true }).fill(OPERATOR[1]);
    await page.getByRole('button', { name: said['stepUp.submit'], exact: true }).click();
    await dialog.getByRole('alert').getByText(said['directory.linkWrong']).waitFor();
    await expectNoProblems(watched, `directory-link-${lang}`);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoProblems(watched, `directory-link-390-${lang}`);
    await page.setViewportSize({ width: 1440, height: 900 });
    await dialog.getByLabel(said['directory.linkPassword'], { exact: true }).fill(password);
    await submit.click();
    const unlink = page.getByRole('button', { name: said['identity.unlink'], exact: true });
    await unlink.waitFor();
    await expectNoProblems(watched, `directory-linked-${lang}`);
    await unlink.click();
    await link.waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });
});
