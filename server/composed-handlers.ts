// All call handlers as one table; a missing or misspelt handler does not compile.
import { type AccountDeps, accountHandlers } from './features/account/account.handlers.ts';
import { accountSettingsHandlers } from './features/account/account-settings.handlers.ts';
import { invitationHandlers } from './features/account/invitation.handlers.ts';
import { type AccountAccessDeps, accountAccessHandlers } from './features/account/account-access.handlers.ts';
import { resetLinkHandlers } from './features/account/reset-link.handlers.ts';
import { type AccountSecurityDeps, accountSecurityHandlers } from './features/account/account-security.handlers.ts';
import { type AlarmDeps, alarmHandlers } from './features/alarm/alarm.handlers.ts';
import { type AlarmSnapshotDeps, alarmSnapshotHandlers } from './features/alarm/alarm-snapshot.handlers.ts';
import { type AlarmReportDeps, alarmReportHandlers } from './features/alarm/alarm-report.handlers.ts';
import { type AlarmChannelDeps, alarmChannelHandlers } from './features/alarm-rule/alarm-channel.handlers.ts';
import { type MailConsentHandlerDeps, mailConsentHandlers } from './features/alarm-rule/mail-consent.handlers.ts';
import { type EventDeps, eventHandlers } from './features/event/event.handlers.ts';
import { type AlarmRuleDeps, alarmRuleHandlers } from './features/alarm-rule/alarm-rule.handlers.ts';
import { auditHandlers } from './features/audit/audit.handlers.ts';
import { type ChannelDeps, channelHandlers } from './features/channel/channel.handlers.ts';
import { type ConfigDeps, configHandlers } from './features/config/config.handlers.ts';
import { type DeviceDeps, deviceHandlers } from './features/device/device.handlers.ts';
import { deviceTransferHandlers } from './features/device/device-transfer.handlers.ts';
import { type DiscoverDeps, discoverHandlers } from './features/device/discover.handlers.ts';
import { type DeviceImportDeps, deviceImportHandlers } from './features/device/import/device-import.handlers.ts';
import { deviceListHandlers } from './features/device/device-list.handlers.ts';
import { type GroupDeps, groupHandlers } from './features/group/group.handlers.ts';
import { type LayoutDeps, layoutHandlers } from './features/layout/layout.handlers.ts';
import { type MediaDeps, mediaHandlers } from './features/media/media.handlers.ts';
import { type ProbeDeps, probeHandlers } from './features/media/probe.handlers.ts';
import { organizationHandlers } from './features/organization/organization.handlers.ts';
import { type ViewDeps, viewHandlers } from './features/organization/view.handlers.ts';
import { type RecordingMarkDeps, recordingMarkHandlers } from './features/record/recording-mark.handlers.ts';
import { type PlanDeps, planHandlers } from './features/record/plan.handlers.ts';
import { type ManualRecordingDeps, manualRecordingHandlers } from './features/record/manual-recording.handlers.ts';
import { patrolHandlers } from './features/ptz/patrol.handlers.ts';
import { type PresetDeps, presetHandlers } from './features/ptz/preset.handlers.ts';
import { type PtzDeps, ptzHandlers } from './features/ptz/ptz.handlers.ts';
import { quotaHandlers } from './features/quota/quota.handlers.ts';
import { type RecordExportDeps, recordExportHandlers } from './features/record-export/record-export.handlers.ts';
import { type RecordDeps, recordHandlers } from './features/record/record.handlers.ts';
import { roleHandlers } from './features/role/role.handlers.ts';
import { sessionHandlers } from './features/session/session.handlers.ts';
import { type ShareDeps, shareHandlers } from './features/share/share.handlers.ts';
import { type ShareLinkDeps, shareLinkHandlers } from './features/share/share-link.handlers.ts';
import { type NatDeps, natHandlers } from './features/site/nat.handlers.ts';
import { type SiteDeps, siteHandlers } from './features/site/site.handlers.ts';
import { type SystemDeps, systemHandlers } from './features/system/system.handlers.ts';
import { type TalkDeps, talkHandlers } from './features/talk/talk.handlers.ts';
import { type FirmwareDeps, firmwareHandlers } from './features/firmware/firmware.handlers.ts';
import { resetHandlers } from './features/user/reset.handlers.ts';
import { type UserDeps, userHandlers } from './features/user/user.handlers.ts';
import type { AllHandlers } from './http/handler.ts';

export type HandlerDeps = AccountDeps &
  AlarmDeps &
  AlarmSnapshotDeps &
  AlarmReportDeps &
  AlarmChannelDeps &
  AlarmRuleDeps &
  MailConsentHandlerDeps &
  EventDeps &
  ChannelDeps &
  ConfigDeps &
  DeviceDeps &
  DeviceImportDeps &
  DiscoverDeps &
  GroupDeps &
  LayoutDeps &
  ManualRecordingDeps &
  RecordingMarkDeps &
  MediaDeps &
  PlanDeps &
  PresetDeps &
  ProbeDeps &
  PtzDeps &
  RecordExportDeps &
  RecordDeps &
  AccountAccessDeps &
  AccountSecurityDeps &
  ShareDeps &
  ShareLinkDeps &
  NatDeps &
  SiteDeps &
  SystemDeps &
  TalkDeps &
  FirmwareDeps &
  UserDeps &
  ViewDeps;

export function composeHandlers(deps: HandlerDeps): AllHandlers {
  return {
    ...accountHandlers(deps),
    ...accountSettingsHandlers(deps),
    ...alarmHandlers(deps),
    ...alarmSnapshotHandlers(deps),
    ...alarmReportHandlers(deps),
    ...alarmChannelHandlers(deps),
    ...alarmRuleHandlers(deps),
    ...mailConsentHandlers(deps),
    ...eventHandlers(deps),
    ...auditHandlers(deps),
    ...channelHandlers(deps),
    ...configHandlers(deps),
    ...deviceHandlers(deps),
    ...deviceTransferHandlers(deps),
    ...deviceImportHandlers(deps),
    ...deviceListHandlers(deps),
    ...discoverHandlers(deps),
    ...groupHandlers(deps),
    ...invitationHandlers(deps),
    ...layoutHandlers(deps),
    ...recordingMarkHandlers(deps),
    ...manualRecordingHandlers(deps),
    ...mediaHandlers(deps),
    ...organizationHandlers(deps),
    ...planHandlers(deps),
    ...patrolHandlers(deps),
    ...presetHandlers(deps),
    ...probeHandlers(deps),
    ...ptzHandlers(deps),
    ...quotaHandlers(deps),
    ...recordExportHandlers(deps),
    ...recordHandlers(deps),
    ...accountAccessHandlers(deps),
    ...roleHandlers(deps),
    ...accountSecurityHandlers(deps),
    ...sessionHandlers(deps),
    ...shareHandlers(deps),
    ...shareLinkHandlers(deps),
    ...natHandlers(deps),
    ...siteHandlers(deps),
    ...systemHandlers(deps),
    ...talkHandlers(deps),
    ...firmwareHandlers(deps),
    ...userHandlers(deps),
    ...resetHandlers(deps),
    ...resetLinkHandlers(deps),
    ...viewHandlers(deps),
  };
}
