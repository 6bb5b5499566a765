// The state of the broker above its settings: whether it is connected, its last event, and how many of its messages were dropped.
// @vitest-environment happy-dom
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import { afterEach, expect, it, vi } from 'vitest';
import { type RenderedComponent, show } from '../../services/services.fake.tsx';
import { FrigatePart } from './frigate-form.tsx';

type State = CallOutput<'event/mqtt/get'>;

let shown: RenderedComponent | undefined;
afterEach(async () => {
  await shown?.close();
});

async function stateText(part: Partial<State>): Promise<string> {
  const state: State = {
    mqtt: { url: 'mqtt://192.0.2.7:1883', user: '', topic: 'frigate', cameraList: [] },
    hasPassword: false,
    version: 1,
    isConnected: true,
    lastTime: null,
    problem: '',
    droppedCount: 0,
    ...part,
  };
  const answers: Record<string, object> = { 'event/mqtt/get': state, 'device/list': { deviceList: [], total: 0 } };
  shown = await show(<FrigatePart />, (path) => ({ code: 200, data: answers[path] ?? {} }));
  return await vi.waitFor(() => {
    const status = shown?.root.querySelector('[data-mqtt]');
    if (!status) throw new Error('no state yet');
    return status.textContent ?? '';
  });
}

it('says how many messages of the broker were dropped', async () => {
  expect(await stateText({ droppedCount: 1 })).toContain('1 message dropped');
  await shown?.close();
  expect(await stateText({ droppedCount: 12_000 })).toMatch(/12,?000 messages dropped/);
});

it('says nothing of dropped messages while none was', async () => {
  expect(await stateText({})).not.toContain('dropped');
});
