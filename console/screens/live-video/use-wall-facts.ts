// Tells the wall what the resources say of its channels, and which channels are online, in the order of the tree.
import type { Resource } from '@vedette/contract/entities.ts';
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import { useEffect, useMemo } from 'react';
import { type ChannelFacts, useChannelFacts } from '../../features/live/channel/channel-facts.ts';
import { wallChannelKey } from '../../features/live/wall/wall-model.ts';
import { buildResourceTree } from '../../features/resource-tree/build-resource-tree.ts';
import type { ResourceNode } from '../../features/resource-tree/resource-node.ts';
import { useResources } from '../../features/resource-tree/resources.query.ts';
import { useT } from '../../language/use-t.ts';
import { useStatus } from '../../realtime/status-store.ts';
import { useServices } from '../../services/services.ts';

export function useWallFacts(): readonly ChannelFacts[] {
  const t = useT();
  const { mode } = useServices();
  const { data } = useResources();
  const facts = useMemo(
    () => (data === undefined ? null : factsOf(data, mode === 'web', t.shown)),
    [data, mode, t.shown],
  );
  useEffect(() => {
    if (facts === null) return;
    useChannelFacts.setState({ isLoaded: true, byKey: new Map(facts.map((one) => [wallChannelKey(one), one])) });
  }, [facts]);
  const pushed = useStatus((state) => state.devices);
  return (facts ?? []).filter(
    (one) => one.canWatch && (pushed[one.deviceSerial]?.status ?? (one.isOnline ? 1 : 0)) === DEVICE_STATUS.online,
  );
}

function factsOf(resources: readonly Resource[], isWeb: boolean, language: string): ChannelFacts[] {
  const facts: ChannelFacts[] = [];
  const visit = (nodes: readonly ResourceNode[]): void => {
    for (const node of nodes) {
      const own = nodeFacts(node);
      if (own) facts.push(own);
      visit(node.children ?? []);
    }
  };
  visit(buildResourceTree(resources, { isWeb, scope: 'channels', language }));
  return facts;
}

function nodeFacts({ device, channel, name }: ResourceNode): ChannelFacts | null {
  if (!device || !channel) return null;
  const permission = channel.permission.length > 0 ? channel.permission : device.permission;
  return {
    deviceSerial: device.deviceSerial,
    channelNo: channel.channelNo,
    name,
    deviceName: device.supportMultiChannel ? device.deviceName : null,
    streamNum: channel.streamNum,
    isOnline: device.status === DEVICE_STATUS.online,
    canWatch: permission.includes('Realplay'),
    canRecord: permission.includes('Replay'),
    canTalk: permission.includes('Talk'),
    canControl: permission.includes('PtzControl'),
    canManage: device.permission.includes('DeviceManage'),
  };
}
