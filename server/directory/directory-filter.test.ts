// Tests of filters: what was typed stays a value, whatever it contains.
import { AndFilter, EqualityFilter, PresenceFilter } from 'ldapts';
import { expect, it } from 'vitest';
import {
  filterOfAnybody,
  filterOfName,
  filterOfSubject,
  isPlainName,
  isUserFilter,
  subjectOf,
} from './directory-filter.ts';

const TEMPLATE = '(&(objectClass=person)(uid={username}))';

it.each([
  '*',
  'anna)(uid=*',
  'anna)(|(uid=*',
  '\\2a',
  'a\\',
  'a\0b',
  ')(objectClass=*',
  '{username}',
  '$&',
])('puts %j in as a value of the one attribute', (typed) => {
  const filter = filterOfName(TEMPLATE, typed) as AndFilter;
  expect(filter.filters).toHaveLength(2);
  expect(filter.filters[1]).toBeInstanceOf(EqualityFilter);
  expect(filter.filters[1]).toMatchObject({ attribute: 'uid', value: typed });
});

it('takes one way of writing a name, so that tries are counted as one', () => {
  for (const name of ['anna', 'anna.guard@example.org', "o'brien", '王芳', 'Anna Guard', 'straße']) {
    expect(isPlainName(name), name).toBe(true);
  }
  const others = [
    '',
    ' anna',
    'anna ',
    'anna  guard',
    'an\u00adna',
    'ａｎｎａ',
    'an\u200bna',
    '*',
    'a)(b',
    'a\\b',
    'a\u034fb',
    'a\ufe0fb',
  ];
  for (const name of others) expect(isPlainName(name), JSON.stringify(name)).toBe(false);
});

it('refuses filters that name nobody or are none', () => {
  for (const good of [TEMPLATE, 'uid={username}', '(|(uid={username})(mail={username}))', '(!(uid={username}))']) {
    expect(isUserFilter(good), good).toBe(true);
  }
  for (const bad of ['(uid=*)', '(uid={username}', '(&(uid={username})', '', '{username}']) {
    expect(isUserFilter(bad), bad).toBe(false);
  }
});

it('finds users again by the value that tells them apart, also where that is bytes', () => {
  expect(filterOfAnybody('uid={username}')).toBeInstanceOf(PresenceFilter);
  const guid = Buffer.from('00ff285c2a1080fe0102030405060708', 'hex');
  expect(subjectOf('objectGUID', guid)).toBe(guid.toString('hex'));
  const byBytes = filterOfSubject('(uid={username})', 'objectGUID', guid.toString('hex')) as AndFilter;
  expect(byBytes.filters[1]).toMatchObject({ attribute: 'objectGUID', value: guid });
  const byText = filterOfSubject('(uid={username})', 'entryUUID', 'a)(b') as AndFilter;
  expect(byText.filters[1]).toMatchObject({ attribute: 'entryUUID', value: 'a)(b' });
});
