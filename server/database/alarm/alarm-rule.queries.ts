// Reads and writes alarm rules, alarm channels and suppression settings.
import type { DeliveryReason } from '@vedette/contract/alarm-channels.ts';
import type { AlarmSuppression, AlarmRuleDefinition } from '@vedette/contract/calls/alarm-rule.ts';
import { sql } from 'kysely';
import type { AlarmChannelRow, AlarmRuleRow } from '../schema/alarm-schema.ts';
import type { Database } from '../connection.ts';

export function rulesOf(database: Database, accountId: string): Promise<AlarmRuleRow[]> {
  return database
    .selectFrom('alarm_rule')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('rule_id')
    .execute();
}

export function enabledRules(database: Database): Promise<AlarmRuleRow[]> {
  return database.selectFrom('alarm_rule').selectAll().where('is_enabled', '=', true).orderBy('rule_id').execute();
}

/** When each of these rules last acted. */
export async function lastActionTimes(
  database: Database,
  ruleIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ruleIds.length === 0) return new Map();
  const rows = await database
    .selectFrom('alarm_delivery')
    .select((select) => ['rule_id', select.fn.max('created_at').as('at')])
    .where('rule_id', 'in', [...ruleIds])
    .groupBy('rule_id')
    .execute();
  return new Map(rows.map((row) => [row.rule_id, row.at]));
}

export async function insertRule(
  database: Database,
  rule: {
    readonly ruleId: string;
    readonly accountId: string;
    readonly at: number;
    readonly definition: AlarmRuleDefinition;
  },
): Promise<void> {
  await database
    .insertInto('alarm_rule')
    .values({
      rule_id: rule.ruleId,
      account_id: rule.accountId,
      definition: JSON.stringify(rule.definition),
      is_enabled: rule.definition.isEnabled,
      created_at: rule.at,
    })
    .execute();
}

/** False when `version` is not the stored one any more. */
export async function replaceRule(
  database: Database,
  rule: {
    readonly ruleId: string;
    readonly accountId: string;
    readonly version: number;
    readonly definition: AlarmRuleDefinition;
  },
): Promise<boolean> {
  const result = await database
    .updateTable('alarm_rule')
    .set({
      definition: JSON.stringify(rule.definition),
      is_enabled: rule.definition.isEnabled,
      version: sql<number>`version + 1`,
    })
    .where('rule_id', '=', rule.ruleId)
    .where('account_id', '=', rule.accountId)
    .where('version', '=', rule.version)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function deleteRule(database: Database, accountId: string, ruleId: string): Promise<boolean> {
  const result = await database
    .deleteFrom('alarm_rule')
    .where('rule_id', '=', ruleId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export function channelsOf(database: Database, accountId: string): Promise<AlarmChannelRow[]> {
  return database
    .selectFrom('alarm_channel')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('channel_id')
    .execute();
}

export function findChannelOf(
  database: Database,
  accountId: string,
  channelId: string,
): Promise<AlarmChannelRow | undefined> {
  return database
    .selectFrom('alarm_channel')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('channel_id', '=', channelId)
    .executeTakeFirst();
}

export interface StoredChannel {
  readonly channelId: string;
  readonly accountId: string;
  readonly kind: AlarmChannelRow['kind'];
  readonly name: string;
  readonly isEnabled: boolean;
  readonly settings: Readonly<Record<string, string>>;
  readonly sealed: Buffer;
  readonly keptSecrets: readonly string[];
}

export async function insertChannel(database: Database, channel: StoredChannel, at: number): Promise<void> {
  await database
    .insertInto('alarm_channel')
    .values({ ...columnsOf(channel), channel_id: channel.channelId, account_id: channel.accountId, created_at: at })
    .execute();
}

/** False when `version` is not the stored one any more. */
export async function replaceChannel(database: Database, channel: StoredChannel, version: number): Promise<boolean> {
  const result = await database
    .updateTable('alarm_channel')
    .set({ ...columnsOf(channel), version: version + 1 })
    .where('channel_id', '=', channel.channelId)
    .where('account_id', '=', channel.accountId)
    .where('version', '=', version)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

function columnsOf(channel: StoredChannel) {
  return {
    kind: channel.kind,
    channel_name: channel.name,
    is_enabled: channel.isEnabled,
    settings: JSON.stringify(channel.settings),
    sealed: channel.sealed,
    kept_secrets: [...channel.keptSecrets],
  };
}

export async function deleteChannel(database: Database, accountId: string, channelId: string): Promise<boolean> {
  const result = await database
    .deleteFrom('alarm_channel')
    .where('channel_id', '=', channelId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function recordDelivery(
  database: Database,
  channelId: string,
  delivery: { readonly at: number; readonly reason: DeliveryReason | null },
): Promise<void> {
  await database
    .updateTable('alarm_channel')
    .set({ last_at: delivery.at, last_reason: delivery.reason })
    .where('channel_id', '=', channelId)
    .execute();
}

export async function suppressionOf(database: Database, accountId: string): Promise<AlarmSuppression | undefined> {
  const row = await database
    .selectFrom('alarm_quiet')
    .select('quiet')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  // Stored before anything could be snoozed.
  return row === undefined ? undefined : { ...row.quiet, snoozed: row.quiet.snoozed ?? [] };
}

export async function writeSuppression(
  database: Database,
  accountId: string,
  suppression: AlarmSuppression,
): Promise<void> {
  const text = JSON.stringify(suppression);
  await database
    .insertInto('alarm_quiet')
    .values({ account_id: accountId, quiet: text })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ quiet: text }))
    .execute();
}
