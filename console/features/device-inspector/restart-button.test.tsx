// Tests of the button that restarts a device, in a document: it is there where the device says so, and nowhere else.
// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type RenderedComponent, show } from '../../services/services.fake.tsx';
import { useDeviceCapabilities } from './device-capacity.query.ts';
import { RestartButton } from './restart-button.tsx';

let shown: RenderedComponent | null = null;
afterEach(() => shown?.close());

/** Shows the answer once it is there, so that a missing button is missing because of it. */
function Answer() {
  return <output>{useDeviceCapabilities(['A1'])[0]?.join(' ')}</output>;
}

async function button(words: string) {
  const drawn = (
    <>
      <RestartButton device={{ deviceSerial: 'A1', deviceName: 'Gate' }} />
      <Answer />
    </>
  );
  const page = await show(drawn, () => ({ code: 200, data: { capabilities: words.split(' ') } }));
  shown = page;
  const asked = (path: string) => page.requests.requests.filter(({ url }) => url.endsWith(path)).length;
  await act(() => vi.waitFor(() => expect(page.root.querySelector('output')?.textContent).toBe(words)));
  return { page, asked };
}

describe('[DM-05] restarting', () => {
  it('is offered for a device that says it can, and asks before it does', async () => {
    const { page, asked } = await button('reboot upgrade');
    await page.click('button[aria-label=Restart]');
    expect(asked('device/reboot')).toBe(0);
    expect(document.body.textContent).toContain('Restart Gate?');
    const confirm = [...document.querySelectorAll('button')].find((one) => one.textContent === 'Restart');
    await act(async () => confirm?.click());
    expect(asked('device/reboot')).toBe(1);
  });

  it('is not offered for a device that says it cannot', async () => {
    const { page } = await button('upgrade');
    expect(page.root.querySelector('button')).toBeNull();
  });
});
