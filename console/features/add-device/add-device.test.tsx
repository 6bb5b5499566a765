// Tests of adding a device in a document: probe, its failures, the candidate, adding.
// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pack as en } from '@vedette/phrases/en/pack.ts';
import { type RenderedComponent, show } from '../../services/services.fake.tsx';
import { AddDevice } from './add-device.tsx';

let shown: RenderedComponent | null = null;
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

beforeEach(() => localStorage.setItem('vedette.addDoor', 'address'));

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
    expect(page.root.textContent).toContain(en['warning.clockOffset']);
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
    [2316, { reason: 'deviceAuth' }, en.reason_deviceAuth],
    [2317, { reason: 'timeout' }, en.reason_timeout],
    [2316, { reason: 'noVideo' }, en.reason_noVideo],
    [2316, { reason: 'wrongProtocol' }, en.reason_wrongProtocol],
    [2316, { reason: 'refusedAddress' }, en.reason_refusedAddress],
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
    expect(page.root.querySelector('[role=alert]')?.textContent).toBe(en.errCode_2024);
  });
});

describe('the other tabs', () => {
  const FOUND = { driver: 'onvif', endpoint: '', deviceModel: 'C2', deviceSerial: null };
  const device = (no: number) => ({
    ...FOUND,
    target: `http://192.0.2.${no}/onvif/device_service`,
    address: `192.0.2.${no}`,
    deviceName: `Camera ${no}`,
  });
  const known = { ...device(3), deviceSerial: 'A3' };
  const scan = { scanId: 's', version: 3, isDone: true, checked: 0, total: 0 };

  async function open(tab: string, answer: Parameters<typeof show>[1]) {
    localStorage.setItem('vedette.addDoor', tab);
    const organizations = [{ value: '0', label: 'Top level' }];
    shown = await show(
      <AddDevice organizations={organizations} organizationId="0" onClose={vi.fn()} onAdded={vi.fn()} />,
      answer,
    );
    return shown;
  }
  const boxes = (root: HTMLElement) => [...root.querySelectorAll<HTMLInputElement>('li input[type=checkbox]')];

  it('[DM-01] [DM-02] marks found devices that exist already, and shows the result of each addition', async () => {
    const page = await open('network', (path, body) => {
      if (path === 'device/discover') {
        return { code: 200, data: { ...scan, candidateList: [device(1), device(2), known] } };
      }
      const { target } = body as { target: string };
      return target.includes('192.0.2.1') ? { code: 2316, data: { reason: 'deviceAuth' } } : { code: 200, data: {} };
    });
    expect(boxes(page.root).map(({ disabled }) => disabled)).toEqual([false, false, true]);
    expect(page.root.textContent).toContain(en['find.known']);
    // The box above the list chooses those that can be added.
    await page.click('input[type=checkbox]');
    await page.click('footer button');
    await vi.waitFor(() => expect(page.root.textContent).toContain('1 added, 1 failed'));
    expect(page.root.textContent).toContain(en.reason_deviceAuth);
    expect(page.root.querySelector('footer button')?.textContent).toBe(en['find.retry']);
    const asked = page.requests.requests.filter(({ url }) => url.endsWith('device/add'));
    expect(asked).toHaveLength(2);
  });

  it('[VA-10] [DM-01] clamps the parts of an address, and asks nothing before it is whole', async () => {
    const page = await open('range', () => ({ code: 1003, data: { scope: 'notAllowed' } }));
    await page.click('footer button');
    expect(page.requests.requests.filter(({ url }) => url.includes('device/'))).toHaveLength(0);
    expect(page.root.textContent).toContain('all four parts');
    for (const [at, part] of ['10', '1', '2', '300'].entries()) {
      await page.type(`[role=group] span:nth-of-type(${at + 1}) > input`, part);
    }
    await page.click('footer button');
    const asked = page.requests.requests.findIndex(({ url }) => url.endsWith('device/discover'));
    expect(page.requests.bodyOf(asked)).toMatchObject({ scope: '10.1.2.255/24' });
    expect(page.root.querySelector('[role=alert]')?.textContent).toContain('may not be searched');
  });

  it('[VA-04] [VA-05] validates serial and code, and reports that no such device is waiting', async () => {
    const page = await open('serial', () => ({ code: 1009 }));
    const fields = () => [...page.root.querySelectorAll<HTMLInputElement>('form input')];
    await page.click(submit);
    expect(page.requests.requests).toHaveLength(0);
    for (const [at, text] of ['VD0001', 'ABCDE-FGHIJ-KLMNO-PQRST-UVWXY', 'Gate'].entries()) {
      fields()[at]?.setAttribute('data-no', String(at));
      await page.type(`[data-no="${at}"]`, text);
    }
    await page.click(submit);
    expect(page.requests.bodyOf(0)).toMatchObject({
      deviceSerial: 'VD0001',
      registrationCode: 'ABCDEFGHIJKLMNOPQRSTUVWXY',
    });
    expect(page.root.querySelector('[role=alert]')?.textContent).toContain('waiting to be added');
  });
});
