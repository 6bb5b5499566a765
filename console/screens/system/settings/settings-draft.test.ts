// Tests of the System screen's form.
import { GIGABYTE } from '@vedette/rules/byte-size.ts';
import { describe, expect, it } from 'vitest';
import { configOf, draftOf, isChanged, isCidr, isDraftGood, isFolderBad, withoutFirst } from './settings-draft.ts';

const config = {
  storage: {
    folder: '/srv/rec',
    budgetBytes: 2_000_000_001,
    reserveBytes: 5 * GIGABYTE,
    retentionDays: 30,
    isEmptying: false,
    moreDisks: [{ folder: '/mnt/two', budgetBytes: 3_000_000_003, isEmptying: true }],
  },
  network: { cameraNetworks: ['127.0.0.0/8'] },
  alarms: { retentionDays: 90, topicList: [], messageNetworks: ['192.168.7.0/24'] },
  sharing: { autoAccept: true },
};

describe('the settings draft', () => {
  it('keeps the exact bytes of what was not touched', () => {
    expect(configOf(draftOf(config), config)).toEqual(config);
    expect(isChanged(draftOf(config), config)).toBe(false);
  });
  it('turns gigabytes into bytes', () => {
    const draft = { ...draftOf(config), budgetGb: 1.5 };
    expect(configOf(draft, config).storage.budgetBytes).toBe(1.5 * GIGABYTE);
    expect(isChanged(draft, config)).toBe(true);
  });
  it('refuses blank numbers, numbers out of range and relative folders', () => {
    const draft = draftOf(config);
    expect(isDraftGood(draft)).toBe(true);
    expect(isDraftGood({ ...draft, budgetGb: null })).toBe(false);
    expect(isDraftGood({ ...draft, retentionDays: 0 })).toBe(false);
    expect(isFolderBad({ ...draft, folder: 'rec' })).toBe(true);
    expect(isFolderBad({ ...draft, folder: 'D:\\rec' })).toBe(false);
  });
  it('lets the next disk be the first one, with its exact bytes', () => {
    const draft = { ...draftOf(config), ...withoutFirst(draftOf(config)) };
    expect(configOf(draft, config).storage).toMatchObject({
      folder: '/mnt/two',
      budgetBytes: 3_000_000_003,
      isEmptying: true,
      moreDisks: [],
    });
  });
  it('refuses a further disk without a folder or size', () => {
    const draft = draftOf(config);
    const more = (part: object) => ({ ...draft, moreDisks: draft.moreDisks.map((disk) => ({ ...disk, ...part })) });
    expect([more({}), more({ folder: '' }), more({ budgetGb: null })].map(isDraftGood)).toEqual([true, false, false]);
  });
  it.each([
    ['127.0.0.0/8', true],
    ['fe80::/10', true],
    ['10.0.0.1', false],
    ['10.0.0.256/8', false],
    ['10.0.0.0/33', false],
    ['10.0.0.0/8/9', false],
    ['office', false],
  ])('%j is CIDR: %s', (text, isGood) => expect(isCidr(text)).toBe(isGood));
});
