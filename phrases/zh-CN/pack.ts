// The simplified Chinese pack as one value.
import type { Pack } from '../pack.ts';
import { words } from './words.ts';
import { alarmRules } from './alarm-rules.ts';
import { account } from './account.ts';
import { accountSettings } from './account-settings.ts';
import { alarms } from './alarms.ts';
import { alarmTypes } from './alarm-types.ts';
import { apps } from './apps.ts';
import { auditFields } from './audit-fields.ts';
import { audited, auditedObjects } from './audited.ts';
import { clientVersions } from './client-versions.ts';
import { cdnLive } from './cdn-live.ts';
import { disks } from './disks.ts';
import { cloudStorage } from './cloud-storage.ts';
import { config } from './config.ts';
import { consumption } from './consumption.ts';
import { devices } from './devices.ts';
import { errors, reasons } from './errors.ts';
import { exports } from './export.ts';
import { firmware } from './firmware.ts';
import { edgeIntelligence } from './edge-intelligence.ts';
import { floorPlans } from './floor-plans.ts';
import { identityProviders } from './identity-providers.ts';
import { layouts } from './layouts.ts';
import { live } from './live.ts';
import { login } from './login.ts';
import { mailConsent } from './mail-consent.ts';
import { manual } from './manual.ts';
import { organizations } from './organizations.ts';
import { overview } from './overview.ts';
import { permissions } from './permissions.ts';
import { onboarding } from './onboarding.ts';
import { playback } from './playback.ts';
import { ptz } from './ptz.ts';
import { quotas } from './quotas.ts';
import { resources } from './resources.ts';
import { trial } from './trial.ts';
import { share } from './share.ts';
import { shell } from './shell.ts';
import { sites } from './sites.ts';
import { statistics } from './statistics.ts';
import { system } from './system.ts';
import { systemHealth } from './system-health.ts';
import { systemLog } from './system-log.ts';
import { talk } from './talk.ts';
import { timePlan } from './time-plan.ts';
import { tree } from './tree.ts';

export const pack: Pack = {
  ...words,
  ...errors,
  ...reasons,
  ...login,
  ...account,
  ...accountSettings,
  ...identityProviders,
  ...shell,
  ...quotas,
  ...resources,
  ...trial,
  ...share,
  ...tree,
  ...alarmTypes,
  ...alarms,
  ...alarmRules,
  ...mailConsent,
  ...manual,
  ...audited,
  ...auditFields,
  ...auditedObjects,
  ...apps,
  ...clientVersions,
  ...cdnLive,
  ...cloudStorage,
  ...disks,
  ...config,
  ...consumption,
  ...devices,
  ...edgeIntelligence,
  ...onboarding,
  ...organizations,
  ...overview,
  ...permissions,
  ...sites,
  ...statistics,
  ...system,
  ...systemHealth,
  ...systemLog,
  ...floorPlans,
  ...layouts,
  ...live,
  ...playback,
  ...timePlan,
  ...talk,
  ...ptz,
  ...exports,
  ...firmware,
};
