// Tests of look-ups against a name server that answers when told: turns of owners, bounded places, deadlines.
import { beforeEach, describe, expect, it } from 'vitest';
import { FakeClock, settlePromises } from '../time/fake-clock.fake.ts';
import { NameLookups } from './name-lookups.ts';

let clock: FakeClock;
let lookups: NameLookups;
/** Begun and not answered, in order. */
let underWay: Map<string, PromiseWithResolvers<readonly string[]>>;

beforeEach(() => {
  clock = new FakeClock();
  underWay = new Map();
  const lookup = async (host: string) => {
    const answer = Promise.withResolvers<readonly string[]>();
    underWay.set(host, answer);
    return await answer.promise.finally(() => underWay.delete(host));
  };
  lookups = new NameLookups({ places: 4, slowPlaces: 1, clock, lookup });
});

const never = new AbortController().signal;
const ask = (owner: string, host: string, signal = never) => lookups.addressesOf(host, { owner, signal });
const asked = async (owner: string, host: string): Promise<void> => {
  ask(owner, host).catch(() => undefined);
  await settlePromises();
};
const answer = async (host: string): Promise<void> => {
  underWay.get(host)?.resolve(['10.0.0.1']);
  await settlePromises();
};
const hosts = () => [...underWay.keys()];

it('answers what the system answers, and rejects as it does', async () => {
  const [found, failed] = [ask('a', 'one.test'), ask('b', 'two.test')];
  await settlePromises();
  underWay.get('one.test')?.resolve(['10.0.0.1', '::1']);
  underWay.get('two.test')?.reject(new Error('ENOTFOUND'));
  expect(await found).toEqual(['10.0.0.1', '::1']);
  await expect(failed).rejects.toThrow('ENOTFOUND');
});

it('looks a name up once at a time, whoever asks', async () => {
  const both = [ask('a', 'one.test'), ask('b', 'one.test')];
  await settlePromises();
  expect(hosts()).toEqual(['one.test']);
  await answer('one.test');
  expect(await Promise.all(both)).toEqual([['10.0.0.1'], ['10.0.0.1']]);
});

describe('[SE-67] names that nobody answers for', () => {
  it('of two owners leave places to a third, however many they ask for', async () => {
    for (const owner of ['a', 'b']) for (const at of [1, 2, 3, 4]) await asked(owner, `silent-${owner}${at}.test`);
    expect(hosts()).toEqual(['silent-a1.test', 'silent-b1.test']);
    await asked('c', 'steady.test');
    expect(hosts()).toContain('steady.test');
  });

  it('never have more look-ups under way than there are places', async () => {
    for (const owner of ['a', 'b', 'c', 'd', 'e', 'f']) await asked(owner, `silent-${owner}.test`);
    expect(hosts()).toHaveLength(4);
    await answer('silent-b.test');
    expect(hosts()).toEqual(['silent-a.test', 'silent-c.test', 'silent-d.test', 'silent-e.test']);
  });

  it('let who waited for too long go, and ask for nothing any more', async () => {
    await asked('a', 'silent-1.test');
    const controller = new AbortController();
    const [own, waiting] = [ask('a', 'silent-1.test', controller.signal), ask('a', 'silent-2.test', controller.signal)];
    await settlePromises();
    controller.abort(new Error('too late'));
    await expect(own).rejects.toThrow('too late');
    await expect(waiting).rejects.toThrow('too late');
    await answer('silent-1.test');
    expect(hosts()).toEqual([]);
    await expect(ask('a', 'silent-3.test', controller.signal)).rejects.toThrow('too late');
  });

  it('give owners that were held up fewer places for a while', async () => {
    const slow = ['a', 'b', 'c', 'd'];
    for (const owner of slow) await asked(owner, `silent-${owner}.test`);
    clock.advance(15_000);
    for (const owner of slow) await answer(`silent-${owner}.test`);
    for (const owner of slow) await asked(owner, `again-${owner}.test`);
    expect(hosts()).toEqual(['again-a.test']);
    await asked('e', 'steady.test');
    expect(hosts()).toEqual(['again-a.test', 'steady.test']);
    for (const owner of slow) await answer(`again-${owner}.test`);
    clock.advance(600_000);
    for (const owner of slow) await asked(owner, `later-${owner}.test`);
    expect(hosts()).toHaveLength(4);
  });
});
