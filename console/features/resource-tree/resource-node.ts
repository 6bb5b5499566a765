// The rows of the organisation, device and channel tree as the screens see them, and the keys that name them.
import type { Channel, Device, Organization } from '@vedette/contract/entities.ts';
import type { TreeNode } from '@vedette/rules/tree/tree-node.ts';

export type ResourceNodeType = 'organization' | 'device' | 'channel';

export interface ResourceNode extends TreeNode {
  /** organizationKey, deviceKey or channelKey. A camera with one channel is one row: a `device` that carries `channelNo`. */
  readonly id: string;
  readonly nodeType: ResourceNodeType;
  readonly organization?: Organization;
  readonly device?: Device;
  readonly channel?: Channel;
  readonly deviceSerial?: string;
  /** Set on every row that can be played by itself. */
  readonly channelNo?: number;
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
export function placeOfChannelKey(key: string): { deviceSerial: string; channelNo: number } {
  const [, deviceSerial = '', channelNo = '1'] = key.split(':');
  return { deviceSerial, channelNo: Number(channelNo) };
}

/** Key of the channel that a row plays, or null for a row that plays nothing by itself. */
export function playKey(node: ResourceNode): string | null {
  return node.deviceSerial === undefined || node.channelNo === undefined
    ? null
    : channelKey(node.deviceSerial, node.channelNo);
}

/** The channels that a row stands for, in the order of the tree: its own, or all of those below it. */
export function channelsOf(node: ResourceNode): { readonly deviceSerial: string; readonly channelNo: number }[] {
  const { deviceSerial, channelNo, children } = node;
  if (deviceSerial !== undefined && channelNo !== undefined) return [{ deviceSerial, channelNo }];
  return (children ?? []).flatMap(channelsOf);
}
