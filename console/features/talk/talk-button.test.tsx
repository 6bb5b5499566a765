// Tests of the talk button: it stands where the camera has a loudspeaker, and its device is asked once the tile is used.
// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import { type RenderedComponent, show } from '../../services/services.fake.tsx';
import { TalkButton } from './talk-button.tsx';

let shown: RenderedComponent | null = null;
afterEach(async () => shown?.close());

const channel = { deviceSerial: 'A1', channelNo: 1 };
const able =
  (...capabilities: string[]) =>
  () => ({
    code: 200,
    data: { mediaCapacity: { supportCdn: false, supportLive: true }, capabilities },
  });
const button = (): Element | null => document.querySelector('button');

it('stands where the camera has a loudspeaker', async () => {
  shown = await show(<TalkButton channel={channel} isStop={false} isEngaged />, able('snapshot', 'talk'));
  await expect.poll(button).not.toBeNull();
});

it('is not there for a camera without one', async () => {
  shown = await show(<TalkButton channel={channel} isStop isEngaged />, able('snapshot', 'ptz'));
  await expect.poll(() => shown?.requests.requests.length).toBe(1);
  expect(button()).toBeNull();
});

it('asks nothing before the pointer or the focus was on the tile', async () => {
  shown = await show(<TalkButton channel={channel} isStop={false} isEngaged={false} />, able('talk'));
  expect(shown.requests.requests).toEqual([]);
  expect(button()).toBeNull();
});
