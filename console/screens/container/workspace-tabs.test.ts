// Tests of the tabs as values: what an address shows, and the list after one was opened, closed or moved.
import { describe, expect, it } from 'vitest';
import {
  knownTabs,
  movedTab,
  neighbour,
  type Opened,
  tabAddress,
  tabAt,
  type TabName,
  withShown,
} from './workspace-tabs.ts';

const opened = (...tabs: TabName[]): Opened[] => tabs.map((tab) => ({ tab, search: '' }));
const names = (tabs: readonly Opened[]): string[] => tabs.map(({ tab }) => tab);

describe('the tab at an address', () => {
  it.each<readonly [TabName, string]>([
    ['home', ''],
    ['playback', ''],
    ['playback', '?device=D1&channel=1'],
    ['deviceManage', '?add=1'],
    ['myShareContainer', '?tab=received'],
  ])('is %s%s where that leads', (tab, search) => {
    const { pathname, search: query } = new URL(tabAddress({ tab, search }), 'http://localhost');
    expect(tabAt(pathname, query)).toBe(tab);
    if (tab !== 'home') expect(query).toBe(search);
  });
});

describe('[RT-06] the list', () => {
  it('takes the shown tab with its place, once', () => {
    const one = withShown(opened('playback'), { tab: 'system', search: '?part=logs' });
    expect(one).toEqual([
      { tab: 'playback', search: '' },
      { tab: 'system', search: '?part=logs' },
    ]);
    expect(withShown(one, { tab: 'system', search: '?part=logs' })).toBe(one);
    expect(names(withShown(one, { tab: 'system', search: '' }))).toEqual(['playback', 'system']);
    expect(withShown(one, { tab: 'home', search: '?tab=home' })).toBe(one);
  });
  it('leads to the next one when one closes, else to the one before, else home', () => {
    const three = opened('playback', 'system', 'orgManage');
    expect(neighbour(three, 'system').tab).toBe('orgManage');
    expect(neighbour(three, 'orgManage').tab).toBe('system');
    expect(neighbour(opened('system'), 'system').tab).toBe('home');
  });
  it('puts a tab in the place of another', () => {
    const three = opened('playback', 'system', 'orgManage');
    expect(names(movedTab(three, 0, 2))).toEqual(['system', 'orgManage', 'playback']);
    expect(names(movedTab(three, 2, 0))).toEqual(['orgManage', 'playback', 'system']);
    expect(names(movedTab(three, 0, 1))).toEqual(['system', 'playback', 'orgManage']);
  });
  it('forgets what another version kept', () => {
    const kept = [
      { tab: 'playback', search: '' },
      { tab: 'toaster', search: '' },
      { tab: 'home', search: '' },
    ];
    expect(names(knownTabs(kept))).toEqual(['playback']);
    expect(knownTabs([{ tab: 'system' } as unknown as Opened])).toEqual([]);
  });
});
