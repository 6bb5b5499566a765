// Makes tree nodes of the resources that the server lists: organisations, their devices, the channels of recorders.
import type { Channel, Device, Organization, Resource } from '@vedette/contract/entities.ts';
import { CHANNEL_TYPE, DEVICE_STATUS, DEVICE_TYPE, WEB_HIDDEN_DEVICE_TYPES } from '@vedette/contract/enumerations.ts';
import type { Permission } from '@vedette/contract/permissions.ts';
import { channelKey, deviceKey, organizationKey, type ResourceNode } from './resource-node.ts';

export interface BuildOptions {
  /** Web mode hides some device types (PM-05). */
  readonly isWeb: boolean;
  readonly scope: 'channels' | 'organizations';
  readonly language: string;
}

type DeviceResource = Extract<Resource, { resourceType: 'device' }>;

const SKINS: Readonly<Record<number, string>> = {
  [DEVICE_TYPE.IPC]: 'camera',
  [DEVICE_TYPE.NVR]: 'recorder',
  [DEVICE_TYPE.AIBOX]: 'box',
  [DEVICE_TYPE.NAS]: 'recorder',
  [DEVICE_TYPE.ACS]: 'door',
  [DEVICE_TYPE.RADAR]: 'radar',
};

/** PM-03: the right, and the device online. */
function can(permission: readonly string[], right: Permission, status: number): boolean {
  return status === DEVICE_STATUS.online && permission.includes(right);
}

function channelNode(device: Device, channel: Channel): ResourceNode {
  const permission = channel.permission.length > 0 ? channel.permission : device.permission;
  return {
    id: channelKey(device.deviceSerial, channel.channelNo),
    name: channel.channelName,
    nodeType: 'channel',
    iconSkin: channel.channelType === CHANNEL_TYPE.radar ? 'radar' : 'channel',
    device,
    channel,
    deviceId: device.deviceSerial,
    chlId: channel.channelNo,
    supportLive: can(permission, 'Realplay', device.status),
    supportPlayBack: can(permission, 'Replay', device.status),
  };
}

function deviceNode({ device, channelList }: DeviceResource): ResourceNode {
  const base = {
    id: deviceKey(device.keySerial),
    name: device.deviceName,
    nodeType: 'device' as const,
    iconSkin: SKINS[device.deviceType] ?? 'camera',
    device,
    deviceId: device.deviceSerial,
  };
  const [only] = channelList;
  // A camera with one channel is one row that plays.
  if (only !== undefined && channelList.length === 1 && !device.supportMultiChannel) {
    const { channel, chlId, supportLive, supportPlayBack } = channelNode(device, only);
    return { ...base, ...pickDefined({ channel, chlId, supportLive, supportPlayBack }) };
  }
  return { ...base, children: channelList.map((channel) => channelNode(device, channel)) };
}

function pickDefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

type Organizations = ReadonlyMap<string, Organization>;

function organizationsOf(resources: readonly Resource[]): Organizations {
  const organizations = new Map<string, Organization>();
  for (const resource of resources)
    if (resource.resourceType === 'organization')
      organizations.set(resource.organization.organizationId, resource.organization);
  return organizations;
}

/** By the organisation right above; a parent that is not visible (a shared branch) makes a first-level node. */
function organizationsByParent(organizations: Organizations): Map<string, Organization[]> {
  const below = new Map<string, Organization[]>();
  for (const organization of organizations.values()) {
    const parent = organizations.has(organization.parentOrgId) ? organization.parentOrgId : '';
    below.set(parent, [...(below.get(parent) ?? []), organization]);
  }
  return below;
}

function devicesByParent(
  resources: readonly Resource[],
  organizations: Organizations,
  { isWeb }: BuildOptions,
): Map<string, DeviceResource[]> {
  const devices = new Map<string, DeviceResource[]>();
  for (const resource of resources) {
    if (resource.resourceType !== 'device') continue;
    if (isWeb && WEB_HIDDEN_DEVICE_TYPES.includes(resource.device.deviceType)) continue;
    const parent = organizations.has(resource.device.organizationId) ? resource.device.organizationId : '';
    const list = devices.get(parent);
    if (list === undefined) devices.set(parent, [resource]);
    else list.push(resource);
  }
  return devices;
}

/** As somebody put them; those that nobody put anywhere follow by name. */
function inOrder(organizations: readonly Organization[], order: Intl.Collator): Organization[] {
  const placeOf = ({ position }: Organization): number => position ?? Number.MAX_SAFE_INTEGER;
  return [...organizations].sort(
    (a, b) => placeOf(a) - placeOf(b) || order.compare(a.organizationName, b.organizationName),
  );
}

export function buildResourceTree(resources: readonly Resource[], options: BuildOptions): ResourceNode[] {
  const organizations = organizationsOf(resources);
  const below = organizationsByParent(organizations);
  const devices = devicesByParent(resources, organizations, options);
  const order = new Intl.Collator(options.language, { numeric: true });
  const sorted = (nodes: ResourceNode[]): ResourceNode[] => nodes.sort((a, b) => order.compare(a.name, b.name));
  const seen = new Set<string>();
  function childrenOf(organizationId: string): ResourceNode[] {
    // A loop in the data must not hang the page.
    if (seen.has(organizationId)) return [];
    seen.add(organizationId);
    const branches = inOrder(below.get(organizationId) ?? [], order).map(organizationNode);
    const own = options.scope === 'channels' ? (devices.get(organizationId) ?? []).map(deviceNode) : [];
    return [...branches, ...sorted(own)];
  }
  function organizationNode(organization: Organization): ResourceNode {
    return {
      id: organizationKey(organization.organizationId),
      name: organization.organizationName,
      nodeType: 'organization',
      iconSkin: 'folder',
      organization,
      children: childrenOf(organization.organizationId),
    };
  }
  return childrenOf('');
}
