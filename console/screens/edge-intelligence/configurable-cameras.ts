// The cameras that the account may configure, or do something else with, by name.
import type { Permission } from '@vedette/contract/permissions.ts';
import { cameraKey } from '@vedette/rules/camera-key.ts';
import { useMemo } from 'react';
import { buildResourceTree } from '../../features/resource-tree/build-resource-tree.ts';
import type { ResourceNode } from '../../features/resource-tree/resource-node.ts';
import { useResources } from '../../features/resource-tree/resources.query.ts';
import { useT } from '../../language/use-t.ts';
import { useServices } from '../../services/services.ts';
import type { SelectOption } from '../../ui/fields/select-field.tsx';

export function useConfigurableCameras(): readonly SelectOption[] {
  return useCamerasWith('Config');
}

/** Values are `cameraKey`s. */
export function useCamerasWith(action: Permission): readonly SelectOption[] {
  const { language } = useT();
  const { mode } = useServices();
  const { data } = useResources();
  return useMemo(() => {
    const tree = buildResourceTree(data ?? [], { isWeb: mode === 'web', scope: 'channels', language });
    // Channels shared from one device list that device several times.
    return [...new Map(camerasBelow(tree, action).map((camera) => [camera.value, camera])).values()];
  }, [data, mode, language, action]);
}

function camerasBelow(nodes: readonly ResourceNode[], action: Permission): SelectOption[] {
  return nodes.flatMap(({ device, channel, name, children }) => {
    if (device === undefined || channel === undefined) return camerasBelow(children ?? [], action);
    const permission = channel.permission.length > 0 ? channel.permission : device.permission;
    if (!permission.includes(action)) return [];
    return [{ value: cameraKey({ deviceSerial: device.deviceSerial, channelNo: channel.channelNo }), label: name }];
  });
}
