// Groups alarm bursts in a list: alarms of one channel and type within a minute become one row with a count. Pure.

export interface GroupedAlarm {
  readonly alarmId: string;
  readonly deviceSerial: string;
  readonly channelNo: number;
  readonly type: string;
  readonly time: number;
}

export interface AlarmBurst<A> {
  /** The newest. */
  readonly newest: A;
  /** With the head, newest first. */
  readonly members: readonly A[];
}

export const BURST_WINDOW_MS = 60_000;
/** Fewer stay rows of their own. */
export const BURST_MIN = 3;

/** `alarms` newest first; a flood stands where its newest stood. */
export function groupBursts<A extends GroupedAlarm>(alarms: readonly A[]): AlarmBurst<A>[] {
  const floods: A[][] = [];
  const open = new Map<string, A[]>();
  for (const alarm of alarms) {
    const key = `${alarm.deviceSerial} ${alarm.channelNo} ${alarm.type}`;
    const group = open.get(key);
    const head = group?.[0];
    if (group !== undefined && head !== undefined && head.time - alarm.time <= BURST_WINDOW_MS) {
      group.push(alarm);
      continue;
    }
    const begun = [alarm];
    open.set(key, begun);
    floods.push(begun);
  }
  return order(floods.flatMap(splitSmall));
}

function splitSmall<A>(group: readonly A[]): AlarmBurst<A>[] {
  const [newest] = group;
  if (newest === undefined) return [];
  return group.length < BURST_MIN
    ? group.map((one) => ({ newest: one, members: [one] }))
    : [{ newest, members: group }];
}

function order<A extends GroupedAlarm>(floods: AlarmBurst<A>[]): AlarmBurst<A>[] {
  return floods.sort(({ newest: a }, { newest: b }) => b.time - a.time || (a.alarmId < b.alarmId ? 1 : -1));
}
