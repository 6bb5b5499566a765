// Notifications of the desktop shell on a real desktop: an alarm that comes behind another window is shown, and a press on it leads there.
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { DesktopShellUnderTest, newHome, VirtualScreen } from '../harness/desktop-shell.ts';
import { NotificationDesktop } from '../harness/notification-desktop.ts';
import { Product } from '../harness/product.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { addAll, startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { ingest } from './alarm-steps.ts';
import { LANGUAGES } from './console-steps.ts';
import { keepKey } from './shell-sign-in.ts';
import { OPERATOR } from './signed-in.ts';

const { words } = LANGUAGES[0];
const ALARMS = `${words['screen.alarms']} · ${words['common.appName']}`;
const LIVE = `${words['screen.live']} · ${words['common.appName']}`;
const LOUD = { plan: null, timeZone: 'UTC', mutedUntil: null, exceptCritical: false, snoozed: [] };
const home = newHome();
const profile = path.join(home.path, 'profile');
let screen: VirtualScreen;
let desktop: NotificationDesktop;
let product: Product;
let cameras: VirtualSite;
let operator: ApiClient;
let shell: DesktopShellUnderTest;
let token: string;
let deviceSerial: string;

const start = () => {
  shell = new DesktopShellUnderTest(screen, home.path, ['--server', product.url, '--profile', profile], desktop.env);
};
/** The page greets the shell again once it is signed in, and shows where it is. */
const signedIn = async () =>
  await waitFor(
    'the sign-in',
    () => shell.told('account/status').length === 2 && shell.of('autoLogin')[0]?.code === 200,
  );
const raise = async (type = 'SmartMotionAlarm') => {
  const eventId = newId();
  await ingest(product, token, { deviceSerial, channelNo: 1, type, eventId, key: eventId });
};
/** A page hears what is raised once its line to the server stands, which nothing outside of it tells: again where none is shown in two seconds. */
const untilShown = async (tell: () => Promise<void>) => {
  const shown = async (): Promise<number> => {
    if (desktop.shown === 0) await tell();
    return desktop.shown;
  };
  await expect.poll(shown, { interval: 2000 }).toBeGreaterThan(0);
};

beforeAll(async () => {
  // One after the other: what has started is ended, also where the other fails.
  screen = await VirtualScreen.start();
  desktop = await NotificationDesktop.start(screen, home.path);
  product = await Product.start();
  cameras = await startVirtualSite(['--cameras', '1']);
  operator = await product.setUp(...OPERATOR);
  // Only what the tests tell: the scene before the camera would go on by itself.
  const { devices } = (await (await fetch(`${cameras.controlUrl}/state`)).json()) as { devices: { serial: string }[] };
  for (const { serial } of devices) {
    const body = JSON.stringify({ watchesScenes: false });
    const answer = await fetch(`${cameras.controlUrl}/devices/${serial}/events`, { method: 'POST', body });
    if (!answer.ok) throw new Error(`the camera answered ${answer.status}`);
  }
  deviceSerial = (await addAll(operator, cameras.devices))[0]?.deviceSerial ?? '';
  ({ token } = await operator.ok('event/key/add', { name: 'Gate software' }));
  start();
  await shell.waitFor('told', 2);
  await shell.stop();
  await keepKey(product, profile);
  start();
  await signedIn();
}, 240_000);

afterAll(async () => {
  await shell?.stop();
  desktop?.stop();
  screen?.stop();
  await product?.stop();
  await cameras?.stop();
  home.remove();
});

it('shows an alarm behind another window, and a press on it raises the window at the alarm', async () => {
  await expect.poll(() => desktop.activeTitle()).toBe(LIVE);
  const closeOther = await desktop.openOther();
  await untilShown(async () => await raise());
  screen.shot('desktop-shell-notification');
  await expect.poll(() => desktop.printed).toContain(words.alarmType_SmartMotionAlarm);
  expect(desktop.activeTitle()).toBe('other program');
  desktop.press();
  await expect.poll(() => desktop.activeTitle()).toBe(ALARMS);
  expect(shell.told('window/raise')).toEqual([{}]);
  screen.shot('desktop-shell-notification-pressed');
  closeOther();
  desktop.dismissAll();
});

it('shows none of what is to be quiet, and the next that is not', async () => {
  await operator.ok('alarm/quiet/set', {
    quiet: { ...LOUD, mutedUntil: Date.now() + 3_600_000, exceptCritical: true },
  });
  // The window asks for quiet hours again after a minute; a new page asks at once.
  await shell.stop();
  start();
  await signedIn();
  await expect.poll(() => desktop.activeTitle()).toBe(LIVE);
  const closeOther = await desktop.openOther();
  const before = desktop.printed.length;
  await untilShown(async () => {
    await raise();
    await raise('FireAlarm');
  });
  const printed = () => desktop.printed.slice(before);
  await expect.poll(printed).toContain(words.alarmType_FireAlarm);
  expect(printed()).not.toContain(words.alarmType_SmartMotionAlarm);
  closeOther();
});
