// All call handlers as one table; a missing or misspelt handler does not compile.
import { type AccountParts, accountHandlers } from './features/account/account.handlers.ts';
import { accountSettingsHandlers } from './features/account/account-settings.handlers.ts';
import { invitationHandlers } from './features/account/invitation.handlers.ts';
import { type RegistrationParts, registrationHandlers } from './features/account/registration.handlers.ts';
import { resetLinkHandlers } from './features/account/reset-link.handlers.ts';
import { type SafetyParts, safetyHandlers } from './features/account/safety.handlers.ts';
import { type AlarmParts, alarmHandlers } from './features/alarm/alarm.handlers.ts';
import { type AlarmPictureParts, alarmPictureHandlers } from './features/alarm/alarm-picture.handlers.ts';
import { type AlarmReportParts, alarmReportHandlers } from './features/alarm/alarm-report.handlers.ts';
import { type AlarmChannelParts, alarmChannelHandlers } from './features/alarm-rule/channel.handlers.ts';
import { type MailConsentHandlerParts, mailConsentHandlers } from './features/alarm-rule/consent.handlers.ts';
import { type EventParts, eventHandlers } from './features/alarm-rule/event.handlers.ts';
import { type AlarmRuleParts, alarmRuleHandlers } from './features/alarm-rule/rule.handlers.ts';
import { auditHandlers } from './features/audit/audit.handlers.ts';
import { type ChannelParts, channelHandlers } from './features/channel/channel.handlers.ts';
import { type ConfigParts, configHandlers } from './features/config/config.handlers.ts';
import { type DeviceParts, deviceHandlers } from './features/device/device.handlers.ts';
import { deviceTransferHandlers } from './features/device/device-transfer.handlers.ts';
import { type DiscoverParts, discoverHandlers } from './features/device/discover.handlers.ts';
import { type DeviceImportParts, deviceImportHandlers } from './features/device/import/device-import.handlers.ts';
import { deviceListHandlers } from './features/device/device-list.handlers.ts';
import { type GroupParts, groupHandlers } from './features/group/group.handlers.ts';
import { type LayoutParts, layoutHandlers } from './features/layout/layout.handlers.ts';
import { type MediaParts, mediaHandlers } from './features/media/media.handlers.ts';
import { type ProbeParts, probeHandlers } from './features/media/probe.handlers.ts';
import { organizationHandlers } from './features/organization/organization.handlers.ts';
import { type ViewParts, viewHandlers } from './features/organization/view.handlers.ts';
import { type KeptFootageParts, keptFootageHandlers } from './features/record/kept-footage.handlers.ts';
import { type PlanParts, planHandlers } from './features/record/plan.handlers.ts';
import { type ManualRecordingParts, manualRecordingHandlers } from './features/record/manual-recording.handlers.ts';
import { patrolHandlers } from './features/ptz/patrol.handlers.ts';
import { type PresetParts, presetHandlers } from './features/ptz/preset.handlers.ts';
import { type PtzParts, ptzHandlers } from './features/ptz/ptz.handlers.ts';
import { quotaHandlers } from './features/quota/quota.handlers.ts';
import { type RecordExportParts, recordExportHandlers } from './features/record-export/record-export.handlers.ts';
import { type RecordParts, recordHandlers } from './features/record/record.handlers.ts';
import { roleHandlers } from './features/role/role.handlers.ts';
import { sessionHandlers } from './features/session/session.handlers.ts';
import { type ShareParts, shareHandlers } from './features/share/share.handlers.ts';
import { type ShareLinkParts, shareLinkHandlers } from './features/share/share-link.handlers.ts';
import { type NatParts, natHandlers } from './features/site/nat.handlers.ts';
import { type SiteParts, siteHandlers } from './features/site/site.handlers.ts';
import { type SystemParts, systemHandlers } from './features/system/system.handlers.ts';
import { type TalkParts, talkHandlers } from './features/talk/talk.handlers.ts';
import { type UpgradeParts, upgradeHandlers } from './features/upgrade/upgrade.handlers.ts';
import { resetHandlers } from './features/user/reset.handlers.ts';
import { type UserParts, userHandlers } from './features/user/user.handlers.ts';
import type { AllHandlers } from './http/handler.ts';

export type HandlerParts = AccountParts &
  AlarmParts &
  AlarmPictureParts &
  AlarmReportParts &
  AlarmChannelParts &
  AlarmRuleParts &
  MailConsentHandlerParts &
  EventParts &
  ChannelParts &
  ConfigParts &
  DeviceParts &
  DeviceImportParts &
  DiscoverParts &
  GroupParts &
  LayoutParts &
  ManualRecordingParts &
  KeptFootageParts &
  MediaParts &
  PlanParts &
  PresetParts &
  ProbeParts &
  PtzParts &
  RecordExportParts &
  RecordParts &
  RegistrationParts &
  SafetyParts &
  ShareParts &
  ShareLinkParts &
  NatParts &
  SiteParts &
  SystemParts &
  TalkParts &
  UpgradeParts &
  UserParts &
  ViewParts;

export function composeHandlers(parts: HandlerParts): AllHandlers {
  return {
    ...accountHandlers(parts),
    ...accountSettingsHandlers(parts),
    ...alarmHandlers(parts),
    ...alarmPictureHandlers(parts),
    ...alarmReportHandlers(parts),
    ...alarmChannelHandlers(parts),
    ...alarmRuleHandlers(parts),
    ...mailConsentHandlers(parts),
    ...eventHandlers(parts),
    ...auditHandlers(parts),
    ...channelHandlers(parts),
    ...configHandlers(parts),
    ...deviceHandlers(parts),
    ...deviceTransferHandlers(parts),
    ...deviceImportHandlers(parts),
    ...deviceListHandlers(parts),
    ...discoverHandlers(parts),
    ...groupHandlers(parts),
    ...invitationHandlers(parts),
    ...layoutHandlers(parts),
    ...keptFootageHandlers(parts),
    ...manualRecordingHandlers(parts),
    ...mediaHandlers(parts),
    ...organizationHandlers(parts),
    ...planHandlers(parts),
    ...patrolHandlers(parts),
    ...presetHandlers(parts),
    ...probeHandlers(parts),
    ...ptzHandlers(parts),
    ...quotaHandlers(parts),
    ...recordExportHandlers(parts),
    ...recordHandlers(parts),
    ...registrationHandlers(parts),
    ...roleHandlers(parts),
    ...safetyHandlers(parts),
    ...sessionHandlers(parts),
    ...shareHandlers(parts),
    ...shareLinkHandlers(parts),
    ...natHandlers(parts),
    ...siteHandlers(parts),
    ...systemHandlers(parts),
    ...talkHandlers(parts),
    ...upgradeHandlers(parts),
    ...userHandlers(parts),
    ...resetHandlers(parts),
    ...resetLinkHandlers(parts),
    ...viewHandlers(parts),
  };
}
