// What the native shell is told of presets: 1 where a change succeeded, 0 where it failed, nothing of a visit.
// @vitest-environment happy-dom
import { act, useEffect } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { sendToShell } from '../../bridge/native-shell.ts';
import { type RenderedComponent, show } from '../../services/services.fake.tsx';
import { usePresetChange } from './preset.query.ts';

vi.mock('../../bridge/native-shell.ts', () => ({ sendToShell: vi.fn() }));

const channel = { deviceSerial: 'A1', channelNo: 1 } as Parameters<typeof usePresetChange>[1];
let shown: RenderedComponent;
let changes: Readonly<Record<string, { mutateAsync(input: never): Promise<unknown> }>>;

function Changes() {
  const now = {
    add: usePresetChange('preset/add', channel),
    edit: usePresetChange('preset/update', channel),
    delete: usePresetChange('preset/delete', channel),
    visit: usePresetChange('preset/goto', channel),
  };
  useEffect(() => {
    changes = now;
  });
  return null;
}

afterEach(async () => {
  await shown.close();
  vi.clearAllMocks();
});

const inputs = { add: { name: 'Gate' }, edit: { presetIndex: 1, name: 'Gate' }, delete: { presetIndex: 1 } };

it.each(Object.entries(inputs))('[ST-09] %s tells 1 on success and 0 on failure', async (change, input) => {
  let code = 200;
  shown = await show(<Changes />, () => ({ code, data: { presetIndex: 1 } }));
  const run = () => act(async () => void (await changes[change]?.mutateAsync(input as never).catch(() => null)));
  await run();
  code = 2316;
  await run();
  expect(vi.mocked(sendToShell).mock.calls).toEqual([
    ['preset/result', { result: 1 }],
    ['preset/result', { result: 0 }],
  ]);
});

it('[ST-09] a visit tells nothing', async () => {
  shown = await show(<Changes />, () => ({ code: 200, data: {} }));
  await act(async () => void (await changes['visit']?.mutateAsync({ presetIndex: 1 } as never)));
  expect(sendToShell).not.toHaveBeenCalled();
});
