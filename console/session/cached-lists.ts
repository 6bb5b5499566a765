// Cached lists of the account that survive a reload (UI-06): shown at once while they are fetched anew. Bounded: session storage is small.
import type { ListedGroup } from '@vedette/contract/calls/group.ts';
import type { Organization, Resource } from '@vedette/contract/entities.ts';
import { IS_SHARED } from '@vedette/contract/enumerations.ts';
import { CLIENT_STATE_DEFAULTS, type PushedAlarm, useClientState } from './client-state.ts';

/** About one megabyte; of a larger tree nothing is kept, for half a tree would look whole. */
const RESOURCES_MAX = 2000;
const SHARED_MAX = 500;
const EVENTS_MAX = 100;

export function cacheOrgTree(rootOrgName: string, resources: readonly Resource[]): void {
  const { rootOrgId } = CLIENT_STATE_DEFAULTS.orgTree;
  const shared = resources.flatMap((one) =>
    one.resourceType === 'device' && one.device.isShared !== IS_SHARED.none ? [one.device] : [],
  );
  useClientState.setState({
    orgTree: { rootOrgId, rootOrgName, nodeData: resources.length > RESOURCES_MAX ? [] : resources },
    sharedList: shared.slice(0, SHARED_MAX),
  });
}

/** Undefined where nothing was kept. */
export function cachedNodeData(): readonly Resource[] | undefined {
  const { nodeData } = useClientState.getState().orgTree;
  return nodeData.length === 0 ? undefined : nodeData;
}

export function cacheGroups(groupList: readonly ListedGroup[]): void {
  useClientState.setState({ groupList });
}

export function cachedGroups(): readonly ListedGroup[] | undefined {
  const { groupList } = useClientState.getState();
  return groupList.length === 0 ? undefined : groupList;
}

/** Those below the node that is shown. */
export function cacheNodeOrgs(currentNodeOrgs: readonly Organization[]): void {
  useClientState.setState({ currentNodeOrgs });
}

/** The last first. */
export function cacheEvents(heard: readonly PushedAlarm[]): void {
  useClientState.setState(({ eventList }) => ({ eventList: [...heard, ...eventList].slice(0, EVENTS_MAX) }));
}
