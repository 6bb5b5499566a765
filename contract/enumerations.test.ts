// Values of the enumerations, as fixed by the specification.
import { expect, it } from 'vitest';
import * as table from './enumerations.ts';

it('[EN-18] device types, device status and channel types', () => {
  expect(table.DEVICE_TYPE).toEqual({
    IPC: 0,
    NVR: 1,
    VMS: 2,
    PTS: 6,
    AIBOX: 8,
    PMS: 10,
    EGS: 11,
    ACS: 12,
    RADAR: 13,
    VM: 15,
    NAS: 16,
    unknown: -1,
  });
  expect(table.DEVICE_STATUS).toEqual({ offline: 0, online: 1, unknown: -1 });
  expect(table.CHANNEL_TYPE).toEqual({ video: 0, radar: 1 });
});

it('[EN-19] shared flags and share types', () => {
  expect(table.IS_SHARED).toEqual({ none: 0, fromOrganization: 1, fromDevice: 2, fromChannel: 3 });
  expect(table.SHARE_TYPE).toEqual({ fromRole: 1, fromPermission: 2 });
});

it('[EN-20] user types and account status', () => {
  expect(table.USER_TYPE).toEqual({ super: 0, manage: 1, ordinary: 2, background: 3, sub: 5 });
  expect(table.ACCOUNT_STATUS).toEqual({ notLoggedIn: 0, loggedIn: 1, registering: 2 });
});

it('[EN-21] record source, record type, stream index and record status', () => {
  expect(table.RECORD_SOURCE).toEqual({ auto: 0, cloud: 1, local: 2 });
  expect(table.RECORD_TYPE).toEqual({ normal: 1, alarm: 2 });
  expect(table.QUALITY).toEqual({ main: 0, second: 1, third: 2 });
  expect(table.RECORD_STATUS).toEqual({ normal: 0, noCard: 1, unformatted: 2, abnormal: 3, unknown: -1 });
});

it('cloud combos, preset operations and window status', () => {
  expect(table.CLOUD_COMBO).toEqual({ picture: 1, eventVideo: 2, continuousVideo: 3 });
  expect(table.PRESET_OPERATE).toEqual({ add: 0, delete: 1, edit: 2 });
  expect(table.WINDOW_STATUS).toEqual({ hide: 0, display: 1 });
});
