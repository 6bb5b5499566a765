// Tests of the share dialog's form: the call that it becomes, with rights or with a role.
import type { Share } from '@vedette/contract/calls/share.ts';
import { describe, expect, it } from 'vitest';
import { addInput, changeInput, formOf, NEW_SHARE, problemsOf } from './share-form.ts';
import { toggledRights } from './share-rights.ts';
import type { SharedItems } from './share.query.ts';

const NOW = 1_000_000;
const target = { item: { deviceSerial: 'A1' }, name: 'Gate', rights: ['Realplay'] };

function sharedBy(part: Partial<Share>): SharedItems {
  const first = {
    shareId: 's',
    version: 3,
    account: 'ben',
    permission: ['Realplay'],
    roleId: null,
    startTime: null,
    endTime: null,
    plan: null,
    timeZone: null,
    shareName: '',
    description: '',
    ...part,
  } as unknown as Share;
  return { shareId: 's', first, items: [first] };
}

describe('[SH-04] [EN-19] the form of a share', () => {
  it('gives the rights that were picked, or those of a role, never both', () => {
    const form = { ...NEW_SHARE, account: 'ben' };
    expect(addInput(form, [target], NOW)).toMatchObject({ account: 'ben', permission: ['videoView'] });
    const byRole = addInput({ ...form, roleId: 'r1' }, [target], NOW);
    expect(byRole).toMatchObject({ shareType: 1, roleId: 'r1', endTime: NOW + 3_600_000 });
    expect(byRole).not.toHaveProperty('permission');
  });
  it('asks for rights where there is no role', () => {
    const none = { ...NEW_SHARE, account: 'ben', rights: new Set<never>() };
    expect(problemsOf(none, NOW).rights).toBe('share.noRights');
    expect(problemsOf({ ...none, roleId: 'r1' }, NOW).rights).toBeNull();
  });
  it('keeps whether a changed share uses rights or a role, and sends a new role alone', () => {
    const byRights = sharedBy({});
    expect(changeInput(formOf(byRights), byRights, NOW)).toMatchObject({ permission: ['videoView'], version: 3 });
    const byRole = sharedBy({ roleId: 'r1' });
    const same = changeInput(formOf(byRole), byRole, NOW);
    expect(same).not.toHaveProperty('permission');
    expect(same).not.toHaveProperty('roleId');
    expect(changeInput({ ...formOf(byRole), roleId: 'r2' }, byRole, NOW)).toMatchObject({ roleId: 'r2' });
  });
});

describe('[SH-04] the switches of rights', () => {
  it('enable the rights they need, disable those that need them, and leave re-sharing off by default', () => {
    expect([...NEW_SHARE.rights]).toEqual(['videoView']);
    const withExport = toggledRights(NEW_SHARE.rights, 'Export');
    expect([...withExport]).toEqual(['videoView', 'Export', 'videotapeView']);
    expect([...toggledRights(withExport, 'videotapeView')]).toEqual(['videoView']);
    expect([...toggledRights(withExport, 'Export')]).toEqual(['videoView', 'videotapeView']);
    expect([...toggledRights(new Set(['RecordConfig', 'equipmentConfiguration']), 'equipmentConfiguration')]).toEqual(
      [],
    );
  });
});
