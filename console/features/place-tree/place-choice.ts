// Places to choose: as the server takes them, and as nodes of the tree in which they are chosen.
import type { RoleDetails, RoleResource } from '@vedette/contract/calls/role.ts';
import type { Resource } from '@vedette/contract/entities.ts';
import { QUERY_MODE } from '@vedette/contract/enumerations.ts';
import type { Caller } from '../../calls/caller.ts';
import type { TreeNode } from '@vedette/rules/tree/tree-node.ts';
import type { LoadedChildren } from '../resource-tree/tree-view.props.ts';

export interface PlaceNode extends TreeNode {
  readonly place: RoleResource;
  readonly parentKey: string | null;
  readonly children?: readonly PlaceNode[];
}

export function placeKey(place: RoleResource): string {
  if ('organizationId' in place) return `o:${place.organizationId}`;
  return 'channelNo' in place ? `c:${place.deviceSerial}:${place.channelNo}` : `d:${place.deviceSerial}`;
}

/** null: wherever its accounts are placed. */
export function placesOf({ resources }: RoleDetails): RoleResource[] | null {
  return resources === null ? null : resources.flatMap(toPlace);
}

function toPlace(one: NonNullable<RoleDetails['resources']>[number]): RoleResource[] {
  if (one.organizationId !== null) return [{ organizationId: one.organizationId }];
  if (one.deviceSerial === null) return [];
  const { deviceSerial, channelNo } = one;
  return [channelNo === null ? { deviceSerial } : { deviceSerial, channelNo }];
}

interface WantedPlaces {
  /** Keys of what is ticked at first. */
  readonly chosen: ReadonlySet<string>;
  readonly hasChannels: boolean;
}

function toNode(resource: Resource, parentKey: string | null, { chosen, hasChannels }: WantedPlaces): PlaceNode {
  if (resource.resourceType === 'organization') {
    const { organizationId, organizationName } = resource.organization;
    const place = { organizationId };
    const id = placeKey(place);
    const isChosen = chosen.has(id);
    return { id, name: organizationName, iconSkin: 'folder', lazy: true, iniChecked: isChosen, place, parentKey };
  }
  const { device, channelList } = resource;
  const place = { deviceSerial: device.deviceSerial };
  const id = placeKey(place);
  const base = { id, name: device.deviceName, place, parentKey, iniChecked: chosen.has(id) };
  if (channelList.length < 2 || !hasChannels) return { ...base, iconSkin: 'camera' };
  const children = channelList.map((channel) => {
    const own = { deviceSerial: device.deviceSerial, channelNo: channel.channelNo };
    const key = placeKey(own);
    const isChosen = chosen.has(key) || chosen.has(id);
    return { id: key, name: channel.channelName, iconSkin: 'channel', iniChecked: isChosen, place: own, parentKey: id };
  });
  return { ...base, iconSkin: 'recorder', children };
}

/** The children right below an organisation ('0' is the root), a page of them; only what the account owns can be a place. */
export async function loadPlaces(
  caller: Caller,
  organizationId: string,
  page: { readonly pageStart: number; readonly pageSize: number },
  wanted: WantedPlaces,
): Promise<LoadedChildren<PlaceNode>> {
  const input = {
    organizationId,
    pageStart: page.pageStart,
    pageSize: page.pageSize,
    queryMode: QUERY_MODE.itselfAlone,
  };
  const { resourceList, total } = await caller.ask('org/resource/sub', input, { showError: false });
  const parentKey = organizationId === '0' ? null : placeKey({ organizationId });
  return { children: resourceList.map((resource) => toNode(resource, parentKey, wanted)), total };
}

/** What is chosen once boxes were ticked: topmost nodes alone, and what was chosen before and is not in sight. */
export function chosenPlaces(
  before: readonly RoleResource[],
  known: ReadonlySet<string>,
  checked: readonly PlaceNode[],
): RoleResource[] {
  const ids = new Set(checked.map((node) => node.id));
  const top = checked.filter((node) => node.parentKey === null || !ids.has(node.parentKey));
  const unseen = before.filter((place) => !known.has(placeKey(place)));
  return [...unseen, ...top.map((node) => node.place)];
}
