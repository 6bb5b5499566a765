// Attack: the operator sets the password of a tenant and signs in as the tenant.
import type { AttackTarget, AttackResult } from './attack.ts';
import { newTenant, signInAs } from './tenants.ts';

const CLOSED_LEAST_MS = 23 * 3_600_000;
const OTHER = 'Secret-2';

export async function operatorAsTenant(place: AttackTarget): Promise<AttackResult> {
  const { userId, username, client } = await newTenant(place);
  const { userList } = await place.owner.ok('user/list', { pageSize: 1000 });
  const version = userList.find((user) => user.userId === userId)?.version ?? 0;
  await place.owner.ok('user/update', { userId, version, password: OTHER });
  const tenantCode = (await client.call('token/check', {})).code;
  const robber = await signInAs(place, username, OTHER);
  const { noticeList, videoClosedUntil } = await robber.ok('account/notice/list', {});
  const broken = [
    ...(tenantCode === 200 ? ['the sessions of the tenant went on'] : []),
    ...(noticeList.length === 0 ? ['the tenant is told nothing'] : []),
    ...(videoClosedUntil - Date.now() < CLOSED_LEAST_MS ? ['video is open at once'] : []),
  ];
  const ownerSaw = {
    notices: noticeList.length,
    videoClosedHours: Math.round((videoClosedUntil - Date.now()) / 3_600_000),
  };
  const tried = 'a reset by hand, and signing in as the tenant';
  return { name: 'operator-as-tenant', tried, ownerSaw, memoryMB: null, p95Ms: null, broken };
}
