// Handlers of alarm channels, the delivery log and alarm suppression; secrets are write-only.
import type { AlarmChannelKind } from '@vedette/contract/alarm-channels.ts';
import type { AlarmChannel, AlarmSuppression } from '@vedette/contract/calls/alarm-rule.ts';
import { checkPlanDays } from '@vedette/rules/time-plan/plan-days.ts';
import { isTimeZone } from '@vedette/rules/time-plan/time-zone.ts';
import type { MailConsents } from '../../alarm-rule/mail-consents.ts';
import type { RuleActionRunner } from '../../alarm-rule/rule-action-runner.ts';
import type { VapidKeys } from '../../alarm-rule/vapid-keys.ts';
import type { SecretBox } from '../../core/secret-box.ts';
import { CallError, fieldError, requireFound } from '../../core/call-error.ts';
import { findAccount } from '../../database/account/account.queries.ts';
import { deliveryPage } from '../../database/alarm/alarm-delivery.queries.ts';
import {
  channelsOf,
  deleteChannel,
  findChannelOf,
  insertChannel,
  suppressionOf,
  replaceChannel,
  writeSuppression,
} from '../../database/alarm/alarm-rule.queries.ts';
import type { AlarmChannelRow } from '../../database/schema/alarm-schema.ts';
import type { Database } from '../../database/connection.ts';
import type { Handlers } from '../../http/handler.ts';
import { mailAddresses } from '../../notifiers/email/mail-addresses.ts';
import { readSettings } from '../../notifiers/kit/channel-settings.ts';
import type { MailPort } from '../../notifiers/kit/notifier.ts';
import { withinQuota } from '../../quota/reserve-quota.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { sampleAlarm } from './sample-alarm.ts';

export interface AlarmChannelDeps {
  readonly database: Database;
  readonly box: SecretBox;
  readonly ruleActions: RuleActionRunner;
  readonly vapid: VapidKeys;
  readonly mail: MailPort;
  readonly mailConsents: MailConsents;
  /** Of this installation. */
  readonly timeZone: string;
}

type ChannelPath = `alarm/channel/${'list' | 'save' | 'delete' | 'test' | 'ask'}`;
type OtherPath = 'alarm/delivery/list' | 'alarm/quiet/get' | 'alarm/quiet/set';

export function alarmChannelHandlers(deps: AlarmChannelDeps): Handlers<ChannelPath | OtherPath> {
  const { database, ruleActions, vapid, mail } = deps;
  return {
    'alarm/channel/list': async ({ principal }) => {
      const channelList = await withConsents(deps, principal.userId, await channelsOf(database, principal.userId));
      const { publicKey: vapidPublicKey } = await vapid.read();
      return { total: channelList.length, channelList, vapidPublicKey, hasMail: await mail.isReady() };
    },
    'alarm/channel/save': async ({ input, principal, now, audit }) => {
      const channel = await saveChannel(deps, principal.userId, input, now);
      audit.object = channel.channelId;
      return { channel };
    },
    'alarm/channel/delete': async ({ input, principal, audit }) => {
      audit.object = input.channelId;
      if (!(await deleteChannel(database, principal.userId, input.channelId))) throw new CallError('notFound');
      await followAddresses(deps, principal.userId);
      return {};
    },
    'alarm/channel/test': async ({ input, principal, rights, isWeb, now, audit }) => {
      audit.object = input.channelId;
      const accountId = principal.userId;
      if ((await findChannelOf(database, accountId, input.channelId)) === undefined) throw new CallError('notFound');
      const alarm = await sampleAlarm(database, await rights(), { rule: null, isWeb, now });
      const action = { kind: 'notify', channelIds: [input.channelId] } as const;
      const act = { deliveryId: newId(), accountId, alarm, foldedCount: 0, isTest: true };
      const { isDone, reason, detail, retryAfterMs } = await ruleActions.run({
        ...act,
        action: { ...action, channelIds: [input.channelId] },
      });
      if (reason === 'budget') {
        throw new CallError('tooManyRequests', { retryAfter: Math.ceil((retryAfterMs ?? 0) / 1000) });
      }
      return { isDone, reason, detail };
    },
    'alarm/channel/ask': async ({ input, principal, audit }) => {
      audit.object = input.channelId;
      return { channel: await askAgain(deps, principal.userId, input) };
    },
    ...logAndSuppression(deps),
  };
}

function logAndSuppression({ database, timeZone }: AlarmChannelDeps): Handlers<OtherPath> {
  return {
    'alarm/delivery/list': async ({ input, principal }) => {
      const { ruleId, channelId, pageStart, pageSize } = input;
      const page = { ruleId, channelId, first: pageStart * pageSize, limit: pageSize };
      const { total, rows } = await deliveryPage(database, principal.userId, page);
      const deliveryList = rows.map((row) => ({
        deliveryId: row.delivery_id,
        ruleId: row.rule_id,
        ruleName: row.rule_name ?? '',
        action: row.action.kind,
        channelName: row.channel_name ?? '',
        alarmId: row.alarm_id,
        type: row.type,
        state: row.state,
        reason: row.reason,
        detail: row.detail,
        attempts: row.attempts,
        foldedCount: row.folded_count,
        time: row.created_at,
        doneTime: row.done_at,
        nextTime: row.state === 'waiting' ? row.due_at : null,
      }));
      return { total, deliveryList };
    },
    'alarm/quiet/get': async ({ principal }) => ({
      quiet: (await suppressionOf(database, principal.userId)) ?? { ...NO_SUPPRESSION, timeZone },
    }),
    'alarm/quiet/set': async ({ input: { quiet }, principal }) => {
      const found = quiet.plan === null ? null : checkPlanDays(quiet.plan);
      if (found) throw fieldError({ [`quiet.plan.${found.field}`]: found.problem });
      if (!isTimeZone(quiet.timeZone)) throw fieldError({ 'quiet.timeZone': 'format' });
      await writeSuppression(database, principal.userId, quiet);
      return { quiet };
    },
  };
}

const NO_SUPPRESSION: Omit<AlarmSuppression, 'timeZone'> = {
  mutedUntil: null,
  plan: null,
  exceptCritical: true,
  snoozed: [],
};

async function withConsents(
  { database, mailConsents }: AlarmChannelDeps,
  accountId: string,
  rows: readonly AlarmChannelRow[],
): Promise<AlarmChannel[]> {
  const account = requireFound(await findAccount(database, accountId), 'tokenInvalid');
  const states = await mailConsents.statesOf(account, [...new Set(rows.flatMap(addressesOf))]);
  return rows.map((row) => {
    const addressList = addressesOf(row).flatMap((address) => states.find((one) => one.address === address) ?? []);
    return { ...toChannel(row), addressList };
  });
}

function addressesOf({ kind, settings }: AlarmChannelRow): string[] {
  return kind === 'email' ? mailAddresses(settings['to'] ?? '') : [];
}

/** Requests consent of new addresses, and deletes consents that no channel uses. */
async function followAddresses({ database, mailConsents }: AlarmChannelDeps, accountId: string): Promise<void> {
  const account = requireFound(await findAccount(database, accountId), 'tokenInvalid');
  const named = (await channelsOf(database, accountId)).flatMap(addressesOf);
  await mailConsents.follow(account, [...new Set(named)]);
}

/** Throws 1007 for an address of no channel, 1016 if it agreed, 1003 if it refused for good. */
async function askAgain(
  deps: AlarmChannelDeps,
  accountId: string,
  asked: { readonly channelId: string; readonly address: string },
): Promise<AlarmChannel> {
  const row = requireFound(await findChannelOf(deps.database, accountId, asked.channelId), 'notFound');
  const account = requireFound(await findAccount(deps.database, accountId), 'tokenInvalid');
  const address = addressesOf(row).find((one) => one === asked.address.toLowerCase());
  if (address === undefined) throw new CallError('notFound');
  const [consent] = await deps.mailConsents.statesOf(account, [address]);
  if (consent?.state === 'own' || consent?.state === 'confirmed') throw new CallError('alreadyExists');
  if (consent?.state === 'refused') throw fieldError({ address: 'notAllowed' });
  const end = await deps.mailConsents.ask(account, address);
  if (end === 'noMail') throw new CallError('functionNotSupported');
  if (end !== 'sent') throw new CallError('tooManyRequests', { retryAfter: Math.ceil(end.waitMs / 1000) });
  return requireFound((await withConsents(deps, accountId, [row]))[0], 'notFound');
}

function toChannel(row: AlarmChannelRow): Omit<AlarmChannel, 'addressList'> {
  return {
    channelId: row.channel_id,
    kind: row.kind,
    name: row.channel_name,
    isEnabled: row.is_enabled,
    settings: row.settings,
    keptSecrets: row.kept_secrets,
    version: row.version,
    lastTime: row.last_at,
    lastReason: row.last_reason,
  };
}

interface SavedChannel {
  readonly channelId?: string | undefined;
  readonly version?: number | undefined;
  readonly kind: AlarmChannelKind;
  readonly name: string;
  readonly isEnabled: boolean;
  readonly settings: Readonly<Record<string, string>>;
}

async function saveChannel(
  deps: AlarmChannelDeps,
  accountId: string,
  given: SavedChannel,
  now: number,
): Promise<AlarmChannel> {
  const { database, box } = deps;
  const all = await channelsOf(database, accountId);
  const before = all.find((row) => row.channel_id === given.channelId);
  if (given.channelId !== undefined && before === undefined) throw new CallError('notFound');
  const { open, secrets } = readSettings(given, before === undefined ? {} : keptSecrets(box, before, given));
  const channelId = before?.channel_id ?? newId();
  const stored = {
    channelId,
    accountId,
    kind: given.kind,
    name: given.name.trim(),
    isEnabled: given.isEnabled,
    settings: open,
    sealed: box.seal(JSON.stringify(secrets), channelId),
    keptSecrets: Object.keys(secrets),
  };
  if (before === undefined) {
    const use = { accountId, now, take: { messageChannels: 1 } };
    await withinQuota(database, use, (transaction) => insertChannel(transaction, stored, now));
  } else if (!(await replaceChannel(database, stored, given.version ?? -1))) {
    throw new CallError('stale', (await withConsents(deps, accountId, [before]))[0]);
  }
  await followAddresses(deps, accountId);
  const row = requireFound(await findChannelOf(database, accountId, channelId), 'notFound');
  return requireFound((await withConsents(deps, accountId, [row]))[0], 'notFound');
}

/** Stored secrets are dropped when kind or address change, so that they reach no other receiver. */
function keptSecrets(box: SecretBox, before: AlarmChannelRow, given: SavedChannel): Readonly<Record<string, string>> {
  if (before.kind !== given.kind || !sameAddress(before.settings, given.settings)) return {};
  return JSON.parse(box.open(before.sealed, before.channel_id)) as Record<string, string>;
}

function sameAddress(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  return (one['url'] ?? '') === (other['url'] ?? '');
}
