// The rule that an address names, with the pause that a flood calls for; closing its form takes it out of the address.
import type { AlarmRule } from '@vedette/contract/calls/alarm-rule.ts';
import { ALARM_RULE_LIMITS } from '@vedette/contract/limits.ts';
import { useSearchParams } from 'react-router';
import { draftOf, type RuleDraft, type RuleBurst } from '../../features/alarm-rule/rule-draft.ts';

export interface AskedRule {
  readonly rule: RuleDraft;
  readonly flood: RuleBurst | null;
  readonly leave: () => void;
}

export function useAskedRule(rules: readonly AlarmRule[] | undefined): AskedRule | null {
  const [address, setAddress] = useSearchParams();
  const found = rules?.find(({ ruleId }) => ruleId === address.get('rule'));
  if (found === undefined) return null;
  const [count, pauseS] = [Number(address.get('flood')), Number(address.get('pause'))];
  const isPause = Number.isInteger(pauseS) && pauseS > found.pauseS && pauseS <= ALARM_RULE_LIMITS.pauseS;
  return {
    rule: draftOf(found),
    flood: count > 1 ? { count, pauseS: isPause ? pauseS : null } : null,
    leave: () => setAddress({ view: 'rules' }, { replace: true }),
  };
}
