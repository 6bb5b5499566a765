// The contract as one value: every call of the product by its path below /api/v1/.
import type { z } from 'zod';
import type { Call } from './call.ts';
import { accountCalls } from './calls/account.ts';
import { accountAccessCalls } from './calls/account-access.ts';
import { accountSecurityCalls } from './calls/account-security.ts';
import { accountSettingsCalls } from './calls/account-settings.ts';
import { alarmCalls } from './calls/alarm.ts';
import { alarmRuleCalls } from './calls/alarm-rule.ts';
import { auditCalls } from './calls/audit.ts';
import { configCalls } from './calls/config.ts';
import { deviceCalls } from './calls/device.ts';
import { eventCalls } from './calls/event.ts';
import { groupCalls } from './calls/group.ts';
import { invitationCalls } from './calls/invitation.ts';
import { layoutCalls } from './calls/layout.ts';
import { mailConsentCalls } from './calls/mail-consent.ts';
import { manualRecordingCalls } from './calls/manual-recording.ts';
import { mediaCalls } from './calls/media.ts';
import { onboardingCalls } from './calls/onboarding.ts';
import { organizationCalls } from './calls/organization.ts';
import { ptzCalls } from './calls/ptz.ts';
import { quotaCalls } from './calls/quota.ts';
import { recordExportCalls } from './calls/record-export.ts';
import { recordPlanCalls } from './calls/record-plan.ts';
import { roleCalls } from './calls/role.ts';
import { shareCalls } from './calls/share.ts';
import { shareLinkCalls } from './calls/share-link.ts';
import { siteCalls } from './calls/site.ts';
import { systemCalls } from './calls/system.ts';
import { talkCalls } from './calls/talk.ts';
import { firmwareCalls } from './calls/firmware.ts';
import { userCalls } from './calls/user.ts';

export const calls = {
  ...accountCalls,
  ...accountAccessCalls,
  ...accountSecurityCalls,
  ...accountSettingsCalls,
  ...alarmCalls,
  ...auditCalls,
  ...alarmRuleCalls,
  ...configCalls,
  ...deviceCalls,
  ...eventCalls,
  ...groupCalls,
  ...invitationCalls,
  ...layoutCalls,
  ...mailConsentCalls,
  ...manualRecordingCalls,
  ...mediaCalls,
  ...onboardingCalls,
  ...organizationCalls,
  ...ptzCalls,
  ...quotaCalls,
  ...recordExportCalls,
  ...recordPlanCalls,
  ...roleCalls,
  ...shareCalls,
  ...shareLinkCalls,
  ...siteCalls,
  ...systemCalls,
  ...talkCalls,
  ...firmwareCalls,
  ...userCalls,
} as const satisfies Record<string, Call>;

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
