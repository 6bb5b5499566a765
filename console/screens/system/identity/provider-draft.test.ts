// Tests of the draft of an identity provider.
import { expect, it } from 'vitest';
import { DIRECTORY_PRESETS } from './directory-draft.ts';
import { draftOf, inputOf, movedUp, newRow, testOf } from './provider-draft.ts';

const GOOD = {
  ...draftOf(null),
  providerName: 'Head office',
  issuer: 'https://login.example.org',
  clientId: 'vedette',
};
const ROW = { key: 0, claim: 'groups', value: 'guards', roleId: 'R', organizationId: null };

it('is saved once nothing is missing, as a public client where no secret is typed', () => {
  expect(inputOf(GOOD, null)).toMatchObject({ clientSecret: null, mappingList: [] });
  expect(inputOf({ ...GOOD, clientSecret: 'x' }, null)).toMatchObject({ clientSecret: 'x' });
  for (const part of [{ providerName: ' ' }, { issuer: 'https://' }, { clientId: '' }, { scopes: 'email' }]) {
    expect(inputOf({ ...GOOD, ...part }, null), JSON.stringify(part)).toBeNull();
  }
  expect(inputOf({ ...GOOD, mappingList: [ROW] }, null)?.mappingList).toEqual([
    { claim: 'groups', value: 'guards', roleId: 'R', organizationId: null },
  ]);
  expect(inputOf({ ...GOOD, mappingList: [{ ...ROW, roleId: null }] }, null)).toBeNull();
});

it('adds rows with the claim of the one before, and moves them', () => {
  const rows = [ROW, newRow([ROW])];
  expect(rows[1]).toMatchObject({ key: 1, claim: 'groups', value: '' });
  expect(movedUp(rows, 1).map((row) => row.key)).toEqual([1, 0]);
  expect(movedUp(rows, 0)).toBe(rows);
});

const DIRECTORY = {
  ...draftOf(null),
  kind: 'ldap' as const,
  providerName: 'Head office',
  clientId: 'cn=searcher',
  clientSecret: 'x',
  directory: { ...draftOf(null).directory, hosts: 'one.example.org, two.example.org:636', searchBase: ' dc=example ' },
};

it('saves a directory with its hosts and no issuer, and tries it with a user', () => {
  const input = inputOf(DIRECTORY, null);
  expect(input).toMatchObject({
    clientId: 'cn=searcher',
    clientSecret: 'x',
    directory: { hosts: ['one.example.org', 'two.example.org:636'], searchBase: 'dc=example' },
  });
  expect(input).not.toHaveProperty('issuer');
  expect(testOf(DIRECTORY, null, ' anna ')).toMatchObject({ userName: 'anna', clientSecret: 'x' });
  expect(testOf(DIRECTORY, null, '')).not.toHaveProperty('userName');
  expect(inputOf({ ...DIRECTORY, clientId: '' }, null), 'no password without a name').toMatchObject({
    clientSecret: null,
  });
  for (const part of [{ hosts: ' ' }, { searchBase: '' }, { userFilter: '(uid=*)' }, { idAttribute: '' }]) {
    const directory = { ...DIRECTORY.directory, ...part };
    expect(inputOf({ ...DIRECTORY, directory }, null), JSON.stringify(part)).toBeNull();
  }
  for (const preset of Object.values(DIRECTORY_PRESETS)) {
    expect(inputOf({ ...DIRECTORY, directory: { ...DIRECTORY.directory, ...preset } }, null)).not.toBeNull();
  }
});
