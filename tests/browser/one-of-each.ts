// One object of each kind that has a name or a remark, so that every screen shows some.
import { CDN_PROVIDER, DOT_PICTURE, ruleTelling, SLACK } from '../contract/inputs/input-fixture.ts';
import type { ApiClient } from '../harness/api-client.ts';

const HOUR = 3_600_000;

export async function createOneOfEach(owner: ApiClient, deviceSerial: string): Promise<void> {
  const camera = { deviceSerial, channelNo: 1 };
  const order = { kind: 'slack', name: 'Guards', isEnabled: true, settings: SLACK } as const;
  const { channelId } = (await owner.ok('alarm/channel/save', order)).channel;
  await owner.ok('alarm/rule/save', { ...ruleTelling(channelId), isEnabled: false });
  await owner.ok('group/add', { groupName: 'Doors' });
  await owner.ok('app/save', { appName: 'Door bell', redirectUriList: ['https://app.example/cb'], scopeList: [] });
  await owner.ok('layout/save', { name: 'Gates', split: 4, tiles: [] });
  const { organizationId } = await owner.ok('org/add', { organizationName: 'Yard' });
  const plan = { organizationId, name: 'Ground floor', picture: DOT_PICTURE, cameraList: [] };
  await owner.ok('floorPlan/save', plan);
  await owner.ok('version/save', {
    platform: 'linux',
    versionName: 'Shell',
    redirectUrl: 'https://vms.example/get',
    externalVersion: '1.0.0.0',
    isPublished: true,
  });
  await owner.ok('cdn/provider/save', CDN_PROVIDER);
  await owner.ok('share/link/create', { live: camera, endTime: Date.now() + HOUR, linkName: 'For Kim' });
  await owner.ok('event/key/add', { name: 'Door controller' });
  await owner.ok('user/invitation/create', { userType: 2, description: 'For Ann', days: 7 });
  await owner.ok('site/add', { siteName: 'Gate' });
  const range = { startTime: Date.now() - HOUR, endTime: Date.now() };
  await owner.ok('record/bookmark/add', { ...camera, ...range, name: 'Seen' });
  await owner.ok('record/lock', { ...camera, ...range, name: 'Theft' });
}
