// Tests of the stream list in a document: a camera that makes no keyframes on request is not offered for it again.
// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { type RenderedComponent, show } from '../../services/services.fake.tsx';
import { StreamList } from './stream-list.tsx';

let shown: RenderedComponent | null = null;
afterEach(() => shown?.close());

const stream = { quality: 0, codec: 'h264', width: 1280, height: 720, fps: 20, kbps: 900 };
const streamList = [stream, { ...stream, quality: 1 }];

const buttons = (page: RenderedComponent) => page.root.querySelectorAll('button').length;
const untilButtons = (page: RenderedComponent, count: number) =>
  act(() => vi.waitFor(() => expect(buttons(page)).toBe(count)));

async function listWith(code: number): Promise<RenderedComponent> {
  shown = await show(<StreamList deviceSerial="A1" channelNo={1} />, (path) => {
    if (path === 'stream/list') return { code: 200, data: { total: 2, streamList } };
    if (path === 'nat/factor') return { code: 200, data: { timestamp: 0, mode: 0, factor: 0, devKey: '' } };
    return { code, data: code === 200 ? {} : null };
  });
  await untilButtons(shown, 2);
  return shown;
}

it('takes the buttons for keyframes away where the camera cannot make one on request', async () => {
  const page = await listWith(1006);
  await page.click('button');
  await untilButtons(page, 0);
});

it('keeps them where it can, or did not answer', async () => {
  for (const code of [200, 2317]) {
    const page = await listWith(code);
    const asked = () => page.requests.requests.filter(({ url }) => url.endsWith('keyframe/invoke')).length;
    await page.click('button');
    await act(() => vi.waitFor(() => expect(asked()).toBe(1)));
    expect(buttons(page)).toBe(2);
    await page.close();
  }
});
