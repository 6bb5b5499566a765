// Handlers of alarm/rule/*: each account has rules of its own, which act with its rights.
import { type AlarmRule, type AlarmRuleAction, AlarmRuleDefinition } from '@vedette/contract/calls/alarm-rule.ts';
import type { CallParsed } from '@vedette/contract/calls/calls.ts';
import { checkPlanDays } from '@vedette/rules/time-plan/plan-days.ts';
import { isTimeZone } from '@vedette/rules/time-plan/time-zone.ts';
import { authorizeDevice, authorizeOrganization } from '../../auth/authorize.ts';
import type { Rights } from '../../auth/rights.ts';
import { CallError, fieldError, requireFound } from '../../core/call-error.ts';
import {
  channelsOf,
  deleteRule,
  insertRule,
  lastActionTimes,
  replaceRule,
  rulesOf,
} from '../../database/alarm/alarm-rule.queries.ts';
import type { AlarmRuleRow } from '../../database/schema/alarm-schema.ts';
import type { Database } from '../../database/connection.ts';
import type { Handlers } from '../../http/handler.ts';
import { withinQuota } from '../../quota/reserve-quota.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import type { RuleActionRunner } from '../../alarm-rule/rule-action-runner.ts';
import { sampleAlarm } from './sample-alarm.ts';

export interface AlarmRuleDeps {
  readonly database: Database;
  readonly ruleActions: RuleActionRunner;
}

type RulePath = 'alarm/rule/list' | 'alarm/rule/save' | 'alarm/rule/delete' | 'alarm/rule/test';

export function alarmRuleHandlers({ database, ruleActions }: AlarmRuleDeps): Handlers<RulePath> {
  return {
    'alarm/rule/list': async ({ principal }) => {
      const rows = await rulesOf(database, principal.userId);
      const acts = await lastActionTimes(
        database,
        rows.map((row) => row.rule_id),
      );
      return { total: rows.length, ruleList: rows.map((row) => toRule(row, acts.get(row.rule_id))) };
    },
    'alarm/rule/save': async ({ input, principal, rights, now, audit }) => {
      await refuseBadRule(database, await rights(), input);
      const definition = AlarmRuleDefinition.parse(input);
      const accountId = principal.userId;
      const rows = await rulesOf(database, accountId);
      const { ruleId = newId() } = input;
      audit.object = ruleId;
      const before = rows.find((row) => row.rule_id === ruleId);
      if (input.ruleId === undefined) {
        const use = { accountId, now, take: { alarmRules: 1 } };
        const rule = { ruleId, accountId, at: now, definition };
        await withinQuota(database, use, (transaction) => insertRule(transaction, rule));
      } else if (before === undefined) {
        throw new CallError('notFound');
      } else if (!(await replaceRule(database, { ruleId, accountId, version: input.version ?? -1, definition }))) {
        throw new CallError('stale', toRule(before, undefined));
      }
      const stored = (await rulesOf(database, accountId)).find((row) => row.rule_id === ruleId);
      return {
        rule: toRule(requireFound(stored, 'notFound'), (await lastActionTimes(database, [ruleId])).get(ruleId)),
      };
    },
    'alarm/rule/delete': async ({ input, principal, audit }) => {
      audit.object = input.ruleId;
      if (!(await deleteRule(database, principal.userId, input.ruleId))) throw new CallError('notFound');
      return {};
    },
    'alarm/rule/test': async ({ input, principal, rights, isWeb, now, audit }) => {
      audit.object = input.ruleId;
      const accountId = principal.userId;
      const rule = (await rulesOf(database, accountId)).find((row) => row.rule_id === input.ruleId);
      if (rule === undefined) throw new CallError('notFound');
      const alarm = await sampleAlarm(database, await rights(), { rule: rule.definition, isWeb, now });
      const names = new Map((await channelsOf(database, accountId)).map((row) => [row.channel_id, row.channel_name]));
      const steps = rule.definition.actions.flatMap((action): AlarmRuleAction[] =>
        action.kind === 'notify' ? action.channelIds.map((one) => ({ ...action, channelIds: [one] })) : [action],
      );
      const resultList = await Promise.all(
        steps.map(async (action) => {
          const act = { deliveryId: newId(), accountId, action, alarm, foldedCount: 0, isTest: true };
          const { isDone, reason, detail } = await ruleActions.run(act);
          const channelName = action.kind === 'notify' ? (names.get(action.channelIds[0] ?? '') ?? '') : '';
          return { action: action.kind, channelName, isDone, reason, detail };
        }),
      );
      return { resultList };
    },
  };
}

function toRule(row: AlarmRuleRow, lastTime: number | undefined): AlarmRule {
  return { ruleId: row.rule_id, ...row.definition, version: row.version, lastTime: lastTime ?? null };
}

/** Everything it refers to must exist, with the rights that its actions need. */
async function refuseBadRule(database: Database, rights: Rights, input: CallParsed<'alarm/rule/save'>): Promise<void> {
  const found = input.plan === null ? null : checkPlanDays(input.plan);
  if (found) throw fieldError({ [`plan.${found.field}`]: found.problem });
  if (!isTimeZone(input.timeZone)) throw fieldError({ timeZone: 'format' });
  for (const source of input.sources) await authorizeSource(database, rights, source);
  await refuseBadActions(database, rights, input);
}

type Rule = CallParsed<'alarm/rule/save'>;

async function authorizeSource(database: Database, rights: Rights, source: Rule['sources'][number]): Promise<void> {
  if ('deviceSerial' in source)
    await authorizeDevice(database, rights, source.channelNo === undefined ? null : 'AlarmPush', source);
  else if (source.organizationId !== '0') await authorizeOrganization(database, rights, null, source.organizationId);
}

async function refuseBadActions(database: Database, rights: Rights, { actions, sources }: Rule): Promise<void> {
  const channels = new Set((await channelsOf(database, rights.subject.userId)).map((row) => row.channel_id));
  for (const [index, action] of actions.entries()) {
    if (action.kind === 'preset') await authorizeDevice(database, rights, 'PtzControl', action);
    if (action.kind === 'output') await authorizeDevice(database, rights, 'Config', action);
    if (action.kind === 'notify' && action.channelIds.some((one) => !channels.has(one))) {
      throw fieldError({ [`actions.${index}.channelIds`]: 'notAllowed' });
    }
    if (action.kind === 'wall') await authorizeWall(database, rights, action.walls, sources);
  }
}

/** Of the channels that are named; what comes from a whole device or organisation is checked with each alarm. */
async function authorizeWall(
  database: Database,
  rights: Rights,
  walls: 'own' | 'viewers',
  sources: Rule['sources'],
): Promise<void> {
  const right = walls === 'own' ? 'Realplay' : 'Config';
  for (const source of sources) {
    if ('channelNo' in source) await authorizeDevice(database, rights, right, source);
  }
}
