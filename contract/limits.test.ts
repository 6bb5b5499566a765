// The constants of the specification's section 9 and the codes of its section 8.
import { expect, it } from 'vitest';
import { calls } from './calls/calls.ts';
import { ERROR_CODES, errorName, SESSION_ENDING_CODES, SUCCESS } from './errors.ts';
import * as limits from './limits.ts';
import { PERMISSION_PAGES, SHARE_PERMISSIONS } from './permissions.ts';

it('message, notification and toast durations', () => {
  expect(limits.MESSAGE_MS).toEqual({ short: 1000, middle: 2000, long: 3000 });
  expect(limits.NOTIFICATION).toEqual({ durationMs: 4500, gapPx: 16 });
  expect(limits.TOAST).toEqual({ durationMs: 3000, topPx: 20 });
});

it('all day and the days of the week', () => {
  expect(limits.ALL_DAY).toEqual({ start: '00:00', end: '24:00', startFull: '00:00:00', endFull: '23:59:59' });
  expect([...limits.WEEK_DAYS, limits.HOLIDAY_ROW]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

it('[LM-06] [CA-05] lists that are asked without a page size have that of the specification', () => {
  const sizes = [
    ['org/list', {}, 100],
    ['org/device/list', { organizationId: '7' }, 30],
    ['org/resource/list', {}, 1000],
    ['org/resource/sub', { organizationId: '7' }, 20],
    ['preset/list', { deviceSerial: 'A1', channelNo: 1 }, 100],
    ['role/list', {}, 100],
    ['share/given/list', {}, 100],
    ['share/received/list', {}, 100],
    ['share/device/list', {}, 10],
    ['group/list', {}, 16],
    ['channel/list', { deviceSerial: 'A1' }, 20],
    ['nat/list', {}, 1000],
  ] as const;
  for (const [path, input, pageSize] of sizes) expect(calls[path].input.parse(input), path).toMatchObject({ pageSize });
  const below = { pageStart: 0, deviceName: '', queryMode: 0 };
  expect(calls['org/resource/sub'].input.parse({ organizationId: '7' })).toMatchObject(below);
});

it('playback window and split default', () => {
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

it('the codes that end a session', () => {
  expect([...SESSION_ENDING_CODES]).toEqual([1001, 1002, 2031]);
});

it('[EN-05] share names map to stored permissions and back', () => {
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
