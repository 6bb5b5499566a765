// The alarms that are chosen for what is done to many at once.
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import { useMemo, useState } from 'react';

export interface Chosen {
  readonly ids: ReadonlySet<string>;
  /** Those of them that are still in the list. */
  readonly list: readonly Alarm[];
  readonly toggle: (alarm: Alarm) => void;
  readonly clear: () => void;
}

export function useChosen(alarms: readonly Alarm[]): Chosen {
  const [ids, setIds] = useState<ReadonlySet<string>>(() => new Set());
  const list = useMemo(() => alarms.filter(({ alarmId }) => ids.has(alarmId)), [alarms, ids]);
  return {
    ids,
    list,
    toggle: ({ alarmId }) =>
      setIds((before) => {
        const after = new Set(before);
        if (!after.delete(alarmId)) after.add(alarmId);
        return after;
      }),
    clear: () => setIds(new Set()),
  };
}
