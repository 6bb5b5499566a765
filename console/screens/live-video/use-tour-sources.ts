// What a tour of the wall may go through: the saved layouts, all cameras, or those of one organisation.
import { type ChannelFacts, useChannelFacts } from '../../features/live/channel/channel-facts.ts';
import type { TourSource, TourSources } from '../../features/live/tour/tour-menu.tsx';
import { type WallChannel, wallChannelKey } from '../../features/live/wall/wall-model.ts';
import { useWall } from '../../features/live/wall/wall-store.ts';
import { pagesOf } from '../../features/live/tour/wall-tour.ts';
import { useLayouts } from '../../features/layout/layout.query.ts';
import { buildResourceTree } from '../../features/resource-tree/build-resource-tree.ts';
import { channelsOf, type ResourceNode } from '../../features/resource-tree/resource-node.ts';
import { useResources } from '../../features/resource-tree/resources.query.ts';
import { useCallback } from 'react';
import { useT } from '../../language/use-t.ts';
import { useServices } from '../../services/services.ts';

export function useTourSources(): TourSources {
  const t = useT();
  const { mode } = useServices();
  const { data: resources } = useResources();
  const { data: layouts } = useLayouts();
  return useCallback(() => {
    const tree = buildResourceTree(resources ?? [], { isWeb: mode === 'web', scope: 'channels', language: t.shown });
    const all = sourceOf('all', t('tour.allCameras'), tree);
    const saved: TourSource = {
      value: 'layouts',
      label: t('tour.allLayouts'),
      pages: () => (layouts ?? []).map((layout) => ({ name: layout.name, content: layout })),
    };
    const first = (layouts ?? []).length > 1 ? [saved, all] : [all, saved];
    return [...first, ...organizationSources(tree, '')];
  }, [t, mode, resources, layouts]);
}

/** Each organisation with all below it, named by its path. */
function organizationSources(nodes: readonly ResourceNode[], above: string): TourSource[] {
  return nodes.flatMap((node) => {
    if (node.nodeType !== 'organization') return [];
    const label = above === '' ? node.name : `${above} / ${node.name}`;
    return [sourceOf(node.id, label, [node]), ...organizationSources(node.children ?? [], label)];
  });
}

function sourceOf(value: string, label: string, nodes: readonly ResourceNode[]): TourSource {
  const pages = () => pagesOf(label, useWall.getState().split, nodes.flatMap(channelsOf).filter(isWatchable));
  return { value, label, pages };
}

function isWatchable(channel: WallChannel): boolean {
  const facts: ChannelFacts | undefined = useChannelFacts.getState().byKey.get(wallChannelKey(channel));
  return facts?.canWatch === true;
}
