// Groups alarm bursts in a list: alarms of one channel and type within a minute become one row with a count. Pure.

export interface FoldedPlace {
  readonly alarmId: string;
  readonly deviceSerial: string;
  readonly channelNo: number;
  readonly type: string;
  readonly time: number;
}

export interface Flood<A> {
  /** The newest. */
  readonly head: A;
  /** With the head, newest first. */
  readonly members: readonly A[];
}

export const FLOOD_MS = 60_000;
/** Fewer stay rows of their own. */
export const FLOOD_LEAST = 3;

/** `alarms` newest first; a flood stands where its newest stood. */
export function foldFloods<A extends FoldedPlace>(alarms: readonly A[]): Flood<A>[] {
  const floods: A[][] = [];
  const open = new Map<string, A[]>();
  for (const alarm of alarms) {
    const key = `${alarm.deviceSerial} ${alarm.channelNo} ${alarm.type}`;
    const group = open.get(key);
    const head = group?.[0];
    if (group !== undefined && head !== undefined && head.time - alarm.time <= FLOOD_MS) {
      group.push(alarm);
      continue;
    }
    const begun = [alarm];
    open.set(key, begun);
    floods.push(begun);
  }
  return order(floods.flatMap(partSmall));
}

function partSmall<A>(group: readonly A[]): Flood<A>[] {
  const [head] = group;
  if (head === undefined) return [];
  return group.length < FLOOD_LEAST ? group.map((one) => ({ head: one, members: [one] })) : [{ head, members: group }];
}

function order<A extends FoldedPlace>(floods: Flood<A>[]): Flood<A>[] {
  return floods.sort(({ head: a }, { head: b }) => b.time - a.time || (a.alarmId < b.alarmId ? 1 : -1));
}
