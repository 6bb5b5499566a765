// Plans deliveries for new alarms: each alarm once, over restarts, by an outbox position stored in the same transaction.
import { RAISED_ALARM_TYPES } from '@vedette/contract/alarm-types.ts';
import { DEVICE_TYPE } from '@vedette/contract/enumerations.ts';
import { deduplicationKeyOf, type RaisedAlarm, ruleMatches } from '@vedette/rules/alarm/rule-match.ts';
import { decide } from '@vedette/rules/decide/decide.ts';
import { loadAccountRights, type Rights } from '../auth/rights.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import {
  addDeduplicated,
  insertDeliveries,
  type LastAction,
  lastActionsOf,
  type PlannedDelivery,
  readPosition,
  writePosition,
} from '../database/alarm/alarm-delivery.queries.ts';
import { type AlarmUpdate, alarmUpdatesAfter, newestAlarmUpdate } from '../database/alarm/alarm-outbox.queries.ts';
import type { AlarmWithNames } from '../database/alarm/alarm-read.queries.ts';
import { enabledRules } from '../database/alarm/alarm-rule.queries.ts';
import type { AlarmRuleRow } from '../database/schema/alarm-schema.ts';
import type { Database } from '../database/connection.ts';
import type { NewRows } from '../database/sequence-follower.ts';
import { newId } from '@vedette/foundation/random/ids.ts';

export interface RuleEngineOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** An action is due. */
  readonly onPlanned: () => void;
}

const POSITION = 'alarm-rules';
/** During a burst many alarms are read with few queries. */
const AT_ONCE = 2000;
/** Without rules only the position advances, and not with every batch. */
const WRITTEN_EVERY_MS = 1000;

export class RuleEngine {
  readonly #options: RuleEngineOptions;
  /** Without rules. */
  #storedPosition = { seq: 0, at: Number.NEGATIVE_INFINITY };

  constructor(options: RuleEngineOptions) {
    this.#options = options;
  }

  /** Resumes where the last run stopped; on first start, old alarms are skipped. */
  readonly position = async (): Promise<number> => {
    const { database } = this.#options;
    const known = await readPosition(database, POSITION);
    if (known !== undefined) return known;
    const newest = await newestAlarmUpdate(database);
    await writePosition(database, POSITION, newest);
    return newest;
  };

  readonly updatesAfter = async (seq: number): Promise<NewRows<AlarmUpdate>> => {
    const { database } = this.#options;
    if ((await enabledRules(database)).length === 0) {
      const newest = Math.max(seq, await newestAlarmUpdate(database));
      await this.#advancePosition(newest);
      return { rows: [], newest };
    }
    const { updates, newest } = await alarmUpdatesAfter(database, seq, { limit: AT_ONCE, isNewOnly: true });
    return { rows: updates, newest };
  };

  readonly plan = async (updates: readonly AlarmUpdate[]): Promise<void> => {
    const { database, clock, onPlanned } = this.#options;
    const last = updates.at(-1);
    if (last === undefined) return;
    const raised = updates.flatMap(({ isNew, alarm }) =>
      isNew && alarm.device_type !== DEVICE_TYPE.PTS ? [alarm] : [],
    );
    const rules = raised.length === 0 ? [] : await enabledRules(database);
    const matches = await this.#matches(rules, raised);
    const now = clock.wallMs();
    await database.transaction().execute(async (transaction) => {
      const pairs = [...new Map(matches.map((one) => [keyOf(one), one])).values()];
      const longest = Math.max(0, ...rules.map(({ definition }) => definition.pauseS)) * 1000;
      const acts = await lastActionsOf(transaction, pairs, now - longest);
      const { deliveries, folded } = planOf(matches, acts, now);
      await insertDeliveries(transaction, deliveries, now);
      await addDeduplicated(transaction, folded);
      await writePosition(transaction, POSITION, last.seq);
    });
    if (matches.length > 0) onPlanned();
  };

  async #advancePosition(seq: number): Promise<void> {
    const { database, clock } = this.#options;
    const at = clock.monotonicMs();
    if (seq === this.#storedPosition.seq || at - this.#storedPosition.at < WRITTEN_EVERY_MS) return;
    await writePosition(database, POSITION, seq);
    this.#storedPosition = { seq, at };
  }

  async #matches(rules: readonly AlarmRuleRow[], alarms: readonly AlarmWithNames[]): Promise<RuleMatch[]> {
    const { database, clock } = this.#options;
    const rights = new Map<string, Rights>();
    const found: RuleMatch[] = [];
    for (const row of alarms) {
      const alarm = raisedAlarm(row);
      for (const rule of rules) {
        if (!ruleMatches(rule.definition, alarm)) continue;
        const held = rights.get(rule.account_id) ?? (await loadAccountRights(database, clock, rule.account_id));
        rights.set(rule.account_id, held);
        if (maySee(held, row)) found.push({ ruleId: rule.rule_id, foldKey: deduplicationKeyOf(alarm), rule, row });
      }
    }
    return found;
  }
}

interface RuleMatch {
  readonly ruleId: string;
  readonly foldKey: string;
  readonly rule: AlarmRuleRow;
  readonly row: AlarmWithNames;
}

export function raisedAlarm(row: AlarmWithNames): RaisedAlarm {
  const { group, severity } = RAISED_ALARM_TYPES[row.type];
  return {
    type: row.type,
    group,
    severity,
    deviceSerial: row.device_serial,
    channelNo: row.channel_no,
    organizationPath: row.organization_path ?? [],
    time: row.start_time,
  };
}

function maySee({ subject, grants, now }: Rights, row: AlarmWithNames): boolean {
  const place = { ownerId: row.owner_id, organizationPath: row.organization_path ?? [], deviceId: row.device_id };
  const object =
    row.channel_no === 0
      ? ({ kind: 'device', ...place } as const)
      : ({ kind: 'channel', ...place, channelNo: row.channel_no } as const);
  return decide({ subject, action: 'AlarmPush', object, grants, now }).allowed;
}

function keyOf({ ruleId, foldKey }: { readonly ruleId: string; readonly foldKey: string }): string {
  return `${ruleId} ${foldKey}`;
}

interface DuplicateCount {
  readonly ruleId: string;
  readonly foldKey: string;
  readonly at: number;
  count: number;
}

/** Repeats within the pause of a rule are counted on its last action. */
function planOf(matches: readonly RuleMatch[], acts: readonly LastAction[], now: number) {
  const last = new Map(acts.map((act) => [keyOf(act), act.at]));
  const deliveries: PlannedDelivery[] = [];
  const folded = new Map<string, DuplicateCount>();
  for (const match of matches) {
    const key = keyOf(match);
    const at = last.get(key);
    if (at !== undefined && now - at < match.rule.definition.pauseS * 1000) {
      const counted = folded.get(key) ?? { ruleId: match.ruleId, foldKey: match.foldKey, at, count: 0 };
      counted.count += 1;
      folded.set(key, counted);
      continue;
    }
    last.set(key, now);
    deliveries.push(...stepsOf(match));
  }
  return { deliveries, folded: [...folded.values()] };
}

function stepsOf({ rule, row, foldKey }: RuleMatch): PlannedDelivery[] {
  const { rule_id: ruleId, account_id: accountId } = rule;
  const { start_time: startTime, alarm_id: alarmId, type } = row;
  const common = { ruleId, accountId, startTime, alarmId, type, foldKey };
  return rule.definition.actions.flatMap((action, index): PlannedDelivery[] => {
    if (action.kind !== 'notify') {
      return [{ ...common, deliveryId: newId(), step: String(index), action, channelId: null }];
    }
    return [...new Set(action.channelIds)].map((channelId) => ({
      ...common,
      deliveryId: newId(),
      step: `${index} ${channelId}`,
      action: { ...action, channelIds: [channelId] },
      channelId,
    }));
  });
}
