// Chooses what the tour goes through and how long each page stays, and starts it.
import { TOUR_DWELL_S } from '@vedette/contract/limits.ts';
import { IconRoute } from '@tabler/icons-react';
import { type FormEvent, useEffect, useMemo, useState } from 'react';
import { useT } from '../../../language/use-t.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { NumberField } from '../../../ui/fields/number-field.tsx';
import { Popover } from '../../../ui/overlays/popover.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { isDwell, useTourChoice } from './tour-choice.ts';
import style from './tour-menu.module.css';
import { useTour, wallTour } from './tour-store.ts';
import type { TourPage } from './wall-tour.ts';

export interface TourSource {
  readonly value: string;
  readonly label: string;
  readonly pages: () => readonly TourPage[];
}

/** Asked when they are needed: a large tree has many. The first one is the usual choice. */
export type TourSources = () => readonly TourSource[];

export interface TourMenuProps {
  readonly sources: TourSources;
}

/** Starts with the last choice, or stops. */
export function useTourToggle(sources: TourSources): () => void {
  const t = useT();
  return () => {
    if (useTour.getState().kind !== 'off') return wallTour.stop();
    const { source, dwellS } = useTourChoice.getState();
    const chosen = choose(sources(), source);
    const pages = chosen?.pages() ?? [];
    if (!chosen || pages.length === 0) return showToast('info', t('tour.nothing'));
    useTourChoice.setState({ source: chosen.value });
    wallTour.start(pages, dwellS * 1000);
  };
}

export function TourMenu({ sources }: TourMenuProps) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const isOn = useTour((tour) => tour.kind !== 'off');
  useEffect(() => {
    // The keys of the tour work at once: they belong to the wall, not to the button that started it.
    if (isOn) document.querySelector<HTMLElement>('[data-selected] > [data-handle]')?.focus({ preventScroll: true });
  }, [isOn]);
  return (
    <Popover
      label={t('tour.menu')}
      isOpen={isOpen}
      onToggle={setOpen}
      width={290}
      returnsFocus={!isOn}
      control={
        <IconButton
          label={t(isOn ? 'tour.stop' : 'tour.menu')}
          shortcut="⇧ T"
          isPressed={isOn}
          aria-expanded={isOpen}
          onClick={() => (isOn ? wallTour.stop() : setOpen(!isOpen))}
        >
          <IconRoute size={18} stroke={1.6} />
        </IconButton>
      }
    >
      <TourForm sources={sources} onStarted={() => setOpen(false)} />
    </Popover>
  );
}

function choose(sources: readonly TourSource[], value: string | null): TourSource | undefined {
  return sources.find((one) => one.value === value) ?? sources[0];
}

function TourForm({ sources: ask, onStarted }: TourMenuProps & { readonly onStarted: () => void }) {
  const t = useT();
  const choice = useTourChoice();
  const [dwellS, setDwellS] = useState<number | null>(choice.dwellS);
  const [hasTried, setTried] = useState(false);
  const sources = useMemo(() => ask(), [ask]);
  const chosen = choose(sources, choice.source);
  const pageCount = chosen?.pages().length ?? 0;
  const toggle = useTourToggle(ask);
  const start = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (!isDwell(dwellS) || !chosen) return;
    useTourChoice.setState({ source: chosen.value, dwellS });
    toggle();
    if (useTour.getState().kind !== 'off') onStarted();
  };
  return (
    <form className={style.form} onSubmit={start}>
      <SelectField
        label={t('tour.through')}
        value={chosen?.value ?? null}
        options={sources}
        isSearchable={sources.length > 8}
        hint={t.plural('tour.pages', pageCount)}
        onValue={(source) => useTourChoice.setState({ source })}
      />
      <NumberField
        label={t('tour.dwell')}
        value={dwellS}
        min={TOUR_DWELL_S.least}
        max={TOUR_DWELL_S.most}
        step={5}
        unit={t('tour.dwellUnit')}
        error={hasTried && !isDwell(dwellS) ? t('tour.dwellProblem') : null}
        onValue={setDwellS}
      />
      <Button type="submit" look="primary" isWide disabled={pageCount === 0}>
        {t('tour.start')}
      </Button>
    </form>
  );
}
