// What an app that acts for an account may do on the objects it was given, and on all others.
import type { Permission } from '@vedette/contract/permissions.ts';
import { describe, expect, it } from 'vitest';
import { decide } from './decide.ts';
import { delegatedGrants } from './delegated-grants.ts';
import type { Grant, RightsObject } from './rights.ts';

const NOW = 1_000_000;
const account = { userId: 'anna', userType: 2 };
const app = { userId: 'anna', userType: 5 };

function grant(fields: Partial<Grant> & Pick<Grant, 'scope'>): Grant {
  return {
    grantId: 'g',
    granteeId: 'anna',
    ownerId: 'anna',
    permissions: ['Realplay'],
    startTime: null,
    endTime: null,
    source: 'app',
    shareId: null,
    ...fields,
  };
}

function device(deviceId: string, ownerId = 'anna', organizationPath: string[] = []): RightsObject {
  return { kind: 'device', ownerId, organizationPath, deviceId };
}

function answer(grants: readonly Grant[], action: Permission | null, object: RightsObject, now = NOW) {
  return decide({ subject: app, action, object, grants, now });
}

describe('an app that acts for an account', () => {
  const allowed = [grant({ scope: { kind: 'device', deviceId: 'd1' }, endTime: NOW + 10 })];

  it('may do on a chosen own device what its scopes open, until the end', () => {
    const grants = delegatedGrants(account, [], allowed);
    expect(answer(grants, 'Realplay', device('d1'))).toMatchObject({ allowed: true, until: NOW + 10 });
    expect(answer(grants, 'PtzControl', device('d1')).code).toBe(1004);
    expect(answer(grants, 'Realplay', device('d1'), NOW + 10).code).toBe(1009);
  });

  it('sees no other device of the account', () => {
    expect(answer(delegatedGrants(account, [], allowed), null, device('d2')).code).toBe(1009);
  });

  it('gets of a shared device no more than the account received, and nothing once the share is gone', () => {
    const bound = [
      grant({ ownerId: 'berta', scope: { kind: 'device', deviceId: 'b1' }, permissions: ['Realplay', 'Talk'] }),
    ];
    const share = grant({
      ownerId: 'berta',
      scope: { kind: 'organization', organizationId: 'o1' },
      permissions: ['Realplay', 'Replay'],
      source: 'share',
      shareId: 's',
    });
    const object = device('b1', 'berta', ['o1']);
    const grants = delegatedGrants(account, [share], bound);
    expect(answer(grants, 'Realplay', object)).toMatchObject({ allowed: true, because: { shareId: 's' } });
    expect(answer(grants, 'Replay', object).allowed).toBe(false);
    expect(answer(grants, 'Talk', object).allowed).toBe(false);
    expect(answer(grants, 'Realplay', device('b2', 'berta', ['o1'])).allowed).toBe(false);
    expect(answer(delegatedGrants(account, [], bound), 'Realplay', object).code).toBe(1009);
  });

  it('sees a chosen device without any right on it where it may list devices', () => {
    const shown = [grant({ scope: { kind: 'device', deviceId: 'd1' }, permissions: [], showsObject: true })];
    const grants = delegatedGrants(account, [], shown);
    expect(answer(grants, null, device('d1')).allowed).toBe(true);
    expect(answer(grants, 'Realplay', device('d1')).code).toBe(1004);
    const blind = [grant({ scope: { kind: 'device', deviceId: 'd1' }, permissions: [] })];
    expect(answer(delegatedGrants(account, [], blind), null, device('d1')).code).toBe(1009);
  });

  it('loses a device that changes hands', () => {
    expect(answer(delegatedGrants(account, [], allowed), 'Realplay', device('d1', 'carl')).code).toBe(1009);
  });
});
