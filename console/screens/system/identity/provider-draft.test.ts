// Tests of the draft of an identity provider.
import { expect, it } from 'vitest';
import { draftOf, inputOf, movedUp, newRow } from './provider-draft.ts';

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
