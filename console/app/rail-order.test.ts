// Tests of the rail's order: that of the account, group by group, and what a step makes of it.
import { describe, expect, it } from 'vitest';
import { groupsInOrder, orderAfterMove } from './rail-order.ts';
import { SCREEN_ROWS } from './screen-rows.ts';

/** A screen that is added changes no order of these. */
const ICONS = ['live', 'playback', 'alarms', 'devices', 'organizations', 'permissions', 'share', 'system'];
const rows = SCREEN_ROWS.filter(({ icon }) => ICONS.includes(icon));

const told = (order: readonly string[]) =>
  groupsInOrder(rows, order).map((one) => [one.group, ...one.rows.map(({ icon }) => icon)]);
const rowOf = (icon: string) => rows.find((row) => row.icon === icon)!;

describe('[WG-02] the rail', () => {
  it('keeps its built-in order when the account chose none, or chose screens that do not exist', () => {
    const usual = [
      ['watch', 'live', 'playback', 'alarms'],
      ['manage', 'devices', 'organizations', 'permissions', 'share'],
      ['system', 'system'],
    ];
    expect(told([])).toEqual(usual);
    expect(told(['gone', 'live'])).toEqual(usual);
  });
  it('follows the order of the account, with groups placed by their first screen', () => {
    expect(told(['share', 'alarms', 'system', 'live'])).toEqual([
      ['manage', 'share', 'devices', 'organizations', 'permissions'],
      ['watch', 'alarms', 'live', 'playback'],
      ['system', 'system'],
    ]);
  });
  it('moves a screen within its group but never out of it', () => {
    const groups = groupsInOrder(rows, []);
    const down = orderAfterMove(groups, rowOf('live'), 1) ?? [];
    expect(told(down)[0]).toEqual(['watch', 'playback', 'live', 'alarms']);
    expect(told(orderAfterMove(groupsInOrder(rows, down), rowOf('live'), -1) ?? [])).toEqual(told([]));
    expect(orderAfterMove(groups, rowOf('live'), -1)).toBeNull();
    expect(orderAfterMove(groups, rowOf('alarms'), 1)).toBeNull();
    expect(orderAfterMove(groups, rowOf('system'), 1)).toBeNull();
  });
});
