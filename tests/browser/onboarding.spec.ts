// Onboarding of many devices: discovery, an address range, a CSV file; and actions on several at once.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { goTo, LANGUAGES, waitForFrameChange } from './console-steps.ts';
import { expectNoProblems, openSignedIn, OPERATOR } from './signed-in.ts';

const { words } = LANGUAGES[0];

let product: Product;
let browser: Browser;
let operator: ApiClient;
let cameras: VirtualSite;

beforeAll(async () => {
  // An address of this spec alone stands in for the multicast group.
  cameras = await startVirtualSite(['--cameras', '3', '--discovery', '127.0.0.1:0']);
  const env = { VEDETTE_DISCOVERY: `127.0.0.1:${cameras.discoveryPort}` };
  [product, browser] = await Promise.all([Product.start({ env }), openBrowser()]);
  operator = await product.setUp(...OPERATOR);
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await Promise.all([product?.stop(), cameras?.stop()]);
});

async function endpoint(where: Page, name: 'door.range' | 'door.file'): Promise<void> {
  await where.getByRole('radiogroup', { name: words['door.label'] }).getByText(words[name], { exact: true }).click();
}

describe('adding several devices', () => {
  const names = ['Camera 0001', 'Camera 0002'];
  const pane = (where: Page) => where.getByRole('complementary', { name: words['add.title'] });
  const dropFiles = async (where: Page, files: readonly (readonly [string, readonly string[]])[]) => {
    const given = files.map(([name, lines]) => ({
      name,
      mimeType: 'text/csv',
      buffer: Buffer.from(lines.join('\r\n')),
    }));
    await pane(where).locator('input[type=file]').setInputFiles(given);
  };
  const drop = async (where: Page, lines: readonly string[]) => {
    await dropFiles(where, [['site.csv', lines]]);
  };

  /** A page with the wizard open, and none of the virtual cameras added yet. */
  async function wizard(path = '/homepage/deviceManage?add=1'): Promise<WatchedPage> {
    const { deviceList } = await operator.ok('device/list', { keyWord: 'Camera 000' });
    for (const { deviceSerial } of deviceList) await operator.ok('device/delete', { deviceSerial });
    return await openSignedIn(browser, product, { path });
  }

  it('[DM-01] leads from an empty wall to discovery, adds two cameras with one account, and shows them on the wall', async () => {
    const other = await wizard('/homepage/liveVideo');
    const { page: here } = other;
    await here.getByText(words['live.noCameras']).waitFor();
    await expectNoProblems(other, 'live-no-cameras');
    await here.getByRole('button', { name: words['live.findCameras'] }).click();
    for (const name of names) await here.getByRole('checkbox', { name }).check();
    await here.getByLabel(words['add.user'], { exact: true }).fill('admin');
    await here.getByLabel(words['add.password'], { exact: true }).fill('not this one');
    await here.getByRole('button', { name: words['find.addMany_other'].replace('{count}', '2') }).click();
    await here.getByText(words['find.result'].replace('{added}', '0').replace('{failed}', '2')).waitFor();
    await expectNoProblems(other, 'devices-found-refused');
    await here.getByLabel(words['add.password'], { exact: true }).fill(cameras.devices[0]?.password ?? '');
    await here.getByRole('button', { name: words['find.retry'] }).click();
    for (const name of names) {
      await here.getByRole('row', { name, exact: true }).getByText(words['status.online']).waitFor({ timeout: 45_000 });
    }
    // A new search knows them by their address.
    await pane(here).getByRole('button', { name: words['common.close'] }).click();
    await here.getByRole('button', { name: words['devices.add'] }).click();
    await here.getByText(words['find.known']).nth(1).waitFor();
    await here
      .getByRole('checkbox', { name: names[0] ?? '' })
      .and(here.locator(':disabled'))
      .waitFor();
    await goTo(here, words, 'live');
    await here.locator('[data-state=live]').nth(1).waitFor({ timeout: 30_000 });
    expect(other.problems).toEqual([]);
    await other.close();
  });

  it('[DM-01] [VA-10] finds one in an address range and shows its image before it is added', async () => {
    const other = await wizard();
    const { page: here } = other;
    const camera = cameras.devices[2];
    await endpoint(here, 'door.range');
    await here.getByLabel(words['range.segment'].replace('{no}', '1')).focus();
    await here.keyboard.type('127.0.0.1');
    await here.getByRole('combobox', { name: words['range.size'] }).click();
    await here.getByRole('option', { name: words['range.size32'] }).click();
    await here.getByLabel(words['range.ports'], { exact: true }).fill(new URL(camera?.target ?? '').port);
    await here.keyboard.press('Enter');
    await here.getByRole('list', { name: words['find.list'] }).getByRole('checkbox').check();
    await here.getByLabel(words['add.user'], { exact: true }).fill('admin');
    await here.getByLabel(words['add.password'], { exact: true }).fill(camera?.password ?? '');
    await here.getByRole('button', { name: words['find.look'] }).click();
    const name = here.getByLabel(words['add.name'], { exact: true });
    await name.waitFor({ timeout: 30_000 });
    expect(await name.inputValue()).toBe('Camera 0003');
    await waitForFrameChange(here, `:has(> video[aria-label="${words['add.picture']}"])`, 30_000);
    await expectNoProblems(other, 'devices-found-candidate');
    await other.close();
  });

  it('[DM-02] [VA-11] previews a CSV import of several files, adds valid rows, and deletes several devices', async () => {
    const other = await wizard();
    const { page: here } = other;
    const [first, second] = cameras.devices;
    await endpoint(here, 'door.file');
    await drop(here, ['name,address', 'Gate,"192.0.2.1']);
    await here.getByRole('alert').getByText(words['file.bad_quote'].replace('{line}', '2')).waitFor();
    // Seven are refused whole; of two, one that cannot be read is named.
    const row = (one: typeof first) => `${one?.name},${one?.target},,admin,${one?.password}`;
    const north = ['north.csv', ['name,address,port,user,password', row(first), 'Bad <b>,127.0.0.1,99999,,']] as const;
    await dropFiles(
      here,
      Array.from({ length: 7 }, (_, at) => [`${at}.csv`, north[1]] as const),
    );
    await here.getByRole('alert').getByText(words['file.tooMany'].replace('{limit}', '6')).waitFor();
    await dropFiles(here, [north, ['odd.csv', ['name,place', 'Gate,here']]]);
    await here.getByRole('alert').getByText(`odd.csv: ${words['file.bad_unknownColumn']}`).waitFor();
    expect((await operator.ok('device/import/status', {})).import).toBeNull();
    await dropFiles(here, [
      north,
      ['south.csv', ['password;user;address;name', `${second?.password};admin;${second?.target};${second?.name}`]],
      ['twice.csv', ['name,address', `Twice,${first?.target}`]],
    ]);
    const rows = here.getByRole('table', { name: words['file.rows'] });
    for (const place of ['north.csv:2', 'north.csv:3', 'south.csv:2', 'twice.csv:2'])
      await rows.getByRole('cell', { name: place, exact: true }).waitFor();
    await rows.getByText(words['row.invalid']).nth(1).waitFor();
    await expectNoProblems(other, 'devices-csv-dry-run');
    expect((await operator.ok('device/list', { keyWord: 'Camera 000' })).total).toBe(0);
    await here.getByRole('button', { name: words['file.apply_other'].replace('{count}', '2') }).click();
    await rows.getByText(words['row.added'], { exact: true }).nth(1).waitFor({ timeout: 45_000 });
    await here.getByText(words['file.done']).waitFor();
    await pane(here).getByRole('button', { name: words['common.close'] }).click();
    for (const name of names) {
      await here.getByRole('checkbox', { name: words['batch.choose'].replace('{name}', name) }).check();
    }
    const bar = here.getByRole('region', { name: words['batch.label'] });
    await bar.getByText(words['batch.chosen_other'].replace('{count}', '2')).waitFor();
    await expectNoProblems(other, 'devices-chosen');
    await bar.getByRole('button', { name: words['batch.delete'] }).click();
    await here.getByRole('dialog').getByRole('button', { name: words['batch.delete'] }).click();
    for (const name of names) await here.getByRole('row', { name, exact: true }).waitFor({ state: 'detached' });
    expect((await operator.ok('device/list', { keyWord: 'Camera 000' })).total).toBe(0);
    expect(other.problems).toEqual([]);
    await other.close();
  });
});
