// Handlers of device/transfer/*: offer a device to another account, accept, refuse, and list offers.
import type { DeviceTransfer } from '@vedette/contract/calls/onboarding.ts';
import type { NamedAccountDeps } from '../../auth/named-account.ts';
import type { RealtimeHub } from '../../bus/realtime-hub.ts';
import { requireFound } from '../../core/call-error.ts';
import { endTransfer, openTransfersOf } from '../../database/device/device-transfer.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import type { AssignmentSync } from '../../site-link/assignment-sync.ts';
import { acceptDevice, offerDevice } from './device-transfer.ts';

export interface DeviceTransferDeps extends NamedAccountDeps {
  readonly assignmentSync: AssignmentSync;
  readonly hub: RealtimeHub;
}

type TransferPath = 'device/transfer' | `device/transfer/${'list' | 'accept' | 'refuse'}`;

export function deviceTransferHandlers(deps: DeviceTransferDeps): Handlers<TransferPath> {
  const { database, hub, assignmentSync } = deps;
  const tell = (...accountIds: readonly string[]): void => hub.pushTo({ kind: 'resourcesChanged' }, accountIds);
  return {
    'device/transfer': async ({ input, device, principal, now, audit }) => {
      const offer = { giverId: principal.userId, account: input.account, now };
      const { transferId, takerId, concerned } = await offerDevice(deps, device, offer);
      audit.ownerIds.push(takerId);
      tell(...concerned);
      return { transferId };
    },
    'device/transfer/list': async ({ principal, now }) => {
      const asked = { accountId: principal.userId, now };
      const received = await openTransfersOf(database, { ...asked, side: 'taker_id' });
      const given = await openTransfersOf(database, { ...asked, side: 'giver_id' });
      return { transferList: [...received, ...given].map((row) => toTransfer(row, principal.userId)) };
    },
    'device/transfer/accept': async ({ input, principal, now, audit }) => {
      const { deviceId, deviceSerial, giverId } = await acceptDevice(database, principal, input.transferId, now);
      audit.object = `deviceSerial=${deviceSerial}`;
      audit.ownerIds.push(giverId);
      await assignmentSync.deviceChanged(deviceId, deviceSerial);
      tell(giverId, principal.userId);
      return { deviceSerial };
    },
    'device/transfer/refuse': async ({ input, principal, now, audit }) => {
      const which = { transferId: input.transferId, accountId: principal.userId, now };
      const ended = requireFound(await endTransfer(database, which), 'notFound');
      const sides = [ended.giver_id, ended.taker_id];
      audit.object = `deviceSerial=${ended.device_serial}`;
      audit.ownerIds.push(...sides);
      tell(...sides);
      return {};
    },
  };
}

function toTransfer(row: Awaited<ReturnType<typeof openTransfersOf>>[number], accountId: string): DeviceTransfer {
  return {
    transferId: row.transfer_id,
    deviceSerial: row.device_serial,
    deviceName: row.device_name,
    deviceType: row.device_type,
    channelTotal: row.channel_total ?? 0,
    isGiven: row.giver_id === accountId,
    owner: row.giver_name,
    account: row.taker_name,
    createTime: row.created_at,
    endTime: row.end_time,
  };
}
