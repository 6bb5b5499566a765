// Boxes over a picture, drawn anew with each of its frames.
import { OBJECT_CLASSES } from '@vedette/contract/enumerations.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useT } from '../../language/use-t.ts';
import { BoxPainter } from './box-painter.ts';
import style from './object-boxes.module.css';
import type { ShownObject } from './object-track.ts';
import { pictureArea, type Size, type ZoomedPart } from './picture-area.ts';

export interface BoxFrame extends Size {
  readonly objects: readonly ShownObject[];
}

export interface ObjectBoxesProps {
  /** Tells of every frame that comes on screen, until the answer is called. */
  readonly watch: (onFrame: (frame: BoxFrame) => void) => () => void;
  readonly part: ZoomedPart;
}

export function ObjectBoxes({ watch, part }: ObjectBoxesProps) {
  const t = useT();
  const canvas = useRef<HTMLCanvasElement>(null);
  const newest = useRef<BoxFrame | null>(null);
  const label = useEffectEvent(({ objectClass, score }: ShownObject) =>
    t('boxes.label', { name: t(`edge.object.${objectClass}`), percent: Math.round(score * 100) }),
  );
  const painter = useRef<BoxPainter | null>(null);
  const paint = useEffectEvent(() => {
    const frame = newest.current;
    if (canvas.current === null || frame === null) return;
    const { clientWidth: width, clientHeight: height } = canvas.current;
    painter.current?.paint(frame.objects, pictureArea({ width, height }, frame, part));
    const name = nameOf(t, frame.objects);
    if (canvas.current.getAttribute('aria-label') !== name) canvas.current.setAttribute('aria-label', name);
  });
  useEffect(() => {
    if (canvas.current === null) return;
    painter.current = new BoxPainter(canvas.current, (object) => label(object));
    const resize = new ResizeObserver(() => paint());
    resize.observe(canvas.current);
    return () => resize.disconnect();
  }, []);
  useEffect(
    () =>
      watch((frame) => {
        newest.current = frame;
        paint();
      }),
    [watch],
  );
  useEffect(() => paint(), [part]);
  return (
    <canvas ref={canvas} className={style.boxes} role="img" data-on-picture data-boxes aria-label={t('boxes.none')} />
  );
}

/** For who does not see the boxes: how many of each class. */
function nameOf(t: Translate, objects: readonly ShownObject[]): string {
  const counts = OBJECT_CLASSES.flatMap((name) => {
    const count = objects.filter(({ objectClass }) => objectClass === name).length;
    return count === 0 ? [] : [t('boxes.count', { name: t(`edge.class.${name}`), count })];
  });
  return counts.length === 0 ? t('boxes.none') : counts.join(' · ');
}
