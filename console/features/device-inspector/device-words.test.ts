// Words of devices for numbers that this version knows, and for those it does not.
import { Channel, Device } from '@vedette/contract/entities.ts';
import { CHANNEL_TYPE, DEVICE_STATUS, DEVICE_TYPE } from '@vedette/contract/enumerations.ts';
import { pack as en } from '@vedette/phrases/en/pack.ts';
import { translator } from '@vedette/phrases/translate.ts';
import { pack as zh } from '@vedette/phrases/zh-CN/pack.ts';
import { expect, it } from 'vitest';
import { channelTypeText, deviceTone, deviceTypeText, statusText } from './device-words.ts';

const [english, chinese] = [translator('en', en), translator('zh-CN', zh)];

it('[EN-04] a type or status outside its table is taken, and shown as unknown', () => {
  const { deviceType, status } = Device.pick({ deviceType: true, status: true }).parse({ deviceType: 99, status: 7 });
  expect([deviceTypeText(english, deviceType), statusText(english, status)]).toEqual(['Unknown', 'Unknown']);
  expect([deviceTypeText(chinese, deviceType), statusText(chinese, status)]).toEqual(['未知', '未知']);
  expect(deviceTone(status)).toBe('unknown');
  const known = [deviceTypeText(english, DEVICE_TYPE.NVR), statusText(english, DEVICE_STATUS.offline)];
  expect(known).not.toContain('Unknown');
});

it('[EN-04] a channel type outside its table is taken, and shown as unknown', () => {
  const { channelType } = Channel.pick({ channelType: true }).parse({ channelType: 99 });
  expect([channelTypeText(english, channelType), channelTypeText(chinese, channelType)]).toEqual(['Unknown', '未知']);
  expect(channelTypeText(english, CHANNEL_TYPE.radar)).toBe('Radar');
});
