// Properties of re-shares: in any graph, nobody gets more or longer than the link above allows.
import { PERMISSIONS } from '@vedette/contract/permissions.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundGrants, type GrantLink } from './bounded-grants.ts';
import { decide } from './decide.ts';
import type { RightsObject } from './rights.ts';

const OWNER = 'a';
const time = fc.option(fc.integer({ min: 0, max: 12 }));
const link: fc.Arbitrary<GrantLink> = fc.record({
  grantId: fc.uuid(),
  giverId: fc.constantFrom(OWNER, 'b', 'c', 'd'),
  granteeId: fc.constantFrom('b', 'c', 'd', 'e'),
  ownerId: fc.constant(OWNER),
  scope: fc.oneof(
    fc.record({ kind: fc.constant('organization' as const), organizationId: fc.constantFrom('o1', 'o2') }),
    fc.record({ kind: fc.constant('device' as const), deviceId: fc.constantFrom('d1', 'd2') }),
    fc.record({ kind: fc.constant('channel' as const), deviceId: fc.constant('d1'), channelNo: fc.constantFrom(1, 2) }),
  ),
  permissions: fc.subarray([...PERMISSIONS]),
  startTime: time,
  endTime: time,
  source: fc.constant('share' as const),
  shareId: fc.constant('s'),
  needsReshare: fc.boolean(),
});
const object: fc.Arbitrary<RightsObject> = fc.record({
  kind: fc.constant('channel' as const),
  ownerId: fc.constant(OWNER),
  organizationPath: fc.constantFrom([], ['o1'], ['o1', 'o2']),
  deviceId: fc.constantFrom('d1', 'd2'),
  channelNo: fc.constantFrom(1, 2),
});

interface AskedRight {
  readonly object: RightsObject;
  readonly action: string;
  readonly now: number;
}

function allowed(userId: string, links: readonly GrantLink[], { object: asked, action, now }: AskedRight) {
  const grants = boundGrants(userId, links);
  const subject = { userId, userType: 2 };
  return decide({ subject, object: asked, action: action as 'Realplay', grants, now });
}

test('[SE-31] [SH-04] a re-shared right is one its giver has, and ends no later', () => {
  const question = fc.record({
    links: fc.array(link, { maxLength: 10 }),
    asked: object,
    action: fc.constantFrom(...PERMISSIONS),
    now: fc.integer({ min: 0, max: 12 }),
  });
  fc.assert(
    fc.property(question, ({ links, asked, action, now }) => {
      for (const userId of ['b', 'c', 'd', 'e']) {
        const answer = allowed(userId, links, { object: asked, action, now });
        if (!answer.allowed) continue;
        const givers = [...new Set(links.filter((one) => one.granteeId === userId).map((one) => one.giverId))];
        const above = givers.map((giver) =>
          giver === OWNER
            ? { allowed: true, until: null }
            : allowed(
                giver,
                links.filter((one) => one.granteeId !== userId),
                { object: asked, action, now },
              ),
        );
        // Some giver has it itself without the help of whom it gave it to.
        expect(above.some((one) => one.allowed)).toBe(true);
        const direct = links.filter((one) => one.granteeId === userId && one.giverId === OWNER);
        if (direct.length > 0) continue;
        const ends = above.filter((one) => one.allowed).map((one) => one.until ?? Number.POSITIVE_INFINITY);
        expect(answer.until ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(Math.max(...ends));
      }
    }),
    { numRuns: 500 },
  );
});

test('[SE-31] a ring of shares without a link from the owner grants nothing', () => {
  const ring = (giverId: string, granteeId: string): GrantLink => ({
    grantId: `${giverId}${granteeId}`,
    giverId,
    granteeId,
    ownerId: OWNER,
    scope: { kind: 'device', deviceId: 'd1' },
    permissions: ['Realplay'],
    startTime: null,
    endTime: null,
    source: 'share',
    shareId: 's',
    needsReshare: false,
  });
  const links = [ring('b', 'c'), ring('c', 'd'), ring('d', 'b')];
  for (const userId of ['b', 'c', 'd']) expect(boundGrants(userId, links)).toEqual([]);
  expect(boundGrants('d', [...links, ring(OWNER, 'b')])).toHaveLength(1);
});

test('[SE-31] a re-share grants nothing while its giver may not re-share, unless it predates that right', () => {
  const passed = (permissions: GrantLink['permissions'], needsReshare: boolean): readonly GrantLink[] => {
    const common = { ownerId: OWNER, startTime: null, endTime: null, source: 'share', shareId: 's' } as const;
    const scope = { kind: 'device', deviceId: 'd1' } as const;
    return boundGrants('c', [
      { ...common, scope, grantId: 'ab', giverId: OWNER, granteeId: 'b', permissions, needsReshare: true },
      { ...common, scope, grantId: 'bc', giverId: 'b', granteeId: 'c', permissions: ['Realplay'], needsReshare },
    ]);
  };
  expect(passed(['Realplay'], true)).toEqual([]);
  expect(passed(['Realplay', 'Reshare'], true)).toMatchObject([{ permissions: ['Realplay'] }]);
  expect(passed(['Realplay'], false)).toMatchObject([{ permissions: ['Realplay'] }]);
});

test('[SE-31] many shares among few accounts stay cheap to evaluate', () => {
  const names = ['b', 'c', 'd', 'e', 'f', 'g'];
  const links = names.flatMap((giverId) =>
    names.flatMap((granteeId) =>
      giverId === granteeId
        ? []
        : Array.from({ length: 20 }, (_none, index) => ({
            grantId: `${giverId}${granteeId}${index}`,
            giverId: index === 0 ? OWNER : giverId,
            granteeId,
            ownerId: OWNER,
            scope: { kind: 'device' as const, deviceId: 'd1' },
            permissions: PERMISSIONS.slice(0, 1 + (index % 5)),
            startTime: index,
            endTime: 100 + index,
            source: 'share' as const,
            shareId: 's',
            needsReshare: false,
          })),
    ),
  );
  expect(boundGrants('g', links).length).toBeLessThanOrEqual(2000);
});
