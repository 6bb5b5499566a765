// Calls of the contract that no page uses are listed with whom they are for: a call that nobody needs any more is found.
import { calls } from '@vedette/contract/calls/calls.ts';
import { expect, it } from 'vitest';
import { filesBelow } from './source-files.ts';

const SPECIFIED = 'programs of others, as the specification names it';

/** docs/shells.md */
const SHELLS = 'native shells, which sign in by a key before their page is signed in';

/** That each has a handler is what the compiler holds. */
const forOthers: Readonly<Record<string, string>> = {
  'account/key/challenge': SHELLS,
  'account/key/ticket': SHELLS,
  'alarm/types': SPECIFIED,
  'cost/quota/set': 'programs of operators; the page sets quotas of every kind by quota/set',
  'device/upgrade/status': 'programs that started an upgrade; pages read device/upgrade/check',
  'event/ingest': 'devices and programs that raise alarms (docs/alarm-integrations.md)',
  'event/server': SPECIFIED,
  'nat/list': SPECIFIED,
  'org/search': SPECIFIED,
  'share/device/list': SPECIFIED,
  'share/org/list': SPECIFIED,
  'version/check': 'native clients, before anybody signs in',
  'version/download': 'native clients, before anybody signs in',
};

it('each call is used by a page, or is listed', () => {
  const pages = filesBelow('console', /\.tsx?$/).filter(({ name }) => !/\.(test|fake)\./.test(name));
  const text = pages.map((page) => page.text).join('\n');
  const paths = Object.keys(calls);
  const unused = paths.filter((path) => !text.includes(`'${path}'`));
  expect(paths.length - unused.length).toBeGreaterThan(100);
  expect(unused.toSorted(), 'delete the call, or list it with whom it is for').toEqual(Object.keys(forOthers));
});
