// The contract as one value: every call of the product by its path below /api/v1/.
import type { z } from 'zod';
import type { Call } from '../call.ts';
import { accountCalls } from './account.ts';
import { accountAccessCalls } from './account-access.ts';
import { accountSecurityCalls } from './account-security.ts';
import { accountSettingsCalls } from './account-settings.ts';
import { signInKeyCalls } from './sign-in-key.ts';
import { alarmCalls } from './alarm.ts';
import { alarmRuleCalls } from './alarm-rule.ts';
import { analysisCalls } from './analysis.ts';
import { appCalls } from './app.ts';
import { auditCalls } from './audit.ts';
import { clientVersionCalls, clientVersionUploads } from './client-version.ts';
import { backupPlanCalls } from './backup-plan.ts';
import { cdnCalls } from './cdn.ts';
import { cloudCalls } from './cloud.ts';
import { configCalls } from './config.ts';
import { costCalls } from './cost.ts';
import { deviceCalls } from './device.ts';
import { deviceConnectionCalls } from './device-connection.ts';
import { deviceMeasureCalls } from './device-measure.ts';
import { eventCalls } from './event.ts';
import { floorPlanCalls } from './floor-plan.ts';
import { groupCalls } from './group.ts';
import { identityProviderCalls } from './identity-provider.ts';
import { invitationCalls } from './invitation.ts';
import { layoutCalls } from './layout.ts';
import { mailConsentCalls } from './mail-consent.ts';
import { manualRecordingCalls } from './manual-recording.ts';
import { mediaCalls } from './media.ts';
import { launchCalls } from './launch.ts';
import { oauthCalls } from './oauth.ts';
import { onboardingCalls } from './onboarding.ts';
import { organizationCalls } from './organization.ts';
import { ptzCalls } from './ptz.ts';
import { quotaCalls } from './quota.ts';
import { recordExportCalls } from './record-export.ts';
import { recordGapCalls } from './record-gap.ts';
import { recordPlanCalls } from './record-plan.ts';
import { recorderGroupCalls } from './recorder-group.ts';
import { resourceCalls } from './resource.ts';
import { trialCalls } from './trial.ts';
import { roleCalls } from './role.ts';
import { shareCalls } from './share.ts';
import { shareLinkCalls } from './share-link.ts';
import { sightingCalls } from './sighting.ts';
import { siteCalls } from './site.ts';
import { statisticCalls } from './statistic.ts';
import { systemCalls } from './system.ts';
import { systemHealthCalls } from './system-health.ts';
import { systemLogCalls } from './system-log.ts';
import { taskReplayCalls } from './task-replay.ts';
import { talkCalls } from './talk.ts';
import { firmwareCalls } from './firmware.ts';
import { userCalls } from './user.ts';

export const calls = {
  ...accountCalls,
  ...accountAccessCalls,
  ...accountSecurityCalls,
  ...accountSettingsCalls,
  ...signInKeyCalls,
  ...alarmCalls,
  ...analysisCalls,
  ...taskReplayCalls,
  ...appCalls,
  ...auditCalls,
  ...alarmRuleCalls,
  ...clientVersionCalls,
  ...backupPlanCalls,
  ...cdnCalls,
  ...cloudCalls,
  ...configCalls,
  ...costCalls,
  ...deviceCalls,
  ...deviceConnectionCalls,
  ...deviceMeasureCalls,
  ...eventCalls,
  ...floorPlanCalls,
  ...groupCalls,
  ...identityProviderCalls,
  ...invitationCalls,
  ...layoutCalls,
  ...mailConsentCalls,
  ...manualRecordingCalls,
  ...mediaCalls,
  ...launchCalls,
  ...oauthCalls,
  ...onboardingCalls,
  ...organizationCalls,
  ...ptzCalls,
  ...quotaCalls,
  ...recordExportCalls,
  ...recordGapCalls,
  ...recordPlanCalls,
  ...resourceCalls,
  ...trialCalls,
  ...roleCalls,
  ...shareCalls,
  ...shareLinkCalls,
  ...sightingCalls,
  ...siteCalls,
  ...recorderGroupCalls,
  ...statisticCalls,
  ...systemCalls,
  ...systemHealthCalls,
  ...systemLogCalls,
  ...talkCalls,
  ...firmwareCalls,
  ...userCalls,
} as const satisfies Record<string, Call>;

/** Beside them what is sent as a file. */
export const uploads = clientVersionUploads;

export type UploadPath = keyof typeof uploads;
export type UploadInput<P extends UploadPath> = z.output<(typeof uploads)[P]['input']>;
export type UploadOutput<P extends UploadPath> = z.output<(typeof uploads)[P]['output']>;

export type CallPath = keyof typeof calls;
/** Calls that leave a line in the audit log. */
export type AuditedPath = {
  [P in CallPath]: (typeof calls)[P]['audit'] extends 'write' | 'watch' ? P : never;
}[CallPath];
/** What a caller sends. */
export type CallInput<P extends CallPath> = z.input<(typeof calls)[P]['input']>;
/** What a handler receives: defaults filled in. */
export type CallParsed<P extends CallPath> = z.output<(typeof calls)[P]['input']>;
export type CallOutput<P extends CallPath> = z.output<(typeof calls)[P]['output']>;

export interface Envelope<T = unknown> {
  readonly code: number;
  readonly message: string;
  readonly data: T;
}
