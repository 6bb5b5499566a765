// Field names of the entities, as fixed by the specification: more may follow, none may be removed.
import { expect, it } from 'vitest';
import * as entities from './entities.ts';

const FIELDS: [string, { shape: Record<string, unknown> }, string][] = [
  [
    '[EN-01] [EN-09] Device',
    entities.Device,
    'deviceSerial deviceName deviceType deviceModel deviceVersion status latestOnline organizationId organizationName supportMultiChannel isShared permission shareInfo keySerial channelNo deviceUserName',
  ],
  ['[EN-10] Channel', entities.Channel, 'channelNo channelName channelType deviceSerial status streamNum'],
  [
    '[EN-11] ShareInfo',
    entities.ShareInfo,
    'shareId shareType shareName owner permission startTime endTime channelNo description',
  ],
  [
    '[EN-12] Organization',
    entities.Organization,
    'organizationId organizationName parentOrgId isShared owner shareInfo',
  ],
  ['[EN-12] Group', entities.Group, 'groupName isDefault'],
  ['[EN-12] Role', entities.Role, 'roleId roleName'],
  ['[EN-13] Preset', entities.Preset, 'presetIndex name image'],
  ['[EN-13] Record item', entities.RecordItem, 'startTime endTime srcType'],
  ['[EN-13] CDN live', entities.CdnLive, 'liveId quality channelNo rtmpUrl'],
  [
    '[EN-14] Version info',
    entities.VersionInfo,
    'versionName mustUpgradeVersion contentEn contentZh externalVersion redirectUrl path',
  ],
  ['[EN-14] Auth', entities.Auth, 'accessToken expireTime serverAddress'],
  [
    '[EN-08] Server config',
    entities.ServerConfig,
    'isOverseasFlag isNoBrandFlag isCaptcha captchaAppId captchaPath apiURL oldWebsite centerServer',
  ],
  ['[EN-15] Time-plan entry', entities.TimePlanEntry, 'StartTime EndTime Type'],
  ['[EN-16] Card menu item', entities.CardMenuItem, 'linkId name tip imgUrl visible MenuList'],
  ['[EN-17] Upload file entry', entities.UploadFileEntry, 'uid name size status percentage raw url response'],
];

it.each(FIELDS)('%s has its fields', (_title, entity, names) => {
  expect(Object.keys(entity.shape)).toEqual(expect.arrayContaining(names.split(' ')));
});
