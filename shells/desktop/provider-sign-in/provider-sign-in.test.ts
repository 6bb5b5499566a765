// Tests of signing in by the person's browser: what is opened, and which answers the loopback address takes.
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { afterEach, expect, it } from 'vitest';
import { ProviderSignIn, type ProviderTicket } from './provider-sign-in.ts';

const TICKET = 't'.repeat(43);
const ORIGIN = 'https://vedette.example';
const clock = new FakeClock(0);
const opened: URL[] = [];
const tickets: ProviderTicket[] = [];
const signIn = new ProviderSignIn({
  origin: ORIGIN,
  clock,
  openAddress: (url) => opened.push(new URL(url)),
  onTicket: (ticket) => tickets.push(ticket),
});

afterEach(() => {
  signIn.close();
  opened.length = 0;
  tickets.length = 0;
});

async function begun(): Promise<{ readonly port: number; readonly place: string; readonly challenge: string }> {
  await signIn.begin('PROVIDER1');
  const { searchParams } = opened.at(-1) ?? new URL(ORIGIN);
  const [port, place, challenge] = ['port', 'place', 'challenge'].map((name) => searchParams.get(name) ?? '');
  return { port: Number(port), place: place ?? '', challenge: challenge ?? '' };
}

interface Asked {
  readonly method?: string;
  readonly host?: string;
}

/** Status and address; null: nobody listens. */
function ask(port: number, path: string, { method = 'GET', host = `127.0.0.1:${port}` }: Asked = {}) {
  return new Promise<{ readonly status: number | undefined; readonly location: string | undefined } | null>(
    (settle) => {
      const asking = request({ host: '127.0.0.1', port, path, method, headers: { host } }, (answer) => {
        answer.resume();
        settle({ status: answer.statusCode, location: answer.headers.location });
      });
      asking.on('error', () => settle(null));
      asking.end();
    },
  );
}

it('opens the page of the server, and takes one ticket with the word behind its challenge', async () => {
  const { port, place, challenge } = await begun();
  expect(opened[0]?.href).toMatch(/^https:\/\/vedette\.example\/signIn\/client\/PROVIDER1\?challenge=/);
  const answer = await ask(port, `/${place}?ticket=${TICKET}`);
  expect(answer).toEqual({ status: 303, location: `${ORIGIN}/signIn/client/PROVIDER1#done` });
  expect(tickets).toMatchObject([{ providerId: 'PROVIDER1', ticket: TICKET }]);
  const verifier = tickets[0]?.verifier ?? '';
  expect(createHash('sha256').update(verifier).digest('base64url')).toBe(challenge);
  expect(opened[0]?.href).not.toContain(verifier);
  expect(await ask(port, `/${place}?ticket=${TICKET}`), 'a second one').toBeNull();
});

it.each<[string, (place: string) => string, Asked]>([
  ['at another path', () => `/guessed?ticket=${TICKET}`, {}],
  ['at no path', () => `/?ticket=${TICKET}`, {}],
  ['without a ticket', (place) => `/${place}`, {}],
  ['with what is none', (place) => `/${place}?ticket=short`, {}],
  ['by another name of this machine', (place) => `/${place}?ticket=${TICKET}`, { host: 'rebound.example' }],
  ['by a form', (place) => `/${place}?ticket=${TICKET}`, { method: 'POST' }],
  ['at what is no address', () => '//[', {}],
])('takes nothing %s, and goes on waiting', async (_how, pathOf, asked) => {
  const { port, place } = await begun();
  expect(await ask(port, pathOf(place), asked)).toMatchObject({ status: 404 });
  expect(tickets).toEqual([]);
  expect(await ask(port, `/${place}?ticket=${TICKET}`)).toMatchObject({ status: 303 });
});

it('waits for the newest alone, and no longer than a sign-in may take', async () => {
  const first = await begun();
  const second = await begun();
  expect(second.place).not.toBe(first.place);
  expect(await ask(first.port, `/${first.place}?ticket=${TICKET}`)).toBeNull();
  clock.advance(10 * 60_000);
  expect(await ask(second.port, `/${second.place}?ticket=${TICKET}`)).toBeNull();
  expect(tickets).toEqual([]);
});
