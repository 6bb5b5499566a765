// Handlers that change devices: add, change, move and remove.
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { mayOrganization } from '../../auth/may.ts';
import type { Rights } from '../../auth/rights.ts';
import { CallError } from '../../call-error.ts';
import type { Database } from '../../database/connection.ts';
import type { OrganizationRow } from '../../database/schema.ts';
import type { Handlers, SignedInContext } from '../../http/handler.ts';
import type { RealtimeHub } from '../../bus/realtime-hub.ts';
import type { SiteKeeper } from '../../site-link/site-keeper.ts';
import type { SitePort } from '../../site-link/site-port.ts';
import type { DeviceAdder } from './device-adder.ts';
import { oneDevice } from './device-list.handlers.ts';
import { changeDevice, type DeviceChangerParts } from './device-changer.ts';
import { removeDevice, revokeMoved } from './device-remover.ts';

export interface DeviceParts extends DeviceChangerParts {
  readonly adder: DeviceAdder;
  readonly keeper: SiteKeeper;
  readonly hub: RealtimeHub;
  readonly site: SitePort;
}

type DevicePath = 'device/add' | 'device/update' | 'device/move' | 'device/delete';

export function deviceHandlers(parts: DeviceParts): Handlers<DevicePath> {
  const { database } = parts;
  return {
    'device/add': async ({ input, principal, rights }) => {
      const held = await rights();
      const place = await placeFor(database, principal, held, input.organizationId);
      const deviceSerial = await parts.adder.add({
        ...input,
        ...place,
        rights: held,
        isOperator: isOperator(principal),
        backfillFrom: null,
      });
      return { device: await oneDevice(database, held, deviceSerial) };
    },
    'device/update': async ({ input, device, principal, rights }) => {
      const isDone = await changeDevice(parts, device, input, isOperator(principal));
      const shown = await oneDevice(database, await rights(), input.deviceSerial);
      if (!isDone) throw new CallError('stale', shown);
      await parts.keeper.deviceChanged(device.deviceId, device.deviceSerial);
      parts.hub.pushAbout({ kind: 'resourcesChanged' }, { kind: 'device', ...device });
      return { device: shown };
    },
    'device/move': async ({ input, device, principal, rights, now }) => {
      const place = await placeFor(database, principal, await rights(), input.organizationId);
      if (place.ownerId !== device.ownerId) throw new CallError('notFound');
      await database.transaction().execute(async (transaction) => {
        await transaction
          .updateTable('device')
          .set({ organization_id: place.organization?.organization_id ?? null })
          .where('device_id', '=', device.deviceId)
          .execute();
        await revokeMoved(transaction, device, place.organization?.path ?? [], now);
      });
      return {};
    },
    'device/delete': async ({ device, now }) => {
      await removeDevice(database, device, now);
      await parts.keeper.deviceChanged(device.deviceId, device.deviceSerial);
      return {};
    },
  };
}

/** Only the operator's cameras may stand on loopback and link-local addresses. */
export function isOperator(principal: { userType: number }): boolean {
  return principal.userType === USER_TYPE.super;
}

/** Who will own what is put there: the caller in the own root, else the owner of the organisation. */
async function placeFor(
  database: Database,
  principal: SignedInContext['principal'],
  rights: Rights,
  organizationId: string,
): Promise<{ ownerId: string; organization: OrganizationRow | null }> {
  if (organizationId === '0') {
    if (principal.userType === USER_TYPE.sub) throw new CallError('notFound');
    return { ownerId: principal.userId, organization: null };
  }
  const organization = await mayOrganization(database, rights, 'DeviceManage', organizationId);
  return { ownerId: organization.owner_id, organization };
}
