// Tests of adding a device in a document: probe, its failures, the candidate, adding.
// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Shown, show } from '../../services/services.fake.tsx';
import { AddDevice } from './add-device.tsx';

let shown: Shown | null = null;
afterEach(() => shown?.close());

const candidate = {
  driver: 'onvif',
  deviceSerial: 'A1',
  deviceName: 'Back <b>Yard',
  deviceType: 0,
  deviceModel: 'C2',
  deviceVersion: '1',
  manufacturer: 'Acme',
  address: '192.168.1.9',
  channelList: [{ channelNo: 1, channelName: 'One', streamList: [] }],
  warnings: ['clockOffset'],
  snapshotUrl: '/media/snapshot/x',
  liveTicket: null,
};
const target = 'input[inputmode=url]';
const submit = 'footer button[type=submit]';

async function wizard(answer: Parameters<typeof show>[1]) {
  const onAdded = vi.fn();
  const organizations = [{ value: '0', label: 'Top level' }];
  shown = await show(
    <AddDevice organizations={organizations} organizationId="0" onClose={vi.fn()} onAdded={onAdded} />,
    answer,
  );
  await shown.type(target, '192.168.1.9');
  await shown.click(submit);
  return { shown, onAdded };
}

describe('[DM-01] adding by address', () => {
  it('shows the candidate with its picture and adds it under a clean name', async () => {
    const { shown: page, onAdded } = await wizard((path) =>
      path === 'device/probe'
        ? { code: 200, data: { candidate } }
        : { code: 200, data: { device: { deviceSerial: 'A1', deviceName: 'Back bYard' } } },
    );
    expect(page.root.querySelector('img')?.getAttribute('src')).toBe('/media/snapshot/x');
    expect(page.root.textContent).toContain('clock of the device is off');
    await page.click(submit);
    const at = page.requests.requests.findIndex(({ url }) => url.endsWith('device/add'));
    expect(page.requests.bodyOf(at)).toMatchObject({
      target: '192.168.1.9',
      deviceName: 'Back bYard',
      organizationId: '0',
    });
    expect(onAdded).toHaveBeenCalledWith('A1');
  });

  it.each([
    [2316, { reason: 'deviceAuth' }, 'user name or password'],
    [2317, { reason: 'timeout' }, 'did not answer in time'],
    [2316, { reason: 'noVideo' }, 'no video'],
    [2316, { reason: 'wrongProtocol' }, 'does not speak ONVIF or RTSP'],
    [2316, { reason: 'refusedAddress' }, 'may not be used for cameras'],
  ])('says why a device was not found: %i %j', async (code, data, sentence) => {
    const { shown: page } = await wizard(() => ({ code, data }));
    expect(page.root.querySelector('[role=alert]')?.textContent).toContain(sentence);
    expect(page.root.querySelector(target)).not.toBeNull();
  });

  it('[DM-02] says that the device was added already', async () => {
    const { shown: page } = await wizard((path) =>
      path === 'device/probe' ? { code: 200, data: { candidate } } : { code: 2024 },
    );
    await page.click(submit);
    expect(page.root.querySelector('[role=alert]')?.textContent).toBe('You have added this device already.');
  });
});
