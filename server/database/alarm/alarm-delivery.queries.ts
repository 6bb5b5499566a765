// Reads and writes deliveries of alarm rules: planned with the outbox position in one commit, claimed by one runner, ended once.
import type { DeliveryReason, DeliveryState } from '@vedette/contract/alarm-channels.ts';
import type { AlarmRuleAction } from '@vedette/contract/calls/alarm-rule.ts';
import type { RaisedAlarmType } from '@vedette/contract/alarm-types.ts';
import { sql } from 'kysely';
import type { AlarmDeliveryRow } from '../schema/alarm-schema.ts';
import type { Database } from '../connection.ts';

export async function readPosition(database: Database, name: string): Promise<number | undefined> {
  const row = await database.selectFrom('outbox_position').select('seq').where('name', '=', name).executeTakeFirst();
  return row?.seq;
}

export async function writePosition(database: Database, name: string, seq: number): Promise<void> {
  await database
    .insertInto('outbox_position')
    .values({ name, seq })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ seq }))
    .execute();
}

export interface PlannedDelivery {
  readonly deliveryId: string;
  readonly ruleId: string;
  readonly accountId: string;
  readonly step: string;
  readonly action: AlarmRuleAction;
  readonly channelId: string | null;
  readonly startTime: number;
  readonly alarmId: string;
  readonly type: RaisedAlarmType;
  readonly foldKey: string;
}

/** Existing rows stay unchanged. */
export async function insertDeliveries(database: Database, planned: readonly PlannedDelivery[], at: number) {
  if (planned.length === 0) return;
  await database
    .insertInto('alarm_delivery')
    .values(
      planned.map((one) => ({
        delivery_id: one.deliveryId,
        rule_id: one.ruleId,
        account_id: one.accountId,
        step: one.step,
        action: JSON.stringify(one.action),
        channel_id: one.channelId,
        start_time: one.startTime,
        alarm_id: one.alarmId,
        type: one.type,
        fold_key: one.foldKey,
        state: 'waiting' as const,
        created_at: at,
        due_at: at,
      })),
    )
    .onConflict((conflict) => conflict.columns(['rule_id', 'alarm_id', 'step']).doNothing())
    .execute();
}

export interface LastAction {
  readonly ruleId: string;
  readonly foldKey: string;
  readonly at: number;
}

/** Last action of each rule and source, if after `since`. */
export async function lastActionsOf(
  database: Database,
  pairs: readonly { readonly ruleId: string; readonly foldKey: string }[],
  since: number,
): Promise<LastAction[]> {
  if (pairs.length === 0) return [];
  const { rows } = await sql<LastAction>`
    select delivery.rule_id as "ruleId", delivery.fold_key as "foldKey", max(delivery.created_at) as at
    from alarm_delivery delivery
    join unnest(${pairs.map((one) => one.ruleId)}::text[], ${pairs.map((one) => one.foldKey)}::text[])
      as pair (rule_id, fold_key) on pair.rule_id = delivery.rule_id and pair.fold_key = delivery.fold_key
    where delivery.created_at > ${since}::bigint
    group by 1, 2`.execute(database);
  return rows;
}

/** Counts alarms on the rule's last action for their source. */
export async function addDeduplicated(
  database: Database,
  duplicates: readonly {
    readonly ruleId: string;
    readonly foldKey: string;
    readonly at: number;
    readonly count: number;
  }[],
): Promise<void> {
  for (const { ruleId, foldKey, at, count } of duplicates) {
    await database
      .updateTable('alarm_delivery')
      .set({ folded_count: sql<number>`folded_count + ${count}` })
      .where('rule_id', '=', ruleId)
      .where('fold_key', '=', foldKey)
      .where('created_at', '=', at)
      .execute();
  }
}

export interface ClaimedShare {
  readonly now: number;
  readonly until: number;
  /** Free places. */
  readonly limit: number;
  /** Limit per account, and running actions by account. */
  readonly perAccount: number;
  readonly running: ReadonlyMap<string, number>;
}

/** Rows to read for `limit` free places. */
const LOOKED_AT = 256;

/** Claims due deliveries until `until`; after a crash they are claimed again then. Limited per account. */
export async function claimDeliveries(database: Database, share: ClaimedShare): Promise<AlarmDeliveryRow[]> {
  const { now, until, limit, perAccount, running } = share;
  const full = [...running].filter(([, count]) => count >= perAccount).map(([accountId]) => accountId);
  const due = await database
    .selectFrom('alarm_delivery')
    .select(['delivery_id', 'account_id'])
    .where('state', '=', 'waiting')
    .where('due_at', '<=', now)
    .where(sql<boolean>`account_id <> all(${full}::text[])`)
    .orderBy('due_at')
    .limit(LOOKED_AT)
    .execute();
  const counts = new Map(running);
  const picked: string[] = [];
  for (const { delivery_id: deliveryId, account_id: accountId } of due) {
    const count = counts.get(accountId) ?? 0;
    if (count >= perAccount || picked.length >= limit) continue;
    counts.set(accountId, count + 1);
    picked.push(deliveryId);
  }
  if (picked.length === 0) return [];
  return await database
    .updateTable('alarm_delivery')
    .set({ due_at: until, attempts: sql<number>`attempts + 1`, reason: null })
    .where('delivery_id', 'in', picked)
    .where('state', '=', 'waiting')
    .where('due_at', '<=', now)
    .returningAll()
    .execute();
}

/** Makes deliveries of a crashed run due again at once. */
export async function releaseClaimed(database: Database, now: number): Promise<void> {
  await database
    .updateTable('alarm_delivery')
    .set({ due_at: now })
    .where('state', '=', 'waiting')
    .where('attempts', '>', 0)
    .where('reason', 'is', null)
    .execute();
}

export async function endDelivery(
  database: Database,
  deliveryId: string,
  end: {
    readonly state: DeliveryState;
    readonly reason: DeliveryReason | null;
    readonly detail: string;
    readonly at: number;
    /** Time of the next attempt; null: none. */
    readonly dueAt: number | null;
    /** It was not attempted. */
    readonly isHeld?: boolean;
  },
): Promise<void> {
  await database
    .updateTable('alarm_delivery')
    .set({
      state: end.state,
      reason: end.reason,
      detail: end.detail,
      done_at: end.state === 'waiting' ? null : end.at,
      ...(end.dueAt === null ? {} : { due_at: end.dueAt }),
      ...(end.isHeld === true && { attempts: sql<number>`attempts - 1` }),
    })
    .where('delivery_id', '=', deliveryId)
    .execute();
}

export async function deliveryPage(
  database: Database,
  accountId: string,
  page: {
    readonly ruleId: string | undefined;
    readonly channelId: string | undefined;
    readonly first: number;
    readonly limit: number;
  },
) {
  let query = database.selectFrom('alarm_delivery as delivery').where('delivery.account_id', '=', accountId);
  if (page.ruleId !== undefined) query = query.where('delivery.rule_id', '=', page.ruleId);
  if (page.channelId !== undefined) query = query.where('delivery.channel_id', '=', page.channelId);
  const { total } = await query.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
  const rows = await query
    .leftJoin('alarm_rule as rule', 'rule.rule_id', 'delivery.rule_id')
    .leftJoin('alarm_channel as channel', 'channel.channel_id', 'delivery.channel_id')
    .selectAll('delivery')
    .select([sql<string | null>`rule.definition->>'name'`.as('rule_name'), 'channel.channel_name'])
    .orderBy('delivery.created_at', 'desc')
    .orderBy('delivery.delivery_id')
    .offset(page.first)
    .limit(page.limit)
    .execute();
  return { total, rows };
}

export async function dropOldDeliveries(database: Database, before: number): Promise<void> {
  await database
    .deleteFrom('alarm_delivery')
    .where('created_at', '<', before)
    .where('state', '!=', 'waiting')
    .execute();
}
