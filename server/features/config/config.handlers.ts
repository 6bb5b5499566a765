// Handlers of config/*: check the input's form; the site reads and writes the device.
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import type { configCalls, FormatTask } from '@vedette/contract/calls/config.ts';
import { sectionValues } from '@vedette/contract/config/section-schemas.ts';
import { type AuthorizedDevice, authorizeDevice } from '../../auth/authorize.ts';
import { CallError } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import { fieldErrors } from '../../http/field-errors.ts';
import type { Handlers } from '../../http/handler.ts';
import type { SitePort } from '../../site-link/site-port.ts';
import type { SiteConfigState } from '@vedette/contract/site/site-config.ts';
import type { SectionName } from '@vedette/contract/config/section-names.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { SiteCalls } from '@vedette/contract/site/site.ts';
import { type ArmingTarget, saveArmingPlan, splitArmingPlan, withArmingPlan } from './arming-plan.ts';
import type { SiteFormat } from '@vedette/contract/site/site-device-maintenance.ts';

export interface ConfigDeps {
  readonly database: Database;
  readonly site: SitePort;
}

export function configHandlers(deps: ConfigDeps): Handlers<keyof typeof configCalls> {
  const { site, database } = deps;
  return {
    'config/list': async ({ input, device }) => {
      refuseOffline(device);
      const { sections } = await site.call('configSections', input);
      return { sectionList: [...sections] };
    },
    'config/get': async ({ input, device }) => {
      refuseOffline(device);
      return toState(
        await withArmingPlan(database, configTargetOf(device, input), await site.call('configRead', input)),
      );
    },
    'config/set': async ({ input, device, rights, audit }) => {
      audit.object = `${audit.object} section=${input.section}`;
      const parsed = sectionValues[input.section].safeParse(input.value);
      if (!parsed.success) {
        const issues = parsed.error.issues.map((issue) => ({ ...issue, path: ['value', ...issue.path] }));
        throw new CallError('paramInvalid', fieldErrors(issues, input));
      }
      // Overwriting old recordings is a right over recordings.
      if (input.section === 'storage') await authorizeDevice(database, await rights(), 'RecordConfig', input);
      refuseOffline(device);
      const place = configTargetOf(device, input);
      const change = await splitArmingPlan(database, place, { version: input.version, value: parsed.data });
      const { value, version, plan } = change;
      if (change.isStale) {
        const newer = await withArmingPlan(database, place, await site.call('configRead', input));
        throw new CallError('stale', toState(newer));
      }
      const isForDevice = plan === null || Object.keys(value).length > 0;
      const written = isForDevice
        ? await writeOnSite(deps, place, { ...input, value, version })
        : { ...(await site.call('configRead', input)), differing: [] };
      if (plan !== null) await saveArmingPlan(database, place, plan);
      return { ...toState(await withArmingPlan(database, place, written)), differing: [...written.differing] };
    },
    'config/storage/format': async ({ input, device, audit }) => {
      audit.object = `${audit.object} disk=${input.disk}`;
      refuseOffline(device);
      return { task: toTask(input.disk, await site.call('formatStart', input)) };
    },
    'config/storage/format/status': async ({ input: { deviceSerial, disk } }) => ({
      task: toTask(disk, await site.call('formatStatus', { deviceSerial, disk })),
    }),
    'config/output/switch': async ({ input, device, audit }) => {
      audit.object = `${audit.object} output=${input.output} isOn=${input.isOn}`;
      refuseOffline(device);
      return await site.call('outputSwitch', input);
    },
  };
}

/** A stale edit returns the newer state with its plan. */
async function writeOnSite(
  { site, database }: ConfigDeps,
  place: ArmingTarget,
  input: SiteCalls['configWrite']['input'],
): Promise<SiteCalls['configWrite']['output']> {
  try {
    return await site.call('configWrite', input);
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== ERROR_CODES.stale) throw error;
    throw new CallError('stale', toState(await withArmingPlan(database, place, error.data as SiteConfigState)));
  }
}

function configTargetOf(
  { deviceId }: AuthorizedDevice,
  { channelNo, section }: { readonly channelNo: number; readonly section: SectionName },
): ArmingTarget {
  return { deviceId, channelNo, section };
}

function toTask(disk: string, { state, percent, code }: SiteFormat): FormatTask {
  return { disk, state, progress: percent, code };
}

/** Known to be offline: not waited for. */
function refuseOffline({ status, statusReason }: AuthorizedDevice): void {
  if (status === DEVICE_STATUS.offline)
    throw new CallError('devResponseTimeOut', { reason: statusReason ?? 'offline' });
}

function toState({ section, value, version, capabilities }: SiteConfigState) {
  return { section, value: { ...value }, version, capabilities: { ...capabilities } };
}
