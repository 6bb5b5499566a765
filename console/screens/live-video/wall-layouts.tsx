// The menu of saved layouts over the wall of this page.
import { useEffect, useMemo, useState } from 'react';
import { useChannelFacts } from '../../features/live/channel/channel-facts.ts';
import { useTour } from '../../features/live/tour/tour-store.ts';
import { showContent, wallChannelKey, wallContent } from '../../features/live/wall/wall-model.ts';
import { changeWall, useWall } from '../../features/live/wall/wall-store.ts';
import { useActiveLayout } from '../../features/layout/active-layout.ts';
import { useShowHomeLayout } from '../../features/layout/home-layout.ts';
import type { LayoutContent } from '../../features/layout/layout-content.ts';
import { LayoutMenu } from '../../features/layout/layout-menu.tsx';
import { useKeys } from '../../keys/key-registry.ts';

export function WallLayouts() {
  const [isOpen, setOpen] = useState(false);
  const wall = useWall();
  const facts = useChannelFacts((state) => state.byKey);
  // What was taken away meanwhile still says so on the wall, but is no part of what is saved.
  const content = useMemo(() => {
    const { split, tiles } = wallContent(wall);
    return { split, tiles: tiles.filter((tile) => facts.get(wallChannelKey(tile))?.canWatch) };
  }, [wall, facts]);
  const isTouring = useTour((tour) => tour.kind !== 'off');
  useEffect(() => {
    // What a tour leaves on the wall is no changed layout.
    if (isTouring) useActiveLayout.setState({ layout: null });
  }, [isTouring]);
  useShowHomeLayout(wallContent(wall).tiles.length === 0, showOnWall);
  useKeys([{ keys: 'l', label: 'layouts.menu', group: 'live.wall', run: () => setOpen(true) }]);
  return <LayoutMenu content={content} isOpen={isOpen} onToggle={setOpen} onApply={showOnWall} />;
}

function showOnWall(layout: LayoutContent): void {
  changeWall((before) => showContent(before, layout));
}
