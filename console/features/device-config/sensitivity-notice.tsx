// Notice over a section that detects too much: how many alarms came at once, and a less sensitive value to apply.
import { lowerSensitivity, type Steps } from '@vedette/rules/alarm/burst-tuning.ts';
import { useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import type { SectionState, Values } from './config.query.ts';
import { fieldText } from './field-words.ts';
import type { SectionEdit } from './use-section-edit.ts';

export interface SectionBurst {
  readonly count: number;
  /** Of the device's own that told the alarms; empty: it named none. */
  readonly rule: string;
}

const FIELD = 'sensitivity';

export interface SensitivityNoticeProps {
  readonly state: SectionState;
  readonly edit: SectionEdit;
  readonly flood: SectionBurst;
}

export function SensitivityNotice({ state, edit, flood }: SensitivityNoticeProps) {
  const t = useT();
  // What is saved does not call for more of the same.
  const [calmer] = useState(() => lessSensitiveOf(state));
  if (calmer === null) return <Notice tone="info">{t('config.floodRegion', { count: flood.count })}</Notice>;
  const { from, to } = calmer;
  const isTaken = edit.draft[FIELD] === to;
  return (
    <Notice
      tone="info"
      action={
        <Button disabled={isTaken} onClick={() => edit.change({ [FIELD]: to })}>
          {t('config.floodTake')}
        </Button>
      }
    >
      {t('config.floodCalmer', { count: flood.count, field: fieldText(t, FIELD), from, to })}
    </Notice>
  );
}

function lessSensitiveOf({ value, capabilities }: SectionState): { readonly from: number; readonly to: number } | null {
  const from = (value as Values)[FIELD];
  const limits = (capabilities as Values)[FIELD] as Steps | undefined;
  if (typeof from !== 'number' || limits === undefined) return null;
  const to = lowerSensitivity(from, limits);
  return to === null ? null : { from, to };
}

/** The row of the rule that told them is in hand at once. */
export function rowOf({ value }: SectionState, flood: SectionBurst | null): number {
  const rules = ((value as Values)['rules'] ?? []) as readonly { readonly id: string }[];
  return Math.max(0, flood === null ? 0 : rules.findIndex(({ id }) => id === flood.rule));
}
