// The plan of the backups as it is edited.
import type { BackupPlan } from '@vedette/contract/calls/backup-plan.ts';
import { expect, it } from 'vitest';
import { draftOf, isNumberGood, isSecretKept, PLAN_NUMBERS, targetOf } from './plan-draft.ts';

const target = {
  kind: 'bucket',
  endpoint: 'https://s3.example.com',
  region: 'here-1',
  bucket: 'backups',
  isPathStyle: true,
  accessKey: 'OWNER',
  prefix: 'site',
} as const;
const plan: BackupPlan = { target, hours: 12, keep: 3, version: 4, startPlace: null };

it('is sent as it was read, without a secret that nobody typed', () => {
  for (const one of [target, { kind: 'folder', folder: '/mnt/backups' }, { kind: 'none' }] as const)
    expect(targetOf(draftOf({ ...plan, target: one }))).toEqual(one);
});

it('keeps the secret for the same address, bucket and access key alone', () => {
  const draft = draftOf(plan);
  expect(isSecretKept(draft, plan)).toBe(true);
  for (const other of [{ endpoint: 'https://other.example' }, { bucket: 'another' }, { accessKey: 'NOBODY' }])
    expect(isSecretKept({ ...draft, bucket: { ...draft.bucket, ...other } }, plan)).toBe(false);
  expect(isSecretKept(draft, { ...plan, target: { kind: 'none' } })).toBe(false);
});

it.each([
  [1, true],
  [9999, true],
  [0, false],
  [10_000, false],
  [1.5, false],
  [null, false],
])('takes %s for a number of hours: %s', (value, isGood) => {
  expect(isNumberGood(value, PLAN_NUMBERS.hours)).toBe(isGood);
});
