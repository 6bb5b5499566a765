// Every camera of the account as a command: live, and with Ctrl+Enter played back.
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { useT } from '../../language/use-t.ts';
import { channelAddress, PATHS } from '../../navigation/paths.ts';
import { useServices } from '../../services/services.ts';
import { buildResourceTree } from '../resource-tree/build-resource-tree.ts';
import { channelOf, playKey, type ResourceNode } from '../resource-tree/resource-node.ts';
import { useShownResources } from '../resource-tree/resources.query.ts';
import type { Command } from './command.ts';

interface PlacedCamera {
  readonly id: string;
  readonly node: ResourceNode;
  /** The names of what is above it, from the top. */
  readonly above: string;
}

function cameras(nodes: readonly ResourceNode[], above = ''): PlacedCamera[] {
  return nodes.flatMap((node) => {
    const id = playKey(node);
    if (id !== null) return [{ id, node, above }];
    return cameras(node.children ?? [], above === '' ? node.name : `${above} / ${node.name}`);
  });
}

export function useCameraCommands(): { readonly commands: readonly Command[]; readonly query: CameraQuery } {
  const { mode } = useServices();
  const { language } = useT();
  const navigate = useNavigate();
  const { query, resources } = useShownResources();
  const commands = useMemo(() => {
    const tree = buildResourceTree(resources ?? [], { isWeb: mode === 'web', scope: 'channels', language });
    // Channels shared from one device list that device several times.
    const byId = new Map(cameras(tree).map((camera) => [camera.id, camera]));
    return [...byId.values()].map(({ id, node, above }): Command => {
      const channel = channelOf(node) ?? { deviceSerial: '', channelNo: 1 };
      const open = (path: typeof PATHS.liveVideo | typeof PATHS.container) => (): void => {
        void navigate(channelAddress(path, channel));
      };
      const base = { id, kind: 'camera' as const, label: node.name, detail: above };
      return { ...base, run: open(PATHS.liveVideo), runOther: open(PATHS.container) };
    });
  }, [resources, mode, language, navigate]);
  return { commands, query };
}

type CameraQuery = ReturnType<typeof useShownResources>['query'];
