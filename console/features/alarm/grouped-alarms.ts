// The alarm list with bursts grouped into one row each, until expanded; actions on a row apply to the whole group.
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import { groupBursts } from '@vedette/rules/alarm/group-bursts.ts';
import { useMemo, useState } from 'react';
import type { AlarmList } from './alarm.query.ts';

export interface AlarmGroup {
  readonly count: number;
  readonly isOpen: boolean;
}

export interface GroupedAlarms extends AlarmList {
  readonly rows: {
    readonly alarms: readonly Alarm[];
    /** By the id of the newest, where more than one is behind its row. */
    readonly floods: ReadonlyMap<string, AlarmGroup>;
    readonly onFlood: (alarmId: string) => void;
  };
  /** Also one behind a folded row: a newer one may have come to its head. */
  readonly find: (alarmId: string) => Alarm | undefined;
  /** What the row shows that it stands in. */
  readonly rowOf: (alarmId: string) => Alarm | undefined;
  /** With those behind folded rows. */
  readonly whole: (alarms: readonly Alarm[]) => readonly Alarm[];
}

export function useGroupedAlarms(list: AlarmList): GroupedAlarms {
  // By the oldest of the flood: a newer one at its head leaves it open.
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const folded = useMemo(() => {
    const shown: Alarm[] = [];
    const rowOf = new Map<string, Alarm>();
    const floods = new Map<string, AlarmGroup & { readonly key: string; readonly members: readonly Alarm[] }>();
    for (const { newest, members } of groupBursts(list.alarms)) {
      const key = members.at(-1)?.alarmId ?? '';
      const isOpen = open.has(key);
      if (members.length > 1) floods.set(newest.alarmId, { count: members.length, isOpen, key, members });
      shown.push(...(isOpen ? members : [newest]));
      for (const member of members) rowOf.set(member.alarmId, isOpen ? member : newest);
    }
    return { alarms: shown, floods, rowOf };
  }, [list.alarms, open]);
  return {
    ...list,
    alarms: folded.alarms,
    find: (alarmId) => list.alarms.find((alarm) => alarm.alarmId === alarmId),
    rowOf: (alarmId) => folded.rowOf.get(alarmId),
    rows: {
      alarms: folded.alarms,
      floods: folded.floods,
      onFlood: (alarmId) => {
        const key = folded.floods.get(alarmId)?.key;
        if (key === undefined) return;
        setOpen((before) => {
          const after = new Set(before);
          if (!after.delete(key)) after.add(key);
          return after;
        });
      },
    },
    whole: (alarms) => [
      ...new Set(
        alarms.flatMap((alarm) => {
          const flood = folded.floods.get(folded.rowOf.get(alarm.alarmId)?.alarmId ?? alarm.alarmId);
          return flood === undefined || flood.isOpen ? [alarm] : flood.members;
        }),
      ),
    ],
  };
}
