// The rows of the organisation, device and channel tree as the screens see them, and the keys that name them.
import type { Channel, Device, Organization } from '@vedette/contract/entities.ts';
import { type CameraPlace, cameraOfKey } from '@vedette/rules/camera-key.ts';
import type { TreeNode } from '@vedette/rules/tree/tree-node.ts';

export type ResourceNodeType = 'organization' | 'device' | 'channel';

export interface ResourceNode extends TreeNode {
  /** organizationKey, deviceKey or channelKey. A camera with one channel is one row: a `device` that carries `chlId`. */
  readonly id: string;
  readonly nodeType: ResourceNodeType;
  readonly organization?: Organization;
  readonly device?: Device;
  readonly channel?: Channel;
  readonly children?: readonly ResourceNode[];
}

export function organizationKey(organizationId: string): string {
  return `o:${organizationId}`;
}
export function deviceKey(keySerial: string): string {
  return `d:${keySerial}`;
}
export function channelKey(deviceSerial: string, channelNo: number): string {
  return `c:${deviceSerial}:${channelNo}`;
}

/** The channel that a `channelKey` names. */
export function placeOfChannelKey(key: string): CameraPlace {
  return cameraOfKey(key.slice(key.indexOf(':') + 1));
}

/** The channel that a row plays by itself, or null. */
export function channelOf({ deviceId, chlId }: ResourceNode): CameraPlace | null {
  return deviceId === undefined || chlId === undefined ? null : { deviceSerial: deviceId, channelNo: chlId };
}

/** Key of the channel that a row plays, or null for a row that plays nothing by itself. */
export function playKey(node: ResourceNode): string | null {
  const channel = channelOf(node);
  return channel === null ? null : channelKey(channel.deviceSerial, channel.channelNo);
}

/** The channels that a row stands for, in the order of the tree: its own, or all of those below it. */
export function channelsOf(node: ResourceNode): CameraPlace[] {
  const own = channelOf(node);
  return own === null ? (node.children ?? []).flatMap(channelsOf) : [own];
}
