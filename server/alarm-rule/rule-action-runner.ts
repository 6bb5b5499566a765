// Runs one action of an alarm rule with the current rights of its owner: notifies, records, takes a snapshot, moves a camera.
import type { DeliveryReason } from '@vedette/contract/alarm-channels.ts';
import { RAISED_ALARM_TYPES } from '@vedette/contract/alarm-types.ts';
import type { AlarmRuleAction } from '@vedette/contract/calls/alarm-rule.ts';
import { USER_TYPE, WEB_HIDDEN_DEVICE_TYPES } from '@vedette/contract/enumerations.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { Permission } from '@vedette/contract/permissions.ts';
import { isSuppressed } from '@vedette/rules/alarm/rule-match.ts';
import { authorizeDevice, deviceObject } from '../auth/authorize.ts';
import { loadAccountRights } from '../auth/rights.ts';
import type { RealtimeHub } from '../bus/realtime-hub.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { CallError, requireFound } from '../core/call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { LeaseLost } from '../database/fenced-dialect.ts';
import { findAccount } from '../database/account/account.queries.ts';
import { storeAlarmSnapshot } from '../database/alarm/alarm-snapshot.queries.ts';
import { findChannelOf, recordDelivery, suppressionOf } from '../database/alarm/alarm-rule.queries.ts';
import type { AlarmChannelRow } from '../database/schema/alarm-schema.ts';
import { findChannel } from '../database/device/channel.queries.ts';
import type { Database } from '../database/connection.ts';
import { presetsOf } from '../database/device/preset.queries.ts';
import type { AccountRow } from '../database/schema/schema.ts';
import { unsubscribeLine } from '../mail/message-texts.ts';
import { mailAddresses } from '../notifiers/email/mail-addresses.ts';
import { type AlarmMessage, type MailPort, NotifyError } from '../notifiers/kit/notifier.ts';
import { NOTIFIERS } from '../notifiers/registry.ts';
import type { MessageBudget } from '../mail/message-budget.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import { OutboundError } from '../outbound/outbound-fault.ts';
import type { SitePort } from '../site-link/site-port.ts';
import { ALARM_SNAPSHOT_WIDTH } from '../features/alarm/alarm-snapshot.handlers.ts';
import type { MailConsents } from './mail-consents.ts';
import { type MessageAlarm, alarmMessage } from './alarm-message.ts';
import { outgoingMessagesOf } from './send-targets.ts';
import type { VapidKeys } from './vapid-keys.ts';

export interface RuleActionRunnerDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly box: SecretBox;
  readonly site: SitePort;
  readonly pages: Pick<RealtimeHub, 'pushAbout' | 'pushTo'>;
  readonly outbound: OutboundClient;
  readonly mail: MailPort;
  readonly vapid: VapidKeys;
  readonly budget: MessageBudget;
  readonly mailConsents: MailConsents;
  /** Never fails: a mail that is sent must not be sent again. */
  readonly onMailSent: (account: AccountRow) => Promise<void>;
  /** Where the console opens, without a path; null: unknown. */
  readonly consoleUrl: () => Promise<string | null>;
  /** Of this installation. */
  readonly timeZone: string;
}

export interface RuleActionRun {
  readonly deliveryId: string;
  readonly accountId: string;
  readonly action: AlarmRuleAction;
  readonly alarm: MessageAlarm;
  readonly foldedCount: number;
  /** By the test button: suppression and age are ignored. */
  readonly isTest: boolean;
  /** Throws LeaseLost once another server may do the same; asked right before what cannot be taken back. Absent: a person asks. */
  readonly assertHeld?: () => void;
}

export interface RuleActionResult {
  readonly isDone: boolean;
  readonly isSkipped: boolean;
  readonly reason: DeliveryReason | null;
  readonly detail: string;
  readonly isFinal: boolean;
  readonly retryAfterMs: number | null;
}

type WallAction = Extract<AlarmRuleAction, { kind: 'wall' }>;

/** Succeeded, with what was left out. */
type Partly = Pick<RuleActionResult, 'reason' | 'detail'>;

/** After this time cameras are not moved and nothing is recorded: the event is over. */
const FRESH_MS = 60_000;

export class RuleActionRunner {
  readonly #deps: RuleActionRunnerDeps;

  constructor(deps: RuleActionRunnerDeps) {
    this.#deps = deps;
  }

  /** Never throws for failures of others; LeaseLost where another server may do it by now. */
  async run(act: RuleActionRun): Promise<RuleActionResult> {
    try {
      const done = await this.#execute(act);
      // Some recipients have not consented yet: send to the others.
      if (typeof done === 'object' && done !== null) return { isDone: true, isSkipped: false, ...NO_MORE, ...done };
      return { isDone: done === null, isSkipped: done !== null, reason: done, ...NO_MORE };
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      const end = resultOf(error);
      // A rate-limited test says nothing about the channel.
      const isOfChannel = act.action.kind === 'notify' && !(act.isTest && end.reason === 'budget');
      if (act.action.kind === 'notify' && isOfChannel)
        await this.#recordDelivery(act.action.channelIds[0] ?? '', end.reason);
      return end;
    }
  }

  /** Returns why it was skipped; null if it was done. */
  async #execute(act: RuleActionRun): Promise<DeliveryReason | Partly | null> {
    const { action, alarm, accountId, isTest } = act;
    if (action.kind === 'notify') return await this.#notify(act, action.channelIds[0] ?? '');
    const { clock } = this.#deps;
    if (!isTest && clock.wallMs() - alarm.start_time > FRESH_MS) return 'late';
    if (action.kind === 'record') {
      if (alarm.channel_no === 0) return 'gone';
      const { device_serial: deviceSerial, channel_no: channelNo, start_time: startTime } = alarm;
      await this.#authorize(accountId, 'Replay', { deviceSerial, channelNo });
      const endTime = Math.max(startTime, clock.wallMs()) + action.seconds * 1000;
      await this.#siteFor(act).call('trigger', { deviceSerial, channelNo, startTime, endTime, reason: alarm.type });
      return null;
    }
    if (action.kind === 'snapshot') return await this.#takeSnapshot(act);
    if (action.kind === 'wall') return await this.#showOnWall(act, action);
    if (action.kind === 'output') {
      const { deviceSerial, channelNo, output, isOn } = action;
      await this.#authorize(accountId, 'Config', { deviceSerial, channelNo });
      await this.#siteFor(act).call('outputSwitch', { deviceSerial, channelNo, output, isOn });
      return null;
    }
    const { deviceSerial, channelNo, presetIndex } = action;
    const token = await this.#presetToken(accountId, { deviceSerial, channelNo }, presetIndex);
    if (token === null) return 'gone';
    await this.#siteFor(act).call('presetGoto', { deviceSerial, channelNo, token });
    return null;
  }

  #siteFor({ assertHeld }: RuleActionRun): SitePort {
    assertHeld?.();
    return this.#deps.site;
  }

  async #takeSnapshot({ accountId, alarm, isTest }: RuleActionRun): Promise<DeliveryReason | null> {
    const { database, site } = this.#deps;
    if (alarm.channel_no === 0) return 'gone';
    const { device_serial: deviceSerial, channel_no: channelNo, start_time: startTime, alarm_id: alarmId } = alarm;
    await this.#authorize(accountId, 'Realplay', { deviceSerial, channelNo });
    const asked = { deviceSerial, channelNo, at: null, width: ALARM_SNAPSHOT_WIDTH };
    const { picture } = await site.call('picture', asked);
    if (picture === null) throw new CallError('devResponseTimeOut');
    if (isTest) return null;
    const { contentType, at } = picture;
    const data = Buffer.from(picture.data, 'base64');
    await storeAlarmSnapshot(database, { startTime, alarmId }, { contentType, data, at });
    return null;
  }

  async #showOnWall(
    { accountId, alarm, assertHeld }: RuleActionRun,
    { seconds, walls }: WallAction,
  ): Promise<DeliveryReason | null> {
    const { clock, pages } = this.#deps;
    if (alarm.channel_no === 0) return 'gone';
    const { device_serial: deviceSerial, channel_no: channelNo, alarm_id: alarmId, type } = alarm;
    // What happens on the walls of others is a setting of the camera.
    const right = walls === 'own' ? 'Realplay' : 'Config';
    const device = await this.#authorize(accountId, right, { deviceSerial, channelNo });
    const at = clock.wallMs();
    const event = { kind: 'alarmWindow', deviceSerial, channelNo, alarmId, type, at, seconds } as const;
    assertHeld?.();
    const isHiddenFromWeb = WEB_HIDDEN_DEVICE_TYPES.includes(alarm.device_type);
    if (walls === 'own') pages.pushTo(event, [accountId]);
    else pages.pushAbout(event, deviceObject(device, channelNo), { action: 'Realplay', isHiddenFromWeb });
    return null;
  }

  async #authorize(accountId: string, right: Permission, dev: { deviceSerial: string; channelNo: number }) {
    const { database, clock } = this.#deps;
    return await authorizeDevice(database, await loadAccountRights(database, clock, accountId), right, dev);
  }

  async #presetToken(accountId: string, dev: { deviceSerial: string; channelNo: number }, presetIndex: number) {
    const device = await this.#authorize(accountId, 'PtzControl', dev);
    const channel = await findChannel(this.#deps.database, device.deviceId, dev.channelNo);
    if (channel === undefined) return null;
    const presets = await presetsOf(this.#deps.database, channel.channel_id);
    return presets.find((preset) => preset.preset_index === presetIndex)?.token ?? null;
  }

  async #notify(act: RuleActionRun, channelId: string): Promise<DeliveryReason | Partly | null> {
    const { database, clock } = this.#deps;
    const channel = await findChannelOf(database, act.accountId, channelId);
    if (channel === undefined || !channel.is_enabled) return 'gone';
    const quiet = act.isTest ? undefined : await suppressionOf(database, act.accountId);
    const { type, device_serial: deviceSerial } = act.alarm;
    const { severity } = RAISED_ALARM_TYPES[type];
    if (quiet !== undefined && isSuppressed(quiet, { severity, type, deviceSerial }, clock.wallMs())) return 'quiet';
    const account = requireFound(await findAccount(database, act.accountId), 'notFound');
    if (channel.kind !== 'email') return await this.#sent(act, account, channel, quiet?.timeZone);
    return await this.#sentByMail(act, account, channel, quiet?.timeZone);
  }

  async #sentByMail(
    act: RuleActionRun,
    account: AccountRow,
    channel: AlarmChannelRow,
    timeZone: string | undefined,
  ): Promise<DeliveryReason | Partly | null> {
    // Addresses without consent get nothing but the request for consent.
    const all = mailAddresses(channel.settings['to'] ?? '');
    const agreed = await this.#deps.mailConsents.agreed(account, all);
    if (agreed.length === 0) return 'unconfirmed';
    const settings = { ...channel.settings, to: agreed.join(',') };
    await this.#sent(act, account, { ...channel, settings }, timeZone);
    return agreed.length === all.length ? null : { reason: 'unconfirmed', detail: `${agreed.length}/${all.length}` };
  }

  async #sent(
    act: RuleActionRun,
    account: AccountRow,
    channel: AlarmChannelRow,
    timeZone: string | undefined,
  ): Promise<null> {
    await this.#send(act, account, channel, timeZone);
    await this.#recordDelivery(channel.channel_id, null);
    return null;
  }

  async #send(
    act: RuleActionRun,
    account: AccountRow,
    channel: AlarmChannelRow,
    timeZone: string | undefined,
  ): Promise<void> {
    const { clock, box, outbound, vapid, consoleUrl, budget } = this.#deps;
    const isOperator = account.user_type === USER_TYPE.super;
    const requester = { isOperator, accountId: act.accountId };
    const secrets = JSON.parse(box.open(channel.sealed, channel.channel_id)) as Record<string, string>;
    const settings = { ...channel.settings, ...secrets };
    const waitMs = await budget.spend(outgoingMessagesOf(act.accountId, channel.kind, settings, act.isTest));
    if (waitMs > 0) throw new NotifyError('budget', '', { retryAfterMs: waitMs });
    const message = alarmMessage(act.alarm, {
      deliveryId: act.deliveryId,
      foldedCount: act.foldedCount,
      language: account.language,
      timeZone: timeZone ?? this.#deps.timeZone,
      consoleUrl: await consoleUrl(),
      isTest: act.isTest,
    });
    const sent = NOTIFIERS[channel.kind].send(message, settings, {
      http: (request) => outbound.http(request, { ...requester, beforeSending: act.assertHeld }),
      dial: (host, port, signal) => outbound.dial(host, port, { ...requester, signal, beforeSending: act.assertHeld }),
      deadline: () => outbound.deadline(),
      mail: this.#mailFor(act, account, message.language),
      now: () => clock.wallMs(),
      vapid: () => vapid.read(),
    });
    await sent.catch((error: unknown) => {
      throw isOperator ? error : withoutDetail(error);
    });
  }

  /** Adds the opt-out link of each recipient. */
  #mailFor({ assertHeld }: RuleActionRun, account: AccountRow, language: AlarmMessage['language']): MailPort {
    const { mail, mailConsents } = this.#deps;
    return {
      ...mail,
      send: async (letter) => {
        const url = await mailConsents.unsubscribeLink(account, letter.to);
        const foot = url === null ? '' : `\n\n-- \n${unsubscribeLine(language, account.user_name, url)}`;
        assertHeld?.();
        await mail.send({ ...letter, text: `${letter.text}${foot}` });
        await this.#deps.onMailSent(account);
      },
    };
  }

  async #recordDelivery(channelId: string, reason: DeliveryReason | null): Promise<void> {
    await recordDelivery(this.#deps.database, channelId, { at: this.#deps.clock.wallMs(), reason });
  }
}

const NO_MORE = { detail: '', isFinal: true, retryAfterMs: null } as const;
/** Temporary error codes of the site. */
const TRANSIENT: readonly number[] = [ERROR_CODES.serviceBusy, ERROR_CODES.devResponseTimeOut, ERROR_CODES.ptzBusy];
const LONGEST = 300;

/** Only operators learn whether an address is unreachable, silent or closed: otherwise channels could be used to scan a network. */
function withoutDetail(error: unknown): unknown {
  if (error instanceof OutboundError) return new OutboundError(error.kind, '', { cause: error });
  if (!(error instanceof NotifyError) || error.reason !== 'unreachable') return error;
  const { reason, isFinal, retryAfterMs } = error;
  return new NotifyError(reason, '', { isFinal, retryAfterMs });
}

function resultOf(error: unknown): RuleActionResult {
  const failed = { isDone: false, isSkipped: false, retryAfterMs: null } as const;
  if (error instanceof NotifyError) {
    const { reason, isFinal, retryAfterMs } = error;
    return { ...failed, reason, isFinal, retryAfterMs, detail: error.message.slice(0, LONGEST) };
  }
  if (error instanceof OutboundError) {
    const isFinal = error.kind === 'address';
    return { ...failed, reason: error.kind, isFinal, detail: error.message.slice(0, LONGEST) };
  }
  if (error instanceof CallError) {
    const isRight = error.code === ERROR_CODES.permissionDenied || error.code === ERROR_CODES.devNotExist;
    const isPassing = TRANSIENT.includes(error.code);
    const reason = isRight ? 'right' : isPassing ? 'unreachable' : 'refused';
    return { ...failed, reason, isFinal: !isPassing, detail: error.message };
  }
  return { ...failed, reason: 'unreachable', isFinal: false, detail: '' };
}
