// Keys of the alarm screen: J and K, N and B or arrows move, A acknowledges and goes on, C closes, X chooses, P and W lead to pictures.
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import { type KeyBinding, useKeys } from '../../keys/key-registry.ts';
import type { Chosen } from './use-chosen.ts';

export interface AlarmKeys {
  readonly open: Alarm | undefined;
  readonly chosen: Chosen;
  readonly step: (by: 1 | -1) => void;
  readonly acknowledge: (alarms: readonly Alarm[]) => void;
  readonly closeAlarms: (alarms: readonly Alarm[]) => void;
  readonly playBack: (alarm: Alarm) => void;
  readonly watch: (alarm: Alarm) => void;
  readonly close: () => void;
}

/** A field, a menu or a list of choices keeps its own arrows. */
function isFree({ target }: KeyboardEvent): boolean {
  return (
    !(target instanceof Element) ||
    target.closest('input:not([type=checkbox]), [role=listbox], [role=radiogroup]') === null
  );
}

export function useAlarmKeys(props: AlarmKeys): void {
  const { open, chosen, step, acknowledge, closeAlarms, playBack, watch, close } = props;
  const group = 'keys.groupAlarms';
  const hasPicture = (): boolean => open !== undefined && open.channelNo > 0;
  const bindings: KeyBinding[] = [
    { keys: 'j', also: ['n', 'ArrowDown'], label: 'alarms.next', group, when: isFree, run: () => step(1) },
    { keys: 'k', also: ['b', 'ArrowUp'], label: 'alarms.previous', group, when: isFree, run: () => step(-1) },
    {
      keys: 'a',
      label: 'alarms.acknowledge',
      group,
      when: () => open !== undefined || chosen.list.length > 0,
      run: () => {
        if (chosen.list.length > 0) return acknowledge(chosen.list);
        if (open === undefined) return;
        acknowledge([open]);
        step(1);
      },
    },
    {
      keys: 'c',
      label: 'alarms.close',
      group,
      when: () => open !== undefined || chosen.list.length > 0,
      run: () => {
        if (chosen.list.length > 0) return closeAlarms(chosen.list);
        if (open === undefined) return;
        closeAlarms([open]);
        step(1);
      },
    },
    {
      keys: 'x',
      label: 'alarms.chooseKey',
      group,
      when: () => open !== undefined,
      run: () => open && chosen.toggle(open),
    },
    { keys: 'p', label: 'alarms.playBack', group, when: hasPicture, run: () => open && playBack(open) },
    { keys: 'w', label: 'alarms.watchLive', group, when: hasPicture, run: () => open && watch(open) },
    { keys: 'Escape', label: 'common.close', group, when: () => open !== undefined, run: close },
  ];
  useKeys(bindings);
}
