// Handlers of devices: add, change, move and delete.
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import type { NamedAccountDeps } from '../../auth/named-account.ts';
import { CallError } from '../../core/call-error.ts';
import type { Handlers } from '../../http/handler.ts';
import type { RealtimeHub } from '../../bus/realtime-hub.ts';
import type { AssignmentSync } from '../../site-link/assignment-sync.ts';
import type { SitesPort } from '../../site-link/site-port.ts';
import type { DeviceAdder } from './device-adder.ts';
import { claimDevice, makeDeviceCode } from './device-claim.ts';
import { destinationFor } from './device-destination.ts';
import { usableSite } from '../site/site.facts.ts';
import { oneDevice } from './device-list.handlers.ts';
import { changeDevice, type DeviceChangerDeps } from './device-changer.ts';
import { removeDevice, revokeMoved } from './device-remover.ts';

export interface DeviceDeps extends DeviceChangerDeps, NamedAccountDeps {
  readonly adder: DeviceAdder;
  readonly assignmentSync: AssignmentSync;
  readonly hub: RealtimeHub;
  readonly site: SitesPort;
}

type DevicePath = 'device/add' | 'device/update' | 'device/move' | 'device/code' | 'device/reboot' | 'device/delete';

export function deviceHandlers(deps: DeviceDeps): Handlers<DevicePath> {
  const { database } = deps;
  return {
    'device/add': async ({ input, principal, rights, now }) => {
      const held = await rights();
      const place = await destinationFor(database, held, input.organizationId);
      const { target, deviceSerial: claimed = '', registrationCode = '' } = input;
      if (target === undefined) {
        const claim = { ...input, ...place, deviceSerial: claimed, registrationCode, rights: held, principal, now };
        const { deviceId, deviceSerial } = await claimDevice(deps, claim);
        await deps.assignmentSync.deviceChanged(deviceId, deviceSerial);
        return { device: await oneDevice(database, await rights(), deviceSerial) };
      }
      const deviceSerial = await deps.adder.add({
        ...input,
        target,
        ...place,
        rights: held,
        isOperator: isOperator(principal),
        siteId: await usableSite(database, principal, input.siteId),
        backfillFrom: null,
      });
      return { device: await oneDevice(database, held, deviceSerial) };
    },
    'device/update': async ({ input, device, principal, rights }) => {
      const isDone = await changeDevice(deps, device, input, isOperator(principal));
      const shown = await oneDevice(database, await rights(), input.deviceSerial);
      if (!isDone) throw new CallError('stale', shown);
      await deps.assignmentSync.deviceChanged(device.deviceId, device.deviceSerial);
      deps.hub.pushAbout({ kind: 'resourcesChanged' }, { kind: 'device', ...device });
      return { device: shown };
    },
    'device/move': async ({ input, device, rights, now }) => {
      const place = await destinationFor(database, await rights(), input.organizationId);
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
    'device/code': async ({ device, principal, now }) => await makeDeviceCode(database, device, principal.userId, now),
    'device/reboot': async ({ input }) => await deps.site.call('reboot', input),
    'device/delete': async ({ device, now }) => {
      await removeDevice(database, device, now);
      await deps.assignmentSync.deviceChanged(device.deviceId, device.deviceSerial);
      return {};
    },
  };
}

/** Only the operator's cameras may stand on loopback and link-local addresses. */
export function isOperator(principal: { userType: number }): boolean {
  return principal.userType === USER_TYPE.super;
}
