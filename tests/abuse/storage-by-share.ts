// Attack: the receiver of a share with configuration and playback rights changes the owner's storage.
import type { ShareRight } from '@vedette/contract/permissions.ts';
import type { AttackTarget, AttackResult } from './attack.ts';
import { deviceOf, newTenant } from './tenants.ts';

const NEEDS_RIGHT = 1004;
const WEEK_MS = 7 * 24 * 3_600_000;
const about = { memoryMB: null, p95Ms: null } as const;

export async function shareWith(place: AttackTarget, more: readonly ShareRight[] = []) {
  const [deviceSerial, friend] = await Promise.all([deviceOf(place), newTenant(place)]);
  const items = [{ deviceSerial }];
  const permission = ['videoView', 'videotapeView', 'equipmentConfiguration', ...more] as const;
  await place.owner.ok('share/add', { account: friend.username, items, permission: [...permission] });
  return { ...friend, dev: { deviceSerial, channelNo: 1 } };
}

export async function storageByShare(place: AttackTarget): Promise<AttackResult> {
  const { client, dev } = await shareWith(place);
  const now = Date.now();
  const { timeZone: _zone, ...plan } = await client.ok('record/plan/get', dev);
  const lock = { ...dev, startTime: now + WEEK_MS, endTime: now + 2 * WEEK_MS, name: 'Later' };
  const codes = {
    'record/plan/set': (await client.call('record/plan/set', { ...dev, ...plan, plan: [], retentionDays: 1 })).code,
    'config/storage/format': (await client.call('config/storage/format', { ...dev, disk: '1' })).code,
    'record/lock': (await client.call('record/lock', lock)).code,
  };
  const broken = Object.entries(codes).flatMap(([path, code]) => {
    const isHeld = path === 'record/lock' ? code !== 200 : code === NEEDS_RIGHT;
    return isHeld ? [] : [`${path} answered ${code}`];
  });
  return { name: 'storage-by-share', tried: Object.keys(codes).join(', '), ownerSaw: codes, ...about, broken };
}
