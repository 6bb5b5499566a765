// Boxes of objects over a recording, from the paths of sightings, in step with its frames.
import type { PlaybackGroup } from '@vedette/player/playback/playback-group.ts';
import { type RefObject, useCallback, useState } from 'react';
import { useBoxesShown } from '../../object-boxes/box-choice.ts';
import { type BoxFrame, ObjectBoxes } from '../../object-boxes/object-boxes.tsx';
import { type ObjectTrack, objectAt } from '../../object-boxes/object-track.ts';
import type { Size } from '../../object-boxes/picture-area.ts';
import { partOf, useSeenPaths } from './seen-paths.query.ts';
import { type CameraPlace, cameraKey } from '@vedette/rules/camera-key.ts';

export interface PlaybackBoxesProps {
  readonly group: PlaybackGroup | null;
  readonly channel: CameraPlace;
  /** Holds the picture. */
  readonly host: RefObject<HTMLElement | null>;
}

/** Playback has no digital zoom. */
const WHOLE = { scale: 1, left: 0, top: 0 };

export function PlaybackBoxes(props: PlaybackBoxesProps) {
  const isShown = useBoxesShown();
  return isShown && props.group !== null ? <ShownBoxes {...props} group={props.group} /> : null;
}

function ShownBoxes({ group, channel, host }: PlaybackBoxesProps & { readonly group: PlaybackGroup }) {
  const id = cameraKey(channel);
  const [part, setPart] = useState<number | null>(null);
  const tracks = useSeenPaths(channel, part);
  const watch = useCallback(
    (onFrame: (frame: BoxFrame) => void) =>
      watchFrames(() => {
        const at = group.shownAt(id);
        const size = host.current && pictureSize(host.current);
        if (!size) return;
        if (at !== null) setPart(partOf(at));
        onFrame({ ...size, objects: at === null ? [] : objectsAt(tracks, at) });
      }),
    [group, id, host, tracks],
  );
  return <ObjectBoxes watch={watch} part={WHOLE} />;
}

function watchFrames(look: () => void): () => void {
  let request = 0;
  const again = (): void => {
    request = requestAnimationFrame(again);
    look();
  };
  again();
  return () => cancelAnimationFrame(request);
}

function objectsAt(tracks: readonly ObjectTrack[], at: number) {
  const inView = tracks.filter(({ samples }) => {
    const [first, last] = [samples[0], samples.at(-1)];
    return first !== undefined && last !== undefined && first.at <= at && at <= last.at;
  });
  return inView.map((track) => objectAt(track, at));
}

/** Of the picture on screen; null before the first. */
function pictureSize(host: HTMLElement): Size | null {
  const picture = host.querySelector<HTMLCanvasElement | HTMLVideoElement>(
    'canvas[data-surface]:not([data-left]), video',
  );
  if (picture === null) return null;
  const [width, height] =
    picture instanceof HTMLVideoElement ? [picture.videoWidth, picture.videoHeight] : [picture.width, picture.height];
  return width > 1 && height > 1 ? { width, height } : null;
}
