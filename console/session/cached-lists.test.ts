// Tests of the lists that a page keeps over a reload: written out and read back, bounded, gone with the session.
// @vitest-environment happy-dom
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import type { Resource } from '@vedette/contract/entities.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { CLIENT_STATE_DEFAULTS, useClientState } from './client-state.ts';
import { cacheEvents, cacheGroups, cacheNodeOrgs, cacheOrgTree, cachedGroups, cachedNodeData } from './cached-lists.ts';
import { forgetState, parseState, serializeState } from './state-storage.ts';

const device = (deviceSerial: string, isShared = 0): Resource =>
  ({ resourceType: 'device', device: { deviceSerial, isShared }, channelList: [] }) as unknown as Resource;
const organization = { resourceType: 'organization', organization: { organizationId: '7' } } as unknown as Resource;
const group = { groupId: '0', groupName: '', isDefault: true, deviceTotal: 2, version: 1 };

/** As a reload does it. */
function loadAgain(): void {
  const text = serializeState(useClientState.getState());
  useClientState.setState(CLIENT_STATE_DEFAULTS, true);
  useClientState.setState(parseState(text) ?? {});
}

beforeEach(() => useClientState.setState(CLIENT_STATE_DEFAULTS, true));

describe('[UI-06] the lists of the account', () => {
  it('come back after a reload: tree with its root, groups, events, LAN devices, what is shared, organisations of the node', () => {
    cacheOrgTree('Top level', [organization, device('A1'), device('B2', 3)]);
    cacheGroups([group]);
    cacheNodeOrgs([{ organizationId: '7' } as never]);
    cacheEvents([{ alarmId: '2', type: 'MotionAlarm', deviceSerial: 'A1', time: 5 }]);
    useClientState.setState({ lanDeviceList: [{ name: 'Gate', address: '192.0.2.7' }] });
    loadAgain();
    expect(useClientState.getState()).toMatchObject({
      orgTree: { rootOrgId: '0', rootOrgName: 'Top level' },
      groupList: [group],
      eventList: [{ alarmId: '2' }],
      lanDeviceList: [{ name: 'Gate' }],
      sharedList: [{ deviceSerial: 'B2' }],
      currentNodeOrgs: [{ organizationId: '7' }],
    });
    expect(cachedNodeData()).toEqual([organization, device('A1'), device('B2', 3)]);
    expect(cachedGroups()).toEqual([group]);
  });
  it('are bounded: a truncated tree is dropped, and only the newest events stay', () => {
    cacheOrgTree(
      '',
      Array.from({ length: 2001 }, (_, at) => device(`D${at}`, 2)),
    );
    expect(cachedNodeData()).toBeUndefined();
    expect(useClientState.getState().sharedList).toHaveLength(500);
    for (let at = 0; at < 150; at += 1)
      cacheEvents([{ alarmId: String(at), type: 'Online', deviceSerial: '', time: at }]);
    expect(
      useClientState
        .getState()
        .eventList.map(({ alarmId }) => alarmId)
        .slice(0, 2),
    ).toEqual(['149', '148']);
    expect(useClientState.getState().eventList).toHaveLength(100);
  });
  it('go with the session', () => {
    cacheOrgTree('', [device('A1', 1)]);
    cacheGroups([group]);
    forgetState();
    expect(useClientState.getState()).toMatchObject({
      orgTree: CLIENT_STATE_DEFAULTS.orgTree,
      groupList: [],
      eventList: [],
      lanDeviceList: [],
      sharedList: [],
      currentNodeOrgs: [],
    });
  });
});

describe('[UI-06] after a reload', () => {
  it('a shared device that disappeared reports that its share ended', async () => {
    cacheOrgTree('', [device('B2', 3)]);
    loadAgain();
    vi.resetModules();
    const { codeForViewer } = await import('../realtime/received-shares.ts');
    const { useClientState: restored } = await import('./client-state.ts');
    restored.setState({ sharedList: useClientState.getState().sharedList });
    expect([codeForViewer('B2', 1009), codeForViewer('A1', 1009)]).toEqual([1017, 1009]);
  });
  it('an alarm that was received before is not new', async () => {
    vi.resetModules();
    vi.useFakeTimers();
    const { takeAlarm, useAlarmStore } = await import('../realtime/alarm-store.ts');
    const { useClientState: restored } = await import('./client-state.ts');
    restored.setState({ eventList: [{ alarmId: '1', type: 'MotionAlarm', deviceSerial: 'A1', time: 5 }] });
    for (const alarmId of ['1', '2'])
      takeAlarm(
        { alarmId, type: 'MotionAlarm', deviceSerial: 'A1', time: 5, severity: 'urgent' } as unknown as Alarm,
        true,
      );
    vi.runAllTimers();
    vi.useRealTimers();
    const { arrived, changed } = useAlarmStore.getState();
    expect(arrived.map(({ alarm }) => alarm.alarmId)).toEqual(['2']);
    expect([...changed.keys()]).toEqual(['1', '2']);
    expect(restored.getState().eventList.map(({ alarmId }) => alarmId)).toEqual(['2', '1']);
  });
});
