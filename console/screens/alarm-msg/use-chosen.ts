// The rows that are chosen for what is done to many at once: a flood stays chosen when a newer alarm comes to its head.
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import { useMemo, useRef, useState } from 'react';
import type { GroupedAlarms } from '../../features/alarm/grouped-alarms.ts';

export interface Chosen {
  /** Of the rows. */
  readonly ids: ReadonlySet<string>;
  /** Those that are still in the list. */
  readonly list: readonly Alarm[];
  /** The same, with what was chosen just now and is not shown yet. */
  readonly newest: () => readonly Alarm[];
  readonly toggle: (row: Alarm) => void;
  readonly clear: () => void;
}

export function useChosen({ rowOf }: Pick<GroupedAlarms, 'rowOf'>): Chosen {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set());
  const newest = useRef(chosen);
  const put = (after: ReadonlySet<string>): void => {
    newest.current = after;
    setChosen(after);
  };
  const rowsOf = (ids: ReadonlySet<string>): Alarm[] => [...new Set([...ids].flatMap((id) => rowOf(id) ?? []))];
  const list = rowsOf(chosen);
  const shown = list.map(({ alarmId }) => alarmId).join(' ');
  return {
    ids: useMemo(() => new Set(shown.split(' ')), [shown]),
    list,
    newest: () => rowsOf(newest.current),
    toggle: ({ alarmId }) => {
      const others = [...newest.current].filter((id) => rowOf(id)?.alarmId !== alarmId);
      const wasChosen = rowsOf(newest.current).some((row) => row.alarmId === alarmId);
      put(new Set(wasChosen ? others : [...others, alarmId]));
    },
    clear: () => put(new Set()),
  };
}
