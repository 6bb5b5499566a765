// What attributes ask for, right and wrong.
import { expect, it } from 'vitest';
import { readOrder } from './player-order.ts';

const read = (given: Readonly<Record<string, string>>) =>
  readOrder({ getAttribute: (name) => ({ server: 'https://a.example', device: 'D1', ...given })[name] ?? null });

it('needs a server and a device, and takes the first channel live where nothing else is said', () => {
  expect(read({})).toEqual({
    server: 'https://a.example',
    channel: { deviceSerial: 'D1', channelNo: 1 },
    quality: 0,
    at: null,
  });
  expect(read({ server: 'https://a.example:8443/console?x#y' })?.server).toBe('https://a.example:8443');
});

it.each(['1800000000000', '2027-01-15T08:00:00Z', '2027-01-15T09:00:00+01:00'])('plays recordings from %s', (at) => {
  expect(read({ at })?.at).toBe(1_800_000_000_000);
});

it.each([
  { server: '' },
  { server: 'video.example' },
  { server: 'javascript:alert(1)' },
  { device: '' },
  { channel: '0' },
  { channel: '1.5' },
  { channel: 'first' },
  { quality: '3' },
  { quality: '-1' },
  { at: 'yesterday' },
])('asks for nothing by %j', (wrong) => {
  expect(read(wrong)).toBeNull();
});
