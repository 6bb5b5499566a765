// The rules that act on an alarm burst, each with a link to its pause setting.
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import type { AlarmRule } from '@vedette/contract/calls/alarm-rule.ts';
import { longerPause } from '@vedette/rules/alarm/burst-tuning.ts';
import { ruleMatches } from '@vedette/rules/alarm/rule-match.ts';
import { Link } from 'react-router';
import { useT } from '../../language/use-t.ts';
import { PATHS } from '../../navigation/paths.ts';
import { useAlarmRules } from '../alarm-rule/alarm-rule.query.ts';
import { useOrganizationPath } from '../resource-tree/organization-options.ts';
import style from './alarm-details.module.css';

export function AlarmBurstRules({ alarm, count }: { readonly alarm: Alarm; readonly count: number }) {
  const t = useT();
  const organizationPath = useOrganizationPath(alarm.organizationId);
  const acting = (useAlarmRules().data ?? []).filter((rule) => ruleMatches(rule, { ...alarm, organizationPath }));
  if (acting.length === 0) return null;
  return (
    <ul className={style.floodRules} aria-label={t('alarms.floodRules')}>
      {acting.map((rule) => (
        <li key={rule.ruleId} data-flood-rule={rule.name}>
          <span className={style.floodRule}>
            <strong>{rule.name}</strong>
            <span>{rule.pauseS === 0 ? t('alarms.floodRuleEach') : t('alarms.floodRule', { pause: rule.pauseS })}</span>
          </span>
          <Link to={addressOf(rule, count)}>{t('alarms.tuneRule')}</Link>
        </li>
      ))}
    </ul>
  );
}

function addressOf({ ruleId, pauseS }: AlarmRule, count: number): string {
  const pause = longerPause(pauseS);
  const asked = { view: 'rules', rule: ruleId, flood: String(count), ...(pause !== null && { pause: String(pause) }) };
  return `${PATHS.alarmMsg}?${new URLSearchParams(asked)}`;
}
