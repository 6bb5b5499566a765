// Keys of the alarm screen: J and K, N and B or arrows move, A acknowledges and goes on, C closes, X chooses, P and W lead to pictures.
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import { type KeyBinding, useKeys } from '../../keys/key-registry.ts';
import type { Chosen } from './use-chosen.ts';

export interface AlarmKeys {
  /** At the time of the key. */
  readonly open: () => Alarm | undefined;
  readonly chosen: Chosen;
  readonly choose: (alarm: Alarm) => void;
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
  const { open, chosen, step, playBack, watch, close } = props;
  const group = 'keys.groupAlarms';
  const isOpen = (): boolean => open() !== undefined;
  const hasPicture = (): boolean => (open()?.channelNo ?? 0) > 0;
  const hasWork = (): boolean => isOpen() || chosen.newest().length > 0;
  const withOpen = (act: (alarm: Alarm) => void) => (): void => {
    const alarm = open();
    if (alarm !== undefined) act(alarm);
  };
  /** On all that are chosen, or on the one that is open, and on to the next. */
  const work = (act: (alarms: readonly Alarm[]) => void) => (): void => {
    const many = chosen.newest();
    if (many.length > 0) return act(many);
    withOpen((alarm) => {
      act([alarm]);
      step(1);
    })();
  };
  const bindings: KeyBinding[] = [
    { keys: 'j', also: ['n', 'ArrowDown'], label: 'alarms.next', group, when: isFree, run: () => step(1) },
    { keys: 'k', also: ['b', 'ArrowUp'], label: 'alarms.previous', group, when: isFree, run: () => step(-1) },
    { keys: 'a', label: 'alarms.acknowledge', group, when: hasWork, run: work(props.acknowledge) },
    { keys: 'c', label: 'alarms.close', group, when: hasWork, run: work(props.closeAlarms) },
    { keys: 'x', label: 'alarms.chooseKey', group, when: isOpen, run: withOpen(props.choose) },
    { keys: 'p', label: 'alarms.playBack', group, when: hasPicture, run: withOpen(playBack) },
    { keys: 'w', label: 'alarms.watchLive', group, when: hasPicture, run: withOpen(watch) },
    { keys: 'Escape', label: 'common.close', group, when: isOpen, run: close },
  ];
  useKeys(bindings);
}
