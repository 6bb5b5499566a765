// Attack: a stolen session without the password tries everything that would take the account over.
import type { CallPath } from '@vedette/contract/calls/calls.ts';
import { ApiClient } from '../harness/api-client.ts';
import type { AttackTarget, AttackResult } from './attack.ts';

const PROVE_FIRST = 1040;

export async function stolenToken({ url, owner }: AttackTarget): Promise<AttackResult> {
  const thief = new ApiClient(url);
  thief.accessToken = owner.accessToken;
  const wanted: readonly (readonly [CallPath, object])[] = [
    ['account/twofactor/begin', {}],
    ['account/twofactor/recovery', {}],
    ['account/twofactor/disable', { code: '123456' }],
  ];
  const codes = await Promise.all(
    wanted.map(async ([path, input]) => [path, (await thief.raw(path, input)).code] as const),
  );
  const broken = codes.flatMap(([path, code]) => (code === PROVE_FIRST ? [] : [`${path} answered ${code}`]));
  const tried = wanted.map(([path]) => path).join(', ');
  return { name: 'stolen-token', tried, ownerSaw: Object.fromEntries(codes), memoryMB: null, p95Ms: null, broken };
}
