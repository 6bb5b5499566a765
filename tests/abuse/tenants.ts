// Accounts that an attack creates for itself, under unused names.
import { ApiClient } from '../harness/api-client.ts';
import type { AttackTarget } from './attack.ts';

const PASSWORD = 'Secret-1';

export interface Tenant {
  readonly username: string;
  readonly userId: string;
  readonly client: ApiClient;
}

/** An ordinary one, made by the owner, who has to be the operator for it. */
export async function newTenant(place: AttackTarget): Promise<Tenant> {
  const username = `t${Date.now().toString(36)}`;
  const { userId } = await place.owner.ok('user/add', { username, password: PASSWORD, userType: 2 });
  return { username, userId, client: await signInAs(place, username, PASSWORD) };
}

export async function signInAs({ url }: AttackTarget, account: string, password: string): Promise<ApiClient> {
  const client = new ApiClient(url);
  const input = { account, password, browserId: 'attack', clientType: 'web' } as const;
  client.accessToken = (await client.ok('account/login', input)).accessToken;
  return client;
}

/** A device of the owner that is online. */
export async function deviceOf({ owner }: AttackTarget): Promise<string> {
  const [device] = (await owner.ok('device/list', { status: 1 })).deviceList;
  if (!device) throw new Error('the owner has no device that is online');
  return device.deviceSerial;
}
