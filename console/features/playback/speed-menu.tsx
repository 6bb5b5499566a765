// The speed of playback, forwards and backwards.
import { IconChevronDown } from '@tabler/icons-react';
import { PLAYBACK_RATES } from '@vedette/player/playback/hls/playback-state.ts';
import { useT } from '../../language/use-t.ts';
import { Menu } from '../../ui/overlays/menu.tsx';
import style from './speed-menu.module.css';

export interface SpeedMenuProps {
  readonly rate: number;
  readonly canReverse: boolean;
  readonly onRate: (rate: number) => void;
}

export function SpeedMenu({ rate, canReverse, onRate }: SpeedMenuProps) {
  const t = useT();
  const rates = PLAYBACK_RATES.filter((one) => one > 0 || canReverse).toReversed();
  const entries = rates.map((one) => ({
    kind: 'item' as const,
    label: speedText(one),
    isChosen: one === rate,
    onChoose: () => onRate(one),
  }));
  return (
    <Menu label={t('playback.speed')} entries={entries} side="top-start" width={96}>
      <button type="button" className={style.speed} aria-label={`${t('playback.speed')}: ${speedText(rate)}`}>
        {speedText(rate)}
        <IconChevronDown size={13} stroke={1.8} aria-hidden="true" />
      </button>
    </Menu>
  );
}

/** With the minus sign of numbers, as wide as a plus. */
function speedText(rate: number): string {
  return `${rate < 0 ? '−' : ''}${Math.abs(rate)}×`;
}
