// Tests of double-clicks on windows of playback in a document.
// @vitest-environment happy-dom
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { type RenderedComponent, show } from '../../services/services.fake.tsx';
import { channelsOf, EMPTY_WALL, type PlaybackWall, place, remove, resize } from './playback-wall.ts';
import { useMaximise } from './use-maximise.ts';

let shown: RenderedComponent | null = null;
afterEach(() => shown?.close());

const onFullScreen = vi.fn();
const FOUR = ['A1', 'A2', 'A3'].reduce(
  (wall, deviceSerial) => place(wall, { deviceSerial, channelNo: 1 }),
  resize(EMPTY_WALL, 4),
);

function Wall() {
  const [wall, setWall] = useState<PlaybackWall>(FOUR);
  const maximise = useMaximise(wall, setWall, onFullScreen);
  return (
    <>
      <output>
        {channelsOf(wall)
          .map(({ deviceSerial }) => deviceSerial)
          .join(' ')}
      </output>
      <button type="button" name="second" onClick={() => maximise(wall.split > 1 ? 1 : 0)}>
        double-click
      </button>
      <button type="button" name="one" onClick={() => setWall(resize(wall, 1))}>
        one window
      </button>
      <button type="button" name="remove" onClick={() => setWall(remove(wall, 2))}>
        remove the third
      </button>
    </>
  );
}

it('a window is maximised and goes back; one that stands alone by choice goes to full screen', async () => {
  const page = await show(<Wall />, () => ({ code: 200 }));
  shown = page;
  const cameras = (): string => page.root.querySelector('output')?.textContent ?? '';
  const press = async (name: string): Promise<void> => await page.click(`button[name=${name}]`);
  await press('second');
  expect(cameras()).toBe('A2');
  await press('second');
  expect(cameras()).toBe('A1 A2 A3');
  expect(onFullScreen).not.toHaveBeenCalled();
  await press('remove');
  await press('one');
  expect(cameras()).toBe('A2');
  await press('second');
  expect(cameras(), 'a removed camera does not come back').toBe('A2');
  expect(onFullScreen).toHaveBeenCalledOnce();
});
