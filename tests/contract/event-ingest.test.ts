// Events that other programs send: by a key, with pictures, and by MQTT; each is an alarm of a device its owner may configure.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EVENT_PICTURE } from '@vedette/contract/limits.ts';
import { startBroker } from '../peers/message-sink.ts';
import { waitFor } from '../harness/wait-for.ts';
import { PNG } from './inputs/sample-png.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let guest: CallClient;
let broker: Awaited<ReturnType<typeof startBroker>>;
let camera: string;

beforeAll(async () => {
  [server, broker] = await Promise.all([ServerUnderTest.start(), startBroker()]);
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  camera = (await operator.ok('device/add', { target: 'rtsp://192.0.2.1/1', deviceName: 'Gate' })).device.deviceSerial;
  await operator.ok('user/add', { username: 'guest', password: 'Secret-1', userType: 2 });
  guest = await server.signIn('guest', 'Secret-1');
  const { config, version } = await operator.ok('system/config/get', {});
  const alarms = { ...config.alarms, messageNetworks: ['127.0.0.0/8'] };
  await operator.ok('system/config/set', { config: { ...config, alarms }, version });
});
afterAll(async () => {
  await site?.hangUp();
  await Promise.all([server?.stop(), broker?.stop()]);
});

it('programs send events by a key, for devices that its owner may configure', async () => {
  const { key, token } = await operator.ok('event/key/add', { name: 'Frigate' });
  const program = server.client(token);
  const event = {
    deviceSerial: camera,
    channelNo: 1,
    type: 'HumanShapeDetect',
    key: 'yard',
    data: { score: '0.9' },
  } as const;
  const { alarmId } = await program.ok('event/ingest', { ...event, phase: 'start', eventId: 'e1' });
  expect(await program.ok('event/ingest', { ...event, phase: 'start', eventId: 'e1' })).toEqual({
    alarmId: null,
    isPictureStored: false,
  });
  const [alarm] = (await operator.ok('alarm/list', { types: ['HumanShapeDetect'] })).alarmList;
  expect(alarm).toMatchObject({ alarmId, endTime: null, source: { app: 'Frigate' }, data: { score: '0.9' } });
  await program.ok('event/ingest', { ...event, phase: 'end' });
  expect((await operator.ok('alarm/list', { types: ['HumanShapeDetect'] })).alarmList[0]?.endTime).not.toBeNull();
  const { token: foreign } = await guest.ok('event/key/add', { name: 'Theirs' });
  expect((await server.client(foreign).call('event/ingest', event)).code).toBe(1009);
  for (const wrong of [operator.accessToken, 'vdi_x', null]) {
    expect((await server.client(wrong).call('event/ingest', event)).code).toBe(1001);
  }
  expect((await program.call('alarm/list', {})).code, 'the key is no session').toBe(1001);
  await operator.ok('event/key/delete', { keyId: key.keyId });
  expect((await program.call('event/ingest', event)).code).toBe(1001);
});

it('stores the picture of an event with its alarm, for those alone who may watch recordings of the channel', async () => {
  const { token } = await operator.ok('event/key/add', { name: 'Analyser' });
  const program = server.client(token);
  const event = { deviceSerial: camera, channelNo: 1, type: 'FaceDetect', key: 'gate' } as const;
  const begun = { ...event, phase: 'start' } as const;
  const sent = await program.ok('event/ingest', { ...begun, time: Date.now() - 5000, picture: PNG });
  expect(sent).toEqual({ alarmId: expect.any(String), isPictureStored: true });
  const alarmId = sent.alarmId ?? '';
  const [alarm] = (await operator.ok('alarm/list', { types: ['FaceDetect'] })).alarmList;
  expect(alarm).toMatchObject({ alarmId, pictureTime: alarm?.time });
  const { picture } = await operator.ok('alarm/picture', { alarmId });
  expect(picture).toEqual({ contentType: 'image/png', data: PNG, time: alarm?.time, isTaken: true });
  const items = [{ deviceSerial: camera, channelNo: 1 }];
  const { shareId } = await operator.ok('share/add', { account: 'guest', items, permission: ['alarmPush'] });
  expect((await guest.ok('alarm/picture', { alarmId })).picture).toBeNull();
  await operator.ok('share/delete', { shareId, shareType: 2 });
  // A second picture of the same alarm changes nothing, and what raises no alarm stores none.
  expect(await program.ok('event/ingest', { ...begun, picture: PNG })).toEqual({ alarmId, isPictureStored: false });
  const ended = await program.ok('event/ingest', { ...event, phase: 'end', picture: PNG });
  expect(ended).toEqual({ alarmId: null, isPictureStored: false });
  for (const wrong of ['PHNjcmlwdD4=', `data:image/png;base64,${PNG}`, Buffer.from('GIF89a').toString('base64')]) {
    const answer = await program.call('event/ingest', { ...begun, picture: wrong });
    expect(answer).toMatchObject({ code: 1003, data: { picture: 'format' } });
  }
  const { channelNo: _device, ...ofDevice } = begun;
  const answer = await program.call('event/ingest', { ...ofDevice, picture: PNG });
  expect(answer).toMatchObject({ code: 1003, data: { channelNo: 'required' } });
  expect((await operator.ok('alarm/list', { types: ['FaceDetect'] })).alarmList).toHaveLength(1);
});

it('stores no more pictures than the account may send at once, and each event nevertheless', async () => {
  const program = server.client((await operator.ok('event/key/add', { name: 'Flood' })).token);
  const event = { deviceSerial: camera, channelNo: 1, type: 'PetDetect', phase: 'start', picture: PNG } as const;
  const results = [];
  for (let n = 0; n < EVENT_PICTURE.atOnce + 5; n += 1)
    results.push(await program.ok('event/ingest', { ...event, key: `cat ${n}` }));
  expect(new Set(results.map(({ alarmId }) => alarmId)).size).toBe(results.length);
  expect(results.every(({ alarmId }) => alarmId !== null)).toBe(true);
  const stored = results.filter(({ isPictureStored }) => isPictureStored).length;
  expect(stored).toBeGreaterThan(EVENT_PICTURE.atOnce / 2);
  expect(stored).toBeLessThan(results.length);
});

it('receives Frigate events by MQTT as begin and end of alarms on the mapped camera', async () => {
  const { version } = await operator.ok('event/mqtt/get', {});
  const cameraList = [{ camera: 'front_door', deviceSerial: camera, channelNo: 1 }];
  const mqtt = { url: broker.url, user: 'user', topic: 'frigate', cameraList };
  expect((await guest.call('event/mqtt/set', { mqtt, version })).code).toBe(1004);
  await operator.ok('event/mqtt/set', { mqtt, password: 'pass', version });
  await waitFor('the broker', async () => (await operator.ok('event/mqtt/get', {})).isConnected);
  const id = '1607123955.475377-mxklsc';
  const at = Date.now() / 1000;
  const after = { id, camera: 'front_door', label: 'bus', start_time: at, end_time: null };
  const list = async () => (await operator.ok('alarm/list', { types: ['VehicleDetect'] })).alarmList;
  await broker.tell('frigate/events', { type: 'new', after });
  await waitFor('the alarm', async () => (await list()).length === 1);
  expect((await list())[0]).toMatchObject({ endTime: null, source: { app: 'Frigate' }, data: { label: 'bus' } });
  await broker.tell('frigate/events', { type: 'end', after: { ...after, end_time: at + 4 } });
  await waitFor('its end', async () => (await list())[0]?.endTime === Math.round((at + 4) * 1000));
  expect(JSON.stringify(await operator.ok('event/mqtt/get', {}))).not.toContain('"pass"');
});
