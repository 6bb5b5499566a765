// Keys of the inbox act on what the key before them opened or chose, however soon they come: no alarm but that one.
// @vitest-environment happy-dom
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import { act } from 'react';
import { useLocation } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeAlarm } from '../../features/alarm/alarm.fake.ts';
import { useAlarmStore } from '../../realtime/alarm-store.ts';
import { type RenderedComponent, show } from '../../services/services.fake.tsx';
import { useClientState } from '../../session/client-state.ts';
import { useToasts } from '../../ui/feedback/toast-store.ts';
import { AlarmInbox } from './alarm-inbox.tsx';

vi.mock('../../features/alarm/alarm-player.tsx', () => ({ AlarmPlayer: () => null }));
// What is beside the list is not the subject, and a document of its size slow.
vi.mock('./alarm-toolbar.tsx', () => ({ AlarmToolbar: () => null }));

const alarm = (alarmId: string, time: number, type: Alarm['type'] = 'FireAlarm'): Alarm =>
  fakeAlarm({ alarmId, time, type, deviceSerial: alarmId.slice(0, 1) });
const alarmList = ['a', 'b', 'c', 'd'].map((id, index) => alarm(id, 1_000_000 - index));

let shown: RenderedComponent;
let isCut = false;

function Address() {
  return <output>{useLocation().search}</output>;
}

async function open(list: readonly Alarm[] = alarmList): Promise<void> {
  shown = await show(
    <>
      <AlarmInbox views={null} />
      <Address />
    </>,
    (path) => {
      if (path === 'alarm/list') return { code: 200, data: { alarmList: list, next: null } };
      if (path === 'alarm/ack' && isCut) return new Error('no line');
      if (path === 'alarm/ack') return { code: 200, data: { alarmList: [] } };
      return { code: 1000, message: 'not asked here' };
    },
  );
  await vi.waitFor(() => expect(shown.root.querySelector('[role=grid]')).not.toBeNull());
}

beforeEach(() => {
  isCut = false;
  useToasts.setState({ toasts: [] });
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(async () => {
  await shown.close();
  useAlarmStore.setState(useAlarmStore.getInitialState());
});

/** All of them before the page is drawn again. */
async function pressAtOnce(...keys: readonly string[]): Promise<void> {
  await act(async () => {
    for (const key of keys)
      window.dispatchEvent(new KeyboardEvent('keydown', { key, code: key, bubbles: true, cancelable: true }));
  });
}

function address(): string | null | undefined {
  return shown.root.querySelector('output')?.textContent;
}

function acknowledged(): unknown[] {
  return shown.requests.requests.flatMap(({ url }, at) =>
    url.endsWith('alarm/ack') ? [(shown.requests.bodyOf(at) as { alarmIds: unknown }).alarmIds] : [],
  );
}

it('[AL-02] [UI-05] a second key press at once acts on the alarm that the first one opened', async () => {
  await open();
  await pressAtOnce('j');
  expect(address()).toBe('?alarm=a');
  await pressAtOnce('j', 'a');
  expect(acknowledged()).toEqual([['b']]);
  expect(address()).toBe('?alarm=c');
  await pressAtOnce('j', 'k', 'k', 'k', 'j', 'a', 'a');
  expect(acknowledged()).toEqual([['b'], ['b'], ['c']]);
  expect(address()).toBe('?alarm=d');
  await pressAtOnce('k', 'k', 'p');
  const { alarmList: played, alarmIndex, alarmTimeRange } = useClientState.getState();
  expect((played[alarmIndex] as Alarm).alarmId).toBe('b');
  expect(alarmTimeRange).toEqual({ startTime: 999_999, endTime: 1_599_999 });
});

it('[AL-02] the next key acts on the selection of a moment ago', async () => {
  await open();
  await pressAtOnce('j', 'x', 'j', 'x', 'j', 'a');
  expect(acknowledged()).toEqual([['a', 'b']]);
  await pressAtOnce('x', 'x', 'a');
  expect(acknowledged()).toEqual([['a', 'b'], ['c']]);
});

it('[AL-02] an alarm stays open when a newer one of its group becomes the first of its row', async () => {
  const flood = ['f3', 'f2', 'f1'].map((id, index) => alarm(id, 500_000 - index, 'SmokeAlarm'));
  await open([...alarmList, ...flood]);
  await pressAtOnce('j', 'j', 'j', 'j', 'j');
  expect(address()).toBe('?alarm=f3');
  await act(async () => {
    useAlarmStore.setState({ arrived: [{ alarm: alarm('f4', 500_001, 'SmokeAlarm'), no: 1 }] });
  });
  expect(address()).toBe('?alarm=f3');
  expect(shown.root.querySelector('aside')).not.toBeNull();
  await pressAtOnce('k', 'a');
  expect(acknowledged()).toEqual([['d']]);
  await pressAtOnce('a');
  expect(acknowledged()).toEqual([['d'], ['f4', 'f3', 'f2', 'f1']]);
});

it('[AL-02] reports that an alarm could not be acknowledged while the connection is down', async () => {
  await open();
  isCut = true;
  await pressAtOnce('j', 'a');
  await vi.waitFor(() => expect(useToasts.getState().toasts.map(({ tone }) => tone)).toEqual(['error']));
});
