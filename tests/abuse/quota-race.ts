// Attack: a tenant exceeds a quota by parallel calls.
import type { AttackTarget, AttackResult } from './attack.ts';
import { newTenant } from './tenants.ts';

const LIMIT = 5;
const CALLS = 40;
const BEYOND = 1011;

export async function quotaRace(place: AttackTarget): Promise<AttackResult> {
  const { client, userId } = await newTenant(place);
  await place.owner.ok('quota/set', { userId, quotaList: [{ quota: 'groups', limit: LIMIT }] });
  const answers = await Promise.all(
    Array.from({ length: CALLS }, (_, index) => client.raw('group/add', { groupName: `Group ${index}` })),
  );
  const made = answers.filter(({ code }) => code === 200).length;
  const refused = answers.filter(({ code }) => code === BEYOND).length;
  const broken = made > LIMIT ? [`${made} groups were made, ${LIMIT} are allowed`] : [];
  const tried = `${CALLS} groups at once where ${LIMIT} are allowed`;
  return { name: 'quota-race', tried, ownerSaw: { made, refused }, memoryMB: null, p95Ms: null, broken };
}
