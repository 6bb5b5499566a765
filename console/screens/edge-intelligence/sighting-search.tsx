// The search for what cameras with tasks saw: what is asked, and the objects that were found as a grid of their pictures.
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { useServices } from '../../services/services.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { SearchedArea } from './searched-area.tsx';
import { SightingCard } from './sighting-card.tsx';
import { SightingFields } from './sighting-fields.tsx';
import style from './sighting-search.module.css';
import { type SightingFilter, sightingInput, useSightings } from './sighting.query.ts';

/** The day of the machine. */
function today(nowMs: number): Pick<SightingFilter, 'startTime' | 'endTime'> {
  const start = new Date(nowMs);
  start.setHours(0, 0, 0, 0);
  const end = new Date(start);
  end.setDate(end.getDate() + 1);
  return { startTime: start.getTime(), endTime: end.getTime() };
}

export function SightingSearch() {
  const { clock } = useServices();
  const [filter, setFilter] = useState<SightingFilter>(() => ({
    classList: [],
    camera: '',
    zone: null,
    ...today(clock.wallMs()),
  }));
  return (
    <div className={style.search}>
      <SightingFields filter={filter} onFilter={(part) => setFilter({ ...filter, ...part })} />
      {filter.camera !== '' && filter.zone !== null && (
        <SearchedArea key={filter.camera} camera={filter.camera} onZone={(zone) => setFilter({ ...filter, zone })} />
      )}
      <SightingResults filter={filter} />
    </div>
  );
}

function SightingResults({ filter }: { readonly filter: SightingFilter }) {
  const t = useT();
  const { data, error, isPending, isFetching, hasNextPage, fetchNextPage, refetch } = useSightings(filter);
  if (sightingInput(filter) === null) return <StateView title={t('statistics.chooseRange')} />;
  if (isPending) return <SkeletonLines label={t('common.loading')} rows={8} rowHeight={40} />;
  if (data === undefined) {
    const retry = <Button onClick={() => void refetch()}>{t('common.retry')}</Button>;
    return <StateView role="alert" title={t('edge.search.error')} detail={failureText(t, error)} action={retry} />;
  }
  const sightings = data.pages.flatMap(({ sightingList }) => sightingList);
  if (sightings.length === 0) return <StateView title={t('edge.search.none')} detail={t('edge.search.noneDetail')} />;
  return (
    <>
      <ul className={style.grid} aria-label={t('edge.search.results')}>
        {sightings.map((sighting) => (
          <SightingCard key={sighting.sightingId} sighting={sighting} />
        ))}
      </ul>
      {error !== null && <p role="alert">{failureText(t, error)}</p>}
      {hasNextPage && (
        <div className={style.more}>
          <Button disabled={isFetching} onClick={() => void fetchNextPage()}>
            {t('edge.search.more')}
          </Button>
        </div>
      )}
    </>
  );
}
