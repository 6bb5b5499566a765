// Handlers of ptz/start and ptz/stop.
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import type { AuthorizedDevice } from '../../auth/authorize.ts';
import { CallError } from '../../core/call-error.ts';
import type { Handlers } from '../../http/handler.ts';
import type { SitePort } from '../../site-link/site-port.ts';
import { operatorOf, type PtzLeases } from './ptz-leases.ts';

export interface PtzDeps {
  readonly site: SitePort;
  readonly leases: PtzLeases;
}

export function ptzHandlers({ site, leases }: PtzDeps): Handlers<'ptz/start' | 'ptz/stop'> {
  return {
    'ptz/start': async ({ input, device, principal }) => {
      refuseOffline(device);
      const operatorId = operatorOf(principal.sessionId);
      const order = { principal, device, channelNo: input.channelNo };
      const isHeld = leases.acquire(order);
      const { userName, userType: rank } = principal;
      const { displaced } = await site.call('ptzStart', { ...input, operatorId, userName, rank });
      if (displaced !== null) leases.displaced(order, displaced);
      if (!isHeld()) {
        const { deviceSerial, channelNo } = input;
        await site.call('ptzStop', { deviceSerial, channelNo, operatorId, command: null });
      }
      return { operatorId };
    },
    'ptz/stop': async ({ input, device, principal }) => {
      refuseOffline(device);
      await site.call('ptzStop', { ...input, operatorId: operatorOf(principal.sessionId) });
      return {};
    },
  };
}

/** PM-03. */
export function refuseOffline(device: AuthorizedDevice): void {
  if (device.status !== DEVICE_STATUS.offline) return;
  throw new CallError('devResponseTimeOut', { reason: device.statusReason ?? 'offline' });
}
