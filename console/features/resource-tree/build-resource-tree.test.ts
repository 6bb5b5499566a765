// Tests of the tree that is made of the account's resources.
import type { Resource } from '@vedette/contract/entities.ts';
import { describe, expect, it } from 'vitest';
import { buildResourceTree } from './build-resource-tree.ts';
import { playKey, type ResourceNode } from './resource-node.ts';

const RIGHTS = ['Realplay', 'Replay'];

function organization(organizationId: string, organizationName: string, parentOrgId = '0'): Resource {
  return {
    resourceType: 'organization',
    organization: {
      organizationId,
      organizationName,
      parentOrgId,
      isShared: 0,
      owner: 'ann',
      shareInfo: null,
      position: null,
      permission: [],
      version: 1,
    },
  };
}

function device(deviceSerial: string, deviceName: string, over: object = {}, channelTotal = 1): Resource {
  return {
    resourceType: 'device',
    device: {
      deviceSerial,
      deviceName,
      deviceType: 0,
      deviceModel: '',
      deviceVersion: '',
      status: 1,
      latestOnline: null,
      organizationId: '1',
      organizationName: '',
      supportMultiChannel: channelTotal > 1,
      isShared: 0,
      permission: RIGHTS,
      shareInfo: null,
      keySerial: deviceSerial,
      channelNo: null,
      deviceUserName: '',
      channelTotal,
      driver: 'onvif',
      address: '',
      statusReason: null,
      version: 1,
      ...over,
    },
    channelList: Array.from({ length: channelTotal }, (_, at) => ({
      channelNo: at + 1,
      channelName: `Channel ${at + 1}`,
      channelType: 0,
      deviceSerial,
      status: 1,
      streamNum: 2,
      permission: RIGHTS,
      isRecording: true,
    })),
  };
}

const options = { isWeb: true, scope: 'channels', language: 'en' } as const;
const outline = (nodes: readonly ResourceNode[]): unknown[] =>
  nodes.map((node) => (node.children === undefined ? node.name : [node.name, ...outline(node.children)]));

describe('[WG-12] the tree of resources', () => {
  it('puts organisations before devices, by natural order, channels below recorders', () => {
    const tree = buildResourceTree(
      [
        organization('1', 'Campus'),
        organization('2', 'Hall', '1'),
        device('R1', 'Recorder', { organizationId: '2', deviceType: 1 }, 2),
        device('C10', 'Camera 10'),
        device('C9', 'Camera 9'),
      ],
      options,
    );
    expect(outline(tree)).toEqual([
      ['Campus', ['Hall', ['Recorder', 'Channel 1', 'Channel 2']], 'Camera 9', 'Camera 10'],
    ]);
  });
  it('makes a camera with one channel a single playable row', () => {
    const [camera] = buildResourceTree([device('C1', 'Gate')], options);
    expect(camera).toMatchObject({ nodeType: 'device', deviceId: 'C1', chlId: 1, iconSkin: 'camera' });
    expect(playKey(camera!)).toBe('c:C1:1');
    const [recorder] = buildResourceTree([device('R1', 'Rec', { deviceType: 1 }, 2)], options);
    expect(playKey(recorder!)).toBeNull();
    expect(recorder?.children?.map(playKey)).toEqual(['c:R1:1', 'c:R1:2']);
  });
  it('lifts children of invisible nodes to the first level, and survives a cycle', () => {
    expect(outline(buildResourceTree([organization('5', 'Shared', '4')], options))).toEqual([['Shared']]);
    expect(buildResourceTree([organization('6', 'A', '7'), organization('7', 'B', '6')], options)).toEqual([]);
  });
  it('shows organisations alone where asked', () => {
    const tree = buildResourceTree([organization('1', 'Campus'), device('C1', 'Gate')], {
      ...options,
      scope: 'organizations',
    });
    expect(outline(tree)).toEqual([['Campus']]);
  });
});

describe('[PM-05] hidden device types', () => {
  it.each([2, 10, 11, 12, 13, 15, 16])('type %i is hidden in web mode alone', (deviceType) => {
    const resources = [device('X1', 'X', { deviceType })];
    expect(buildResourceTree(resources, options)).toEqual([]);
    expect(buildResourceTree(resources, { ...options, isWeb: false })).toHaveLength(1);
  });
});

describe('[PM-03] [WG-13] what a row offers', () => {
  it.each([
    [{}, true, true],
    [{ status: 0 }, false, false],
    [{ status: -1 }, false, false],
  ])('device %j: live %s, playback %s', (over, supportLive, supportPlayBack) => {
    expect(buildResourceTree([device('C1', 'Gate', over)], options)[0]).toMatchObject({ supportLive, supportPlayBack });
  });
  it.each([
    [['Realplay'], true, false],
    [['Replay'], false, true],
    [['Talk', 'PtzControl'], false, false],
  ])('channels with the rights %j: live %s, playback %s', (permission, supportLive, supportPlayBack) => {
    const resource = device('C1', 'Gate', { permission });
    if (resource.resourceType === 'device') for (const channel of resource.channelList) channel.permission = permission;
    expect(buildResourceTree([resource], options)[0]).toMatchObject({ supportLive, supportPlayBack });
  });
});
