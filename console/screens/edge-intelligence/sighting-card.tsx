// One found object: its best picture with class, camera and time; it leads to the recording of that moment.
import type { Sighting } from '@vedette/contract/calls/sighting.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { Link } from 'react-router';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { channelAddress, PATHS } from '../../navigation/paths.ts';
import { ShownImage } from '../../ui/feedback/shown-image.tsx';
import { Skeleton } from '../../ui/feedback/state-view.tsx';
import style from './sighting-search.module.css';
import { useSightingPicture } from './sighting.query.ts';

/** The recording begins a little before the object came. */
const BEFORE_MS = 2000;

export function SightingCard({ sighting }: { readonly sighting: Sighting }) {
  const t = useT();
  const format = useTimeFormat();
  const { objectClass, channelName, startTime, bestTime, regionList } = sighting;
  const address = `${channelAddress(PATHS.container, sighting)}&time=${startTime - BEFORE_MS}`;
  return (
    <li>
      <Link className={style.card} to={address} data-sighting={sighting.sightingId}>
        <SightingPicture sighting={sighting} />
        <span className={style.class}>{t(`edge.object.${objectClass}`)}</span>
        <span className={style.camera}>{[channelName, ...regionList].join(' · ')}</span>
        <time className={style.time} dateTime={new Date(bestTime).toISOString()}>
          {formatDateTime(bestTime, format)}
        </time>
      </Link>
    </li>
  );
}

function SightingPicture({ sighting }: { readonly sighting: Sighting }) {
  const t = useT();
  const url = useSightingPicture(sighting);
  if (url === null) return <span className={style.picture}>{t('edge.search.noPicture')}</span>;
  return (
    <span className={style.picture}>
      {url === undefined ? <Skeleton height={48} /> : <ShownImage src={url} alt="" draggable={false} />}
    </span>
  );
}
