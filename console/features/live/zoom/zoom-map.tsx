// The small map over a zoomed picture: which part of it is seen, and how large.
import { useT } from '../../../language/use-t.ts';
import style from './zoom-map.module.css';
import { isZoomed, type ZoomView } from './zoom-view.ts';

export function ZoomMap({ view }: { readonly view: ZoomView }) {
  const t = useT();
  if (!isZoomed(view)) return null;
  const size = `${100 / view.scale}%`;
  return (
    <div className={style.map} data-zoom-map>
      <span
        className={style.part}
        style={{ left: `${view.left * 100}%`, top: `${view.top * 100}%`, width: size, height: size }}
      />
      <span className={style.scale}>{t('live.zoomed', { times: view.scale.toFixed(1) })}</span>
    </div>
  );
}
