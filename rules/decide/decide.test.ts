// Properties and cases of the authorization decision.
import { PERMISSIONS } from '@vedette/contract/permissions.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accountPermissions } from './account-flags.ts';
import { decide, permissionsOn } from './decide.ts';
import type { Grant, RightsObject } from './rights.ts';

const userId = fc.constantFrom('u1', 'u2', 'u3');
const time = fc.option(fc.integer({ min: 0, max: 20 }));
const scope = fc.oneof(
  fc.record({ kind: fc.constant('organization' as const), organizationId: fc.constantFrom('o1', 'o2', 'o3') }),
  fc.record({ kind: fc.constant('device' as const), deviceId: fc.constantFrom('d1', 'd2') }),
  fc.record({
    kind: fc.constant('channel' as const),
    deviceId: fc.constantFrom('d1', 'd2'),
    channelNo: fc.constantFrom(1, 2),
  }),
);
const grant: fc.Arbitrary<Grant> = fc.record({
  grantId: fc.stringMatching(/^g[0-9]{1,3}$/),
  granteeId: userId,
  ownerId: userId,
  scope,
  permissions: fc.subarray([...PERMISSIONS]),
  startTime: time,
  endTime: time,
  source: fc.constantFrom('role' as const, 'share' as const),
  shareId: fc.option(fc.constant('s1')),
});
const place = {
  ownerId: userId,
  organizationPath: fc.constantFrom([], ['o1'], ['o1', 'o2'], ['o3']),
};
const object: fc.Arbitrary<RightsObject> = fc.oneof(
  fc.record({ ...place, kind: fc.constant('organization' as const) }),
  fc.record({ ...place, kind: fc.constant('device' as const), deviceId: fc.constantFrom('d1', 'd2') }),
  fc.record({
    ...place,
    kind: fc.constant('channel' as const),
    deviceId: fc.constantFrom('d1', 'd2'),
    channelNo: fc.constantFrom(1, 2),
  }),
);
const subject = fc.record({ userId, userType: fc.constantFrom(0, 1, 2, 3, 5) });
const question = fc.record({
  subject,
  object,
  action: fc.constantFrom(...PERMISSIONS),
  grants: fc.array(grant, { maxLength: 6 }),
  now: fc.integer({ min: 0, max: 20 }),
});

test('[PM-03] nothing is visible without ownership or an active grant', () => {
  fc.assert(
    fc.property(question, (asked) => {
      const foreign = { ...asked, grants: asked.grants.filter((one) => one.granteeId !== asked.subject.userId) };
      const answer = decide(foreign);
      const owns = asked.object.ownerId === asked.subject.userId && [0, 1, 2].includes(asked.subject.userType);
      expect(answer.allowed).toBe(owns);
      if (!owns) expect(answer.code).toBe(asked.object.kind === 'organization' ? 1007 : 1009);
    }),
  );
});

test('[SH-04] adding a grant never removes a right, removing one never adds a right', () => {
  fc.assert(
    fc.property(question, grant, (asked, more) => {
      const before = decide(asked);
      const after = decide({ ...asked, grants: [...asked.grants, more] });
      if (before.allowed) expect(after.allowed).toBe(true);
    }),
  );
});

test('[SE-32] an allowed decision holds until `until`, and implies visibility', () => {
  fc.assert(
    fc.property(question, (asked) => {
      const answer = decide(asked);
      if (!answer.allowed) return;
      expect(answer.isVisible).toBe(true);
      expect(decide({ ...asked, action: null }).allowed).toBe(true);
      if (answer.until !== null) {
        expect(answer.until).toBeGreaterThan(asked.now);
        expect(decide({ ...asked, now: answer.until - 1 }).allowed).toBe(true);
      }
    }),
  );
});

const device: RightsObject = { kind: 'device', ownerId: 'u1', organizationPath: ['o1', 'o2'], deviceId: 'd1' };
const channel: RightsObject = { ...device, kind: 'channel', channelNo: 1 };
const other = { userId: 'u2', userType: 2 };
const given: Grant = {
  grantId: 'g1',
  granteeId: 'u2',
  ownerId: 'u1',
  scope: { kind: 'channel', deviceId: 'd1', channelNo: 1 },
  permissions: ['Realplay'],
  startTime: 10,
  endTime: 20,
  source: 'share',
  shareId: 's1',
};
const ask = (object: RightsObject, action: 'Realplay' | 'Replay' | null, now: number, grants = [given]) =>
  decide({ subject: other, object, action, grants, now });

test('[SH-01] a share of one channel grants that channel alone, between its start and end', () => {
  expect(ask(channel, 'Realplay', 10)).toMatchObject({ allowed: true, until: 20, because: { shareId: 's1' } });
  expect(ask(channel, 'Realplay', 9)).toMatchObject({ allowed: false, code: 1009 });
  expect(ask(channel, 'Realplay', 20)).toMatchObject({ allowed: false, code: 1009 });
  expect(ask(channel, 'Replay', 10)).toMatchObject({ allowed: false, code: 1004 });
  expect(ask({ ...channel, channelNo: 2 }, 'Realplay', 10)).toMatchObject({ allowed: false, code: 1009 });
  expect(ask(device, null, 10)).toMatchObject({ allowed: true });
  expect(ask(device, 'Realplay', 10)).toMatchObject({ allowed: false, code: 1004 });
});

test('[SE-34] a grant is void when the device has another owner', () => {
  expect(ask({ ...channel, ownerId: 'u3' }, 'Realplay', 10)).toMatchObject({ allowed: false, code: 1009 });
});

test('[PM-04] a shared organisation grants what is in and below it', () => {
  const grants = [{ ...given, scope: { kind: 'organization', organizationId: 'o1' } as const }];
  expect(ask(channel, 'Realplay', 10, grants).allowed).toBe(true);
  expect(ask({ ...channel, organizationPath: ['o3'] }, 'Realplay', 10, grants).code).toBe(1009);
});

test('[PM-01] [PM-02] owners have all flags, sub-accounts those granted, background accounts none', () => {
  const role = [{ ...given, startTime: null, endTime: null, permissions: ['Replay', 'Realplay'] as const }];
  expect(accountPermissions({ userId: 'u2', userType: 2 }, [], 0)).toEqual(PERMISSIONS);
  expect(accountPermissions({ userId: 'u2', userType: 5 }, role, 0)).toEqual(['Realplay', 'Replay']);
  expect(accountPermissions({ userId: 'u2', userType: 3 }, role, 0)).toEqual([]);
  expect(
    permissionsOn({ subject: { userId: 'u2', userType: 5 }, object: channel, grants: role, now: 0 }, PERMISSIONS),
  ).toEqual(['Realplay', 'Replay']);
});
