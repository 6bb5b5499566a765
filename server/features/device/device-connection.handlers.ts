// Handlers of the connection of a device: what is stored of it, and a look with other values that saves nothing.
import { requireFound } from '../../core/call-error.ts';
import { findDevice } from '../../database/device/device.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import { openSecrets } from '../../site-link/device-secrets.ts';
import { cleanText, hidePasswords } from './device-candidate.facts.ts';
import { type DeviceChangerDeps, probeAgain } from './device-changer.ts';
import { isOperator } from './device.handlers.ts';

export function deviceConnectionHandlers(
  deps: DeviceChangerDeps,
): Handlers<'device/connection/get' | 'device/connection/test'> {
  return {
    'device/connection/get': async ({ device }) => {
      const row = requireFound(await findDevice(deps.database, device.deviceId), 'devNotExist');
      const { target, user, password } = openSecrets(deps.box, row);
      return { target: hidePasswords(target), user, hasPassword: password !== '' };
    },
    'device/connection/test': async ({ input, device, principal }) => {
      const { candidate, isSame } = await probeAgain(deps, device, input, isOperator(principal));
      return {
        manufacturer: cleanText(candidate.manufacturer),
        deviceModel: cleanText(candidate.deviceModel),
        driver: candidate.driver,
        channelTotal: candidate.channels.length,
        isSameDevice: isSame,
      };
    },
  };
}
