// What the tour is doing: the page and its time on the edge of the wall, and the steps by hand.
import { IconChevronLeft, IconChevronRight, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useT } from '../../../language/use-t.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import style from './tour-bar.module.css';
import { useTour, wallTour } from './tour-store.ts';

export function TourBar() {
  const t = useT();
  const tour = useTour();
  if (tour.kind === 'off') return null;
  const { at, pages } = tour;
  const isHeld = tour.kind === 'held';
  const isAsked = tour.kind === 'held' && tour.reasons.includes('asked');
  return (
    <div className={style.bar} role="group" aria-label={t('tour.title')} data-tour={tour.kind}>
      <IconButton size="small" label={t('tour.previous')} shortcut="PgUp" onClick={() => wallTour.step(-1)}>
        <IconChevronLeft size={16} stroke={1.8} />
      </IconButton>
      <IconButton
        size="small"
        label={t(isAsked ? 'tour.resume' : 'tour.pause')}
        shortcut="Space"
        isPressed={isAsked}
        onClick={toggleHold}
      >
        {isAsked ? <IconPlayerPlay size={16} stroke={1.8} /> : <IconPlayerPause size={16} stroke={1.8} />}
      </IconButton>
      <IconButton size="small" label={t('tour.next')} shortcut="PgDn" onClick={() => wallTour.step(1)}>
        <IconChevronRight size={16} stroke={1.8} />
      </IconButton>
      <span className={style.page}>
        <span className={style.name}>{pages[at]?.name}</span>
        <span className={style.count}>
          {t('tour.page', { at: at + 1, total: pages.length })}
          {isHeld && ` · ${t('tour.held')}`}
        </span>
      </span>
    </div>
  );
}

export function toggleHold(): void {
  const tour = useTour.getState();
  const isAsked = tour.kind === 'held' && tour.reasons.includes('asked');
  if (isAsked) {
    wallTour.release('pointer');
    wallTour.release('asked');
  } else wallTour.hold('asked');
}

/** The time that the page has left, as a line on the upper edge of the wall. */
export function TourLine() {
  const tour = useTour();
  if (tour.kind === 'off' || tour.pages.length < 2) return null;
  const { dwellMs, leftMs, at } = tour;
  return (
    <div className={style.line} aria-hidden="true">
      <div
        // Another page or another beginning draws the line anew.
        key={`${at} ${leftMs} ${tour.kind}`}
        className={style.progress}
        data-held={tour.kind === 'held' || undefined}
        style={{ animationDuration: `${dwellMs}ms`, animationDelay: `${leftMs - dwellMs}ms` }}
      />
    </div>
  );
}
