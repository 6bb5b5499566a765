// A picture of what was seen, with what, where and when; it leads to the recording of a little before.
import { formatDateTime } from '@vedette/rules/time-format.ts';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { channelAddress, PATHS } from '../../navigation/paths.ts';
import style from './picture-card.module.css';

/** The recording begins a little before. */
const BEFORE_MS = 2000;

export interface PictureCardProps {
  readonly camera: Parameters<typeof channelAddress>[1];
  /** Null: there is none. */
  readonly picture: ReactNode;
  /** The picture shows the whole of what the camera saw. */
  readonly isWide?: boolean;
  readonly what: string;
  readonly where: string;
  /** When it was seen, and whereby its recording is found; ms. */
  readonly time: number;
  readonly from: number;
}

export function PictureCard({ camera, picture, isWide = false, what, where, time, from }: PictureCardProps) {
  const t = useT();
  const format = useTimeFormat();
  return (
    <li>
      <Link className={style.card} to={`${channelAddress(PATHS.container, camera)}&time=${from - BEFORE_MS}`}>
        <span className={style.picture} data-wide={isWide || undefined}>
          {picture ?? t('edge.search.noPicture')}
        </span>
        <span className={style.what}>{what}</span>
        <span className={style.where}>{where}</span>
        <time className={style.where} dateTime={new Date(time).toISOString()}>
          {formatDateTime(time, format)}
        </time>
      </Link>
    </li>
  );
}
