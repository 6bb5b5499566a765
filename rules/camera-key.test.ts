// Tests of the text that names a camera: both ways, and what an empty choice means.
import { expect, it } from 'vitest';
import { cameraKey, cameraOfKey } from './camera-key.ts';

it('a camera is named by its device and channel, and read back', () => {
  const gate = { deviceSerial: 'GATE01', channelNo: 12 };
  expect(cameraKey(gate)).toBe('GATE01:12');
  expect(cameraOfKey(cameraKey(gate))).toEqual(gate);
});

it('a device alone is its first channel, and no choice is no device', () => {
  expect(cameraOfKey('GATE01')).toEqual({ deviceSerial: 'GATE01', channelNo: 1 });
  expect(cameraOfKey('')).toEqual({ deviceSerial: '', channelNo: 1 });
});
