// The question of the alarm screen survives its address, and what is pushed is held against it as the server would.
import { expect, it } from 'vitest';
import { fakeAlarm } from './alarm.fake.ts';
import { isFiltered, matches, newestFirst, NO_FILTER, readFilter, toCall, writeFilter } from './alarm-filter.ts';
import { isInSight } from './alarm-views.ts';

const alarm = fakeAlarm();
const isBelow = (one: string, other: string) => one === other || other === 'site';

it('survives a round trip through the address; invalid values are dropped', () => {
  const filter = {
    ...NO_FILTER,
    group: 'fire',
    severity: 'major',
    state: 'new',
    place: 'org:yard',
    time: 'between',
    startTime: 5,
    endTime: 9,
    alarm: 'x',
  } as const;
  expect(readFilter(writeFilter(filter))).toEqual(filter);
  expect(writeFilter(NO_FILTER).toString()).toBe('');
  expect(readFilter(new URLSearchParams('group=<b>&place=org:%27&time=ever&from=-1&state=x'))).toEqual(NO_FILTER);
  expect(isFiltered({ ...NO_FILTER, alarm: 'x' })).toBe(false);
});

it('asks for a severity and what is more urgent, and for a span that ends now', () => {
  const filter = { ...NO_FILTER, severity: 'major', time: 'hour' } as const;
  expect(toCall(filter, 10_000_000)).toEqual({ severity: ['major', 'critical'], startTime: 6_400_000 });
  expect(toCall({ ...NO_FILTER, place: 'dev:A1' }, 0)).toEqual({ devices: [{ deviceSerial: 'A1' }] });
});

it.each([
  [{}, true],
  [{ groups: ['fire'] }, true],
  [{ groups: ['motion'] }, false],
  [{ severity: ['major'] }, false],
  [{ state: 'acknowledged' }, false],
  [{ organizationId: 'site' }, true],
  [{ organizationId: 'depot' }, false],
  [{ devices: [{ deviceSerial: 'B2' }] }, false],
  [{ startTime: 1000 }, true],
  [{ endTime: 1000 }, false],
] as const)('filter %j matches the pushed alarm: %s', (input, isTaken) => {
  expect(matches(structuredClone(input) as never, alarm, isBelow)).toBe(isTaken);
});

it('orders the newest first, and two of one instant by id', () => {
  const later = { ...alarm, time: 2000 };
  const other = { ...alarm, alarmId: '000000001b' };
  expect([alarm, later, other].sort(newestFirst)).toEqual([later, other, alarm]);
});

it('an alarm is in sight in the inbox that asks for it, and nowhere else', () => {
  const at = (search: string, pathname = '/homepage/alarmMsg') => isInSight({ pathname, search }, alarm, 2000);
  expect(['', '?view=inbox', '?group=fire&state=new', '?place=org:other', '?time=hour'].map((one) => at(one))).toEqual(
    Array.from({ length: 5 }, () => true),
  );
  expect(
    ['?view=rules', '?view=channels', '?group=sound', '?state=closed', '?place=dev:B2'].map((one) => at(one)),
  ).toEqual(Array.from({ length: 5 }, () => false));
  expect(at('', '/homepage/liveVideo')).toBe(false);
});
