// Tests of the menu of a row: how it is asked for, and that it offers what the caller may do.
// @vitest-environment happy-dom
import type { Device } from '@vedette/contract/entities.ts';
import { pack } from '@vedette/phrases/en/pack.ts';
import { act } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type RenderedComponent, show } from '../../services/services.fake.tsx';
import { DeviceMenu } from './device-menu.tsx';

let shown: RenderedComponent | null = null;
beforeEach(() => {
  // happy-dom lays nothing out: the menu's focus trap finds nothing visible, and prints the whole element.
  vi.spyOn(console, 'warn').mockReturnValue();
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await shown?.close();
});

const device = (permission: readonly string[]) =>
  ({ deviceSerial: 'A1', deviceName: 'Gate', keySerial: 'A1', channelNo: 1, permission }) as Device;

async function table(
  permission: readonly string[],
  onDetails = vi.fn(),
  shownDevice = device(permission),
): Promise<HTMLElement> {
  shown = await show(
    <>
      <table>
        <tbody>
          <tr data-row="A1">
            <td>Gate</td>
          </tr>
          <tr data-row="B2">
            <td>Elsewhere</td>
          </tr>
        </tbody>
      </table>
      <DeviceMenu devices={[shownDevice]} onDetails={onDetails} onDeleted={vi.fn()} />
    </>,
    () => ({ code: 200 }),
  );
  return shown.root;
}

/** Without their keys. */
const entries = (): (string | undefined)[] =>
  [...document.querySelectorAll('[role=menuitem]')].map((one) => one.textContent.replace('Enter', ''));

async function ask(root: HTMLElement, row: string): Promise<Event> {
  const event = new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 5, clientY: 5 });
  await act(async () => root.querySelector(`[data-row=${row}] td`)?.dispatchEvent(event));
  return event;
}

it('offers what the rights allow, and opens the details', async () => {
  const onDetails = vi.fn();
  const root = await table(['Realplay', 'Replay', 'Config', 'DeviceManage'], onDetails);
  expect((await ask(root, 'A1')).defaultPrevented).toBe(true);
  await expect
    .poll(entries)
    .toEqual([
      pack['live.deviceDetails'],
      pack['devices.watchLive'],
      pack['replay.start'],
      pack['live.playBack'],
      pack['config.open'],
      pack['devices.deleteConfirm'],
    ]);
  await act(async () => document.querySelector<HTMLElement>('[role=menuitem]')?.click());
  expect(onDetails).toHaveBeenCalledWith('A1');
});

it('offers a recorder of several channels nothing that one camera alone can do', async () => {
  const { channelNo: _one, ...recorder } = device(['Realplay', 'Replay', 'PtzControl', 'Talk']);
  const root = await table(recorder.permission, vi.fn(), { ...recorder, channelNo: null, channelTotal: 4 });
  await ask(root, 'A1');
  await expect.poll(entries).toEqual([pack['live.deviceDetails'], pack['devices.watchLive'], pack['live.playBack']]);
});

it('offers a viewer the live video alone, and leaves what is no row to the browser', async () => {
  const root = await table(['Realplay']);
  expect((await ask(root, 'B2')).defaultPrevented).toBe(false);
  expect(entries()).toEqual([]);
  await ask(root, 'A1');
  await expect.poll(entries).toEqual([pack['live.deviceDetails'], pack['devices.watchLive']]);
});

it.each([
  ['a finger that rests opens it', 0, true],
  ['a finger that moves on does not', 30, false],
])('%s', async (_what, moved, isOpened) => {
  const root = await table(['Realplay']);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const cell = root.querySelector('[data-row=A1] td');
  const place = { bubbles: true, pointerType: 'touch', isPrimary: true, clientY: 5 };
  cell?.dispatchEvent(new PointerEvent('pointerdown', { ...place, clientX: 5 }));
  cell?.dispatchEvent(new PointerEvent('pointermove', { ...place, clientX: 5 + moved }));
  await act(async () => vi.advanceTimersByTime(600));
  const end = new Event('touchend', { bubbles: true, cancelable: true });
  cell?.dispatchEvent(end);
  // The click that would follow would close the menu again.
  expect(end.defaultPrevented).toBe(isOpened);
  vi.useRealTimers();
  await expect.poll(() => entries().length > 0).toBe(isOpened);
});
