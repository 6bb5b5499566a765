// Handlers of config/*: the site reads and writes the device; here the form of what is sent is checked and the device's absence told.
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import type { configCalls, FormatTask } from '@vedette/contract/calls/config.ts';
import { sectionValues } from '@vedette/contract/config/sections.ts';
import type { AuthorisedDevice } from '../../auth/may.ts';
import { CallError } from '../../call-error.ts';
import { fieldErrors } from '../../http/field-errors.ts';
import type { Handlers } from '../../http/handler.ts';
import type { SitePort } from '../../site-link/site-port.ts';
import type { SiteConfigState } from '@vedette/contract/site-config.ts';
import type { SiteFormat } from '@vedette/contract/site-upgrade.ts';

export interface ConfigParts {
  readonly site: SitePort;
}

export function configHandlers({ site }: ConfigParts): Handlers<keyof typeof configCalls> {
  return {
    'config/list': async ({ input, device }) => {
      refuseOffline(device);
      const { sections } = await site.call('configSections', input);
      return { sectionList: [...sections] };
    },
    'config/get': async ({ input, device }) => {
      refuseOffline(device);
      return toState(await site.call('configRead', input));
    },
    'config/set': async ({ input, device, audit }) => {
      audit.object = `${input.deviceSerial}/${input.channelNo} ${input.section}`;
      const parsed = sectionValues[input.section].safeParse(input.value);
      if (!parsed.success) {
        const issues = parsed.error.issues.map((issue) => ({ ...issue, path: ['value', ...issue.path] }));
        throw new CallError('paramInvalid', fieldErrors(issues, input));
      }
      refuseOffline(device);
      const written = await site.call('configWrite', { ...input, value: parsed.data });
      return { ...toState(written), differing: [...written.differing] };
    },
    'config/storage/format': async ({ input, device, audit }) => {
      audit.object = `${input.deviceSerial} disk ${input.disk}`;
      refuseOffline(device);
      return { task: toTask(input.disk, await site.call('formatStart', input)) };
    },
    'config/storage/format/status': async ({ input: { deviceSerial, disk } }) => ({
      task: toTask(disk, await site.call('formatStatus', { deviceSerial, disk })),
    }),
    'config/output/switch': async ({ input, device, audit }) => {
      audit.object = `${input.deviceSerial} ${input.output} ${input.isOn ? 'on' : 'off'}`;
      refuseOffline(device);
      return await site.call('outputSwitch', input);
    },
  };
}

function toTask(disk: string, { state, percent, code }: SiteFormat): FormatTask {
  return { disk, state, progress: percent, code };
}

/** Known to be away: its silence need not be waited for. */
function refuseOffline({ status, statusReason }: AuthorisedDevice): void {
  if (status === DEVICE_STATUS.offline)
    throw new CallError('devResponseTimeOut', { reason: statusReason ?? 'offline' });
}

function toState({ section, value, version, capabilities }: SiteConfigState) {
  return { section, value: { ...value }, version, capabilities: { ...capabilities } };
}
