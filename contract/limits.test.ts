// The constants of the specification's section 9 and the codes of its section 8.
import { expect, it } from 'vitest';
import { calls } from './calls.ts';
import { ERROR_CODES, errorName, SESSION_ENDING_CODES, SUCCESS } from './errors.ts';
import * as limits from './limits.ts';
import { PERMISSION_PAGES, SHARE_PERMISSIONS } from './permissions.ts';

it('[LM-01] message, notification and toast durations', () => {
  expect(limits.MESSAGE_MS).toEqual({ short: 1000, middle: 2000, long: 3000 });
  expect(limits.NOTIFICATION).toEqual({ durationMs: 4500, gapPx: 16 });
  expect(limits.TOAST).toEqual({ durationMs: 3000, topPx: 20 });
});

it('[LM-05] all day and the days of the week', () => {
  expect(limits.ALL_DAY).toEqual({ start: '00:00', end: '24:00', startFull: '00:00:00', endFull: '23:59:59' });
  expect([...limits.WEEK_DAYS, limits.HOLIDAY_ROW]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

it('[LM-06] [CA-05] page sizes and chunk sizes, used as defaults by the lists', () => {
  expect(limits.PAGE_SIZE).toMatchObject({
    organizations: 100,
    presets: 100,
    roles: 100,
    shares: 100,
    channelBatch: 100,
    allResources: 1000,
    nat: 1000,
    organizationDevices: 30,
    channels: 20,
    subOrganizationResources: 20,
    groups: 16,
    shareDevices: 10,
  });
  expect(limits.DEVICE_BATCH_CHUNK).toBe(100);
  expect(calls['org/list'].input.parse({}).pageSize).toBe(100);
  expect(calls['org/device/list'].input.parse({ organizationId: '7' }).pageSize).toBe(30);
  expect(calls['org/resource/list'].input.parse({}).pageSize).toBe(1000);
  expect(calls['org/resource/sub'].input.parse({ organizationId: '7' })).toMatchObject({
    pageStart: 0,
    pageSize: 20,
    deviceName: '',
    queryMode: 0,
  });
  expect(calls['channel/list'].input.parse({ deviceSerial: 'A1' }).pageSize).toBe(20);
  expect(calls['share/device/list'].input.parse({}).pageSize).toBe(10);
});

it('[LM-07] [LM-02] playback window and split default', () => {
  expect(limits.PLAYBACK_WINDOW_S).toBe(600);
  expect(limits.SPLIT_WINDOW_DEFAULT).toBe(4);
});

it('[ER-01] codes by number and name, none used twice', () => {
  expect(SUCCESS).toBe(200);
  expect(ERROR_CODES).toMatchObject({
    success: 200,
    serverInternalError: 1000,
    functionNotSupported: 1006,
    ownership: 1008,
    devNotExist: 1009,
    untransferSelf: 1437,
    userPWDIncorrect: 2004,
    exitDev: 2024,
    exitShareDev: 2029,
    userLocked: 2031,
    twofactorAuth: 2076,
    devInternalErr: 2316,
    devResponseTimeOut: 2317,
  });
  const numbers = Object.values(ERROR_CODES);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(errorName(2316)).toBe('devInternalErr');
  expect(errorName(4711)).toBeUndefined();
});

it('[ST-05] the codes that end a session', () => {
  expect([...SESSION_ENDING_CODES]).toEqual([1001, 1002, 2031]);
});

it('[PM-03] share names map to stored permissions and back', () => {
  expect(SHARE_PERMISSIONS).toEqual({
    videoView: 'Realplay',
    videotapeView: 'Replay',
    ptzControl: 'PtzControl',
    talk: 'Talk',
    alarmPush: 'AlarmPush',
    equipmentConfiguration: 'Config',
  });
  expect(PERMISSION_PAGES.Replay).toBe('liveVideo');
});
