// What is known of the cameras of a floor plan: names, rights and states, from the resources of the account.
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import type { Resource } from '@vedette/contract/entities.ts';
import { cameraKey } from '@vedette/rules/camera-key.ts';
import { useMemo } from 'react';
import { buildResourceTree } from '../resource-tree/build-resource-tree.ts';
import type { ResourceNode } from '../resource-tree/resource-node.ts';
import { useResources } from '../resource-tree/resources.query.ts';
import { useT } from '../../language/use-t.ts';
import { useServices } from '../../services/services.ts';

export interface PlanCameraFacts {
  readonly name: string;
  readonly organizationId: string;
  /** When the resources were asked for. */
  readonly status: number;
  readonly canWatch: boolean;
  readonly canReplay: boolean;
}

/** By `cameraKey`; undefined until the resources are known. */
export function useCameraFacts(): ReadonlyMap<string, PlanCameraFacts> | undefined {
  const { language } = useT();
  const { mode } = useServices();
  const { data } = useResources();
  return useMemo(
    () => (data === undefined ? undefined : factsOf(data, mode === 'web', language)),
    [data, mode, language],
  );
}

function factsOf(resources: readonly Resource[], isWeb: boolean, language: string): Map<string, PlanCameraFacts> {
  const facts = new Map<string, PlanCameraFacts>();
  const visit = (nodes: readonly ResourceNode[]): void => {
    for (const { device, channel, name, children } of nodes) {
      if (device !== undefined && channel !== undefined) {
        const permission = channel.permission.length > 0 ? channel.permission : device.permission;
        facts.set(cameraKey({ deviceSerial: device.deviceSerial, channelNo: channel.channelNo }), {
          name,
          organizationId: device.organizationId,
          status: device.status,
          canWatch: permission.includes('Realplay'),
          canReplay: permission.includes('Replay'),
        });
      }
      visit(children ?? []);
    }
  };
  visit(buildResourceTree(resources, { isWeb, scope: 'channels', language }));
  return facts;
}

export const UNKNOWN_CAMERA: Omit<PlanCameraFacts, 'name' | 'organizationId'> = {
  status: DEVICE_STATUS.unknown,
  canWatch: false,
  canReplay: false,
};
