// Every camera that the account may watch, by its key, with its name.
import { useMemo } from 'react';
import { useT } from '../../language/use-t.ts';
import { useServices } from '../../services/services.ts';
import { buildResourceTree } from '../resource-tree/build-resource-tree.ts';
import { playKey, type ResourceNode } from '../resource-tree/resource-node.ts';
import { useResources } from '../resource-tree/resources.query.ts';

function named(nodes: readonly ResourceNode[]): (readonly [string, string])[] {
  return nodes.flatMap((node) => {
    const key = playKey(node);
    return key === null ? named(node.children ?? []) : [[key, node.name] as const];
  });
}

export function useNamedCameras() {
  const { mode } = useServices();
  const { language } = useT();
  const { data, error, refetch } = useResources();
  const names = useMemo(
    () =>
      data === undefined
        ? undefined
        : new Map(named(buildResourceTree(data, { isWeb: mode === 'web', scope: 'channels', language }))),
    [data, mode, language],
  );
  return { data: names, error, refetch };
}
