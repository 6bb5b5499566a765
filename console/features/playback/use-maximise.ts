// A double-click on a window of playback: alone, then back among the others.
import { useEffect, useRef } from 'react';
import { beforeMaximised, type PlaybackWall, resize, select } from './playback-wall.ts';

/** Takes the window that was double-clicked. One that was not maximised among others goes to full screen. */
export function useMaximise(
  wall: PlaybackWall,
  onWall: (wall: PlaybackWall) => void,
  onFullScreen: () => void,
): (cell: number) => void {
  const before = useRef<PlaybackWall | null>(null);
  const isOneOfMany = wall.split > 1;
  useEffect(() => {
    // Several windows again, by whatever way: what was maximised before is over.
    if (isOneOfMany) before.current = null;
  }, [isOneOfMany]);
  return (cell) => {
    if (isOneOfMany) {
      before.current = wall;
      return onWall(resize(select(wall, cell), 1));
    }
    const old = beforeMaximised(before.current, wall);
    return old ? onWall(old) : onFullScreen();
  };
}
