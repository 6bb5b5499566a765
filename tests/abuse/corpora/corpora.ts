// Attack: whole corpora of inner addresses, paths outside and foreign addresses, at every place of a started product that takes one.
import type { AttackResult, AttackTarget } from '../attack.ts';
import { dialledPlaces } from './dialled-places.ts';
import { leadingPlaces } from './leading-places.ts';
import { pathPlaces } from './path-places.ts';

/** Of each corpus at each place a third of `count` is tried: 1,500 are all of the largest. */
export async function corpora(target: AttackTarget): Promise<AttackResult> {
  const place = { ...target, count: Math.ceil(target.count / 3) };
  const parts = [await dialledPlaces(place), await pathPlaces(place), await leadingPlaces(place)];
  const broken = parts.flatMap((part) => part.broken.slice(0, 20));
  const tried = parts.map((part) => part.tried).join('; ');
  return { name: 'corpora', tried, ownerSaw: {}, memoryMB: null, p95Ms: null, broken };
}
