// Which server has a site, where several say so, and who is told of a change.
import { expect, it } from 'vitest';
import { type HeldSite, HeldSites } from './held-sites.ts';

const offers = { rtspPort: null, canTranscode: true };
const site = (siteId: string, epoch: number) => ({ siteId, epoch, offers });

function watched() {
  const told: string[] = [];
  const onChange = (siteId: string, one: HeldSite | null): void =>
    void told.push(`${siteId} ${one === null ? 'nowhere' : `${one.nodeId} ${one.epoch}`}`);
  return { held: new HeldSites(onChange), told };
}

it('the newest line counts, whoever told of it first', () => {
  const { held, told } = watched();
  held.set('a', site('s', 2));
  held.set('b', site('s', 3));
  held.set('c', site('s', 1));
  expect(held.of('s')).toMatchObject({ nodeId: 'b', epoch: 3 });
  held.remove('b', 's');
  expect(held.of('s')).toMatchObject({ nodeId: 'a', epoch: 2 });
  expect(told).toEqual(['s a 2', 's b 3', 's b 3', 's a 2']);
});

it('a server that says all that it has, or is not reached any more, takes back the rest', () => {
  const { held, told } = watched();
  held.replace('a', [site('s', 1), site('t', 1)]);
  held.replace('a', [site('t', 2)]);
  expect(held.siteIds()).toEqual(['t']);
  held.drop('a');
  expect(held.siteIds()).toEqual([]);
  held.remove('a', 't');
  expect(told).toEqual(['s a 1', 't a 1', 's nowhere', 't a 2', 't nowhere']);
});
