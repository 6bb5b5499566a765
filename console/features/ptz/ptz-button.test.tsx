// Tests of the PTZ button in a document: a channel has it where it says that it can be moved, and nowhere else.
// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type RenderedComponent, show } from '../../services/services.fake.tsx';
import { useCapabilities } from '../live/channel/capabilities.query.ts';
import { PtzButton } from './ptz-button.tsx';

let shown: RenderedComponent | null = null;
afterEach(() => shown?.close());

const CHANNEL = { deviceSerial: 'A1', channelNo: 2 };

/** Shows the answer once it is there, so that a missing button is missing because of it. */
function Answer() {
  return <output>{useCapabilities(CHANNEL, true).join(' ')}</output>;
}

async function button(words: string): Promise<Element | null> {
  const drawn = (
    <>
      <PtzButton channel={CHANNEL} isStop isEngaged />
      <Answer />
    </>
  );
  const page = await show(drawn, () => ({
    code: 200,
    data: { mediaCapacity: { supportCdn: false, supportLive: true }, capabilities: words.split(' ') },
  }));
  shown = page;
  await act(() => vi.waitFor(() => expect(page.root.querySelector('output')?.textContent).toBe(words)));
  expect(page.requests.bodyOf(0)).toEqual(CHANNEL);
  return page.root.querySelector('button');
}

describe('[DM-05] PTZ', () => {
  it.each(['ptz', 'zoom', 'talk focus'])('is offered for a channel with %s', async (words) => {
    expect(await button(words)).not.toBeNull();
  });

  it.each(['talk', 'reboot upgrade'])('is not offered for a channel with %s', async (words) => {
    expect(await button(words)).toBeNull();
  });
});
