// Field names of the entities, as fixed by the specification: more may follow, none may be removed.
import { expect, it } from 'vitest';
import type { z } from 'zod';
import * as entities from './entities.ts';

const FIELDS: [string, { shape: Record<string, unknown> }, string][] = [
  [
    'Device',
    entities.Device,
    'deviceSerial deviceName deviceType deviceModel deviceVersion status latestOnline organizationId organizationName supportMultiChannel isShared permission shareInfo keySerial channelNo deviceUserName',
  ],
  ['Channel', entities.Channel, 'channelNo channelName channelType deviceSerial status streamNum'],
  [
    'ShareInfo',
    entities.ShareInfo,
    'shareId shareType shareName owner permission startTime endTime channelNo description',
  ],
  ['Organization', entities.Organization, 'organizationId organizationName parentOrgId isShared owner shareInfo'],
  ['Group', entities.Group, 'groupName isDefault'],
  ['Role', entities.Role, 'roleId roleName'],
  ['Preset', entities.Preset, 'presetIndex name image'],
  ['Record item', entities.RecordItem, 'startTime endTime srcType'],
  ['CDN live', entities.CdnLive, 'liveId quality channelNo rtmpUrl'],
  [
    'Version info',
    entities.VersionInfo,
    'versionName mustUpgradeVersion contentEn contentZh externalVersion redirectUrl path',
  ],
  ['Auth', entities.Auth, 'accessToken expireTime serverAddress'],
  [
    'Server config',
    entities.ServerConfig,
    'isOverseasFlag isNoBrandFlag isCaptcha captchaAppId captchaPath apiURL oldWebsite centerServer',
  ],
  ['Time-plan entry', entities.TimePlanEntry, 'StartTime EndTime Type'],
  ['Card menu item', entities.CardMenuItem, 'linkId name tip imgUrl visible MenuList'],
  ['Upload file entry', entities.UploadFileEntry, 'uid name size status percentage raw url response'],
];

it.each(FIELDS)('%s has its fields', (_title, entity, names) => {
  expect(Object.keys(entity.shape)).toEqual(expect.arrayContaining(names.split(' ')));
});

it('[VA-04] names and descriptions are measured in code points, as in the console and the database', () => {
  for (const [schema, most] of [
    [entities.nameText, 64],
    [entities.descriptionText, 256],
  ] as const) {
    for (const letter of ['a', '中', '📷']) {
      expect(schema.safeParse(letter.repeat(most)).success).toBe(true);
      expect(schema.safeParse(letter.repeat(most + 1)).error?.issues[0]).toMatchObject({ code: 'too_big' });
    }
    expect(schema.safeParse('').success).toBe(false);
    expect(schema.safeParse('a<b').success).toBe(false);
  }
});

it.each([
  ['a device', entities.Device, ['deviceType', 'status', 'isShared']],
  ['a channel', entities.Channel, ['channelType', 'status']],
  ['a share', entities.ShareInfo, ['shareType']],
  ['an organisation', entities.Organization, ['isShared']],
  ['a record item', entities.RecordItem, ['srcType', 'recordType']],
] as const)('[EN-04] numbers outside the enumerations of %s are taken', (_title, entity, names) => {
  const shape: Readonly<Record<string, z.ZodType>> = entity.shape;
  for (const name of names) expect(shape[name]?.parse(99), name).toBe(99);
});
