// Notifications on the desktop: which alarms get one, when none is shown, and where a click leads.
// @vitest-environment happy-dom
import { act } from 'react';
import { useLocation } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import type { AlarmSuppression } from '@vedette/contract/calls/alarm-rule.ts';
import { connectShell } from '../../bridge/native-shell.ts';
import { forgetAlarms, takeAlarm } from '../../realtime/alarm-store.ts';
import { type RenderedComponent, show } from '../../services/services.fake.tsx';
import { useAuth } from '../../session/auth-store.ts';
import { fakeAlarm } from '../alarm/alarm.fake.ts';
import { AlarmNotifications } from './alarm-notifications.tsx';
import { setNotifications } from './notification-switch.ts';

const LOUD = { plan: null, timeZone: 'UTC', mutedUntil: null, exceptCritical: false, snoozed: [] };

class FakeNotification extends EventTarget {
  static permission = 'granted';
  static readonly made: FakeNotification[] = [];
  readonly title: string;
  readonly options: NotificationOptions;
  isClosed = false;

  constructor(title: string, options: NotificationOptions) {
    super();
    this.title = title;
    this.options = options;
    FakeNotification.made.push(this);
  }

  close(): void {
    this.isClosed = true;
    this.dispatchEvent(new Event('close'));
  }
}

let shown: RenderedComponent | null = null;
let quiet: AlarmSuppression;
let isFocused: boolean;
let locks: readonly { readonly name: string }[];
const tell = vi.fn();

beforeEach(() => {
  [quiet, isFocused, locks] = [LOUD, false, []];
  FakeNotification.permission = 'granted';
  FakeNotification.made.length = 0;
  tell.mockClear();
  vi.stubGlobal('Notification', FakeNotification);
  vi.spyOn(document, 'hasFocus').mockImplementation(() => isFocused);
  const query = async () => ({ held: locks });
  Object.defineProperty(navigator, 'locks', { value: { query, request: vi.fn() }, configurable: true });
  connectTo(['window/raise']);
  useAuth.setState({ accessToken: 'T', userId: 'U' });
  setNotifications(true);
});

afterEach(async () => {
  await shown?.close();
  shown = null;
  forgetAlarms();
  connectShell(null);
  useAuth.setState({ accessToken: '', userId: '' });
});

function connectTo(topics: readonly string[]): void {
  connectShell({ tell, isNamed: (topic: string) => topics.includes(topic) } as never);
}

function Address() {
  const { pathname, search } = useLocation();
  return <output>{pathname + search}</output>;
}

async function begin(): Promise<void> {
  const all = (
    <>
      <AlarmNotifications />
      <Address />
    </>
  );
  shown = await show(all, () => ({ code: 200, data: { quiet } }));
}

/** All in one push, and all that follows from it. */
async function arrive(alarms: readonly Partial<Alarm>[]): Promise<void> {
  vi.useFakeTimers();
  await act(async () => {
    for (const alarm of alarms) takeAlarm(fakeAlarm(alarm), true);
    await vi.advanceTimersByTimeAsync(1000);
  });
  vi.useRealTimers();
}

const titles = () => FakeNotification.made.map(({ title }) => title);

it('shows an alarm with its place, and a click raises the window and opens it', async () => {
  await begin();
  await arrive([{ alarmId: 'a1', severity: 'major' }]);
  await expect.poll(titles).toEqual(['Fire']);
  const [notification] = FakeNotification.made;
  expect(notification?.options).toMatchObject({ body: 'Gate', tag: 'a1', requireInteraction: false });
  const focus = vi.spyOn(window, 'focus').mockImplementation(() => undefined);
  act(() => void notification?.dispatchEvent(new Event('click')));
  expect(focus).toHaveBeenCalledOnce();
  expect(tell).toHaveBeenCalledWith('window/raise', {});
  expect(notification?.isClosed).toBe(true);
  expect(document.querySelector('output')?.textContent).toBe('/homepage/alarmMsg?alarm=a1');
});

it('counts what comes beyond three, and takes all away with the session', async () => {
  await begin();
  await arrive(['a1', 'a2', 'a3', 'a4', 'a5'].map((alarmId) => ({ alarmId })));
  await expect.poll(titles).toEqual(['Fire', 'Fire', 'Fire', '2 more alarms']);
  act(() => useAuth.setState({ accessToken: '', userId: '' }));
  expect(FakeNotification.made.map(({ isClosed }) => isClosed)).toEqual([true, true, true, true]);
});

const quieted: Partial<Alarm> = { alarmId: 'a1', severity: 'major' };

it.each<[string, () => void, Partial<Alarm>]>([
  ['this window has the focus', () => void (isFocused = true), quieted],
  ['another window of the console has it', () => void (locks = [{ name: 'vedette.focused' }]), quieted],
  ['it is only information', () => undefined, { ...quieted, severity: 'info' }],
  ['quiet hours last', () => void (quiet = { ...LOUD, mutedUntil: 8e15 }), quieted],
  [
    'it is snoozed',
    () => void (quiet = { ...LOUD, snoozed: [{ deviceSerial: 'A1', type: 'FireAlarm', until: 8e15 }] }),
    quieted,
  ],
  ['the user switched them off', () => setNotifications(false), quieted],
  ['the permission is missing', () => void (FakeNotification.permission = 'denied'), quieted],
  ['the shell cannot bring the window to the front', () => connectTo([]), quieted],
])('shows none where %s', async (_why, arrange, alarm) => {
  arrange();
  await begin();
  await arrive([alarm]);
  expect(titles()).toEqual([]);
});

it('shows critical alarms in quiet hours that let them through', async () => {
  quiet = { ...LOUD, mutedUntil: 8e15, exceptCritical: true };
  await begin();
  await arrive([quieted, { alarmId: 'a2', severity: 'critical' }]);
  await expect.poll(() => FakeNotification.made.map(({ options }) => options.tag)).toEqual(['a2']);
});
