// Where a call to a site goes: to its server, to the next one within the time of a restart, or nowhere.
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { expect, it } from 'vitest';
import type { SitePort } from './site-port.ts';
import { SiteRoute } from './site-route.ts';

function routeOf(siteId: string) {
  const clock = new FakeClock();
  const asked: string[] = [];
  const at = { here: false, elsewhere: false };
  const port = (name: 'here' | 'elsewhere'): SitePort => ({
    isOnline: () => at[name],
    rtspPort: () => (name === 'here' ? 1 : 2),
    canTranscode: () => name === 'here',
    call: (async () => void asked.push(name)) as unknown as SitePort['call'],
  });
  const elsewhere = port('elsewhere');
  const route = new SiteRoute({
    siteId,
    clock,
    here: port('here'),
    elsewhere: () => (at.elsewhere ? elsewhere : null),
  });
  const call = async () => await route.call('health', {}).catch((error: unknown) => error);
  return { clock, asked, at, route, call };
}

const AWAY = { code: 2317, data: { reason: 'siteAway' } };

it('goes to this server where the site is connected here, else to the one that has it', async () => {
  const { asked, at, route, call } = routeOf('s');
  expect([route.isOnline(), route.rtspPort(), route.canTranscode()]).toEqual([false, null, false]);
  at.elsewhere = true;
  await call();
  expect([route.isOnline(), route.rtspPort(), route.canTranscode()]).toEqual([true, 2, false]);
  at.here = true;
  await call();
  expect(asked).toEqual(['elsewhere', 'here']);
});

it('of a site that was never connected, or left longer ago, says at once that it is away', async () => {
  const { clock, at, route, call } = routeOf('s');
  expect(await call()).toMatchObject(AWAY);
  at.here = true;
  route.connected();
  at.here = false;
  route.disconnected();
  clock.advance(3000);
  expect(await call()).toMatchObject(AWAY);
});

it('waits for a site that has just left, and goes to whichever server it comes to', async () => {
  const { clock, asked, at, route, call } = routeOf('s');
  at.here = true;
  at.here = false;
  route.disconnected();
  clock.advance(1000);
  const waiting = call();
  at.elsewhere = true;
  route.connected();
  await waiting;
  expect(asked).toEqual(['elsewhere']);
  at.elsewhere = false;
  route.disconnected();
  const late = call();
  clock.advance(3000);
  expect(await late).toMatchObject(AWAY);
});

it('always waits for the local site, which is busy where it stays away', async () => {
  const { clock, call } = routeOf('local');
  const waiting = call();
  clock.advance(3000);
  expect(await waiting).toMatchObject({ code: 1012 });
});
