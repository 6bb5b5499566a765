// What devices say of themselves, and what they are taken for.
import { expect, it } from 'vitest';
import { deviceKind } from './device-kind.ts';

const CAMERA = 0;
const RECORDER = 1;
const AI_BOX = 8;
const ACCESS_CONTROL = 12;
const RADAR = 13;

it.each([
  ['a camera', 'P3245-LV', { type: ['video_encoder', 'ptz'], profile: ['Streaming', 'T'] }, CAMERA],
  ['a camera with analytics', 'IPC-B2', { type: ['Network_Video_Transmitter', 'video_analytics'] }, CAMERA],
  ['a camera that works with a radar', 'Radar-Cam 2', { type: ['video_encoder'], hardware: ['radar-cam'] }, CAMERA],
  ['a door station with a camera', 'DS-KV', { type: ['video_encoder'], profile: ['Streaming', 'C'] }, CAMERA],
  ['a recorder', 'VD-R4', { type: ['Network_Video_Storage'], hardware: ['DS-7608NI NVR'] }, RECORDER],
  ['a recorder by its model', 'NVR4104', {}, RECORDER],
  ['a radar', 'D2110-VE', { type: ['radar'], profile: ['Streaming'] }, RADAR],
  ['a door controller by its profiles', 'A1001', { profile: ['C', 'A'] }, ACCESS_CONTROL],
  ['a door controller by its word', 'VD-A1', { type: ['access_control'], profile: ['Streaming'] }, ACCESS_CONTROL],
  ['an AI box', 'VD-B4', { type: ['video_encoder'], hardware: ['AI-Box-4'] }, AI_BOX],
  ['one that says nothing', '', {}, CAMERA],
])('%s', (_, model, scopes, kind) => {
  expect(deviceKind({ model, scopes: new Map(Object.entries(scopes)) })).toBe(kind);
});
