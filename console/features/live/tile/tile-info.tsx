// The details of one tile's picture: stream, size, rate, how it is shown and why, delay, dropped frames.
import type { LiveTile } from '@vedette/player/live/live-tile.ts';
import type { TileState } from '@vedette/player/live/tile-state.ts';
import { create } from 'zustand';
import { useT } from '../../../language/use-t.ts';
import style from './tile-info.module.css';
import { useTileMeasures } from './tile-measures.ts';
import { codecName } from './tile-sentence.ts';

/** Details are shown on the whole wall, or nowhere; small tiles show them when selected. */
export const useTileInfo = create<{ readonly isShown: boolean }>(() => ({ isShown: false }));

export function toggleTileInfo(): void {
  useTileInfo.setState(({ isShown }) => ({ isShown: !isShown }));
}

export interface TileInfoProps {
  readonly tile: LiveTile;
  readonly state: TileState;
  readonly quality: number | null;
  readonly isSelected: boolean;
}

export function TileInfo(props: TileInfoProps) {
  const isShown = useTileInfo((info) => info.isShown);
  return isShown && props.state.kind === 'live' ? <LiveInfo {...props} state={props.state} /> : null;
}

function LiveInfo({
  tile,
  state,
  quality,
  isSelected,
}: TileInfoProps & { readonly state: Extract<TileState, { kind: 'live' }> }) {
  const t = useT();
  const { fps, kbps } = useTileMeasures(tile, true);
  const rows: readonly (readonly [string, string | null | undefined])[] = [
    [
      t('live.infoStream'),
      [
        quality === null ? undefined : t.find(`live.quality${quality}`),
        codecName(state.codec),
        `${state.width}×${state.height}`,
      ]
        .filter(Boolean)
        .join(' · '),
    ],
    [t('live.infoRate'), fps === null ? null : t('live.infoRateValue', { fps })],
    [t('live.infoBitrate'), kbps === null ? null : t('live.infoBitrateValue', { kbps })],
    [t('live.infoTransport'), `${t(`live.transport_${state.transport}`)} · ${t(`live.because_${state.because}`)}`],
    [t('live.infoLatency'), state.latencyMs === null ? null : t('live.latency', { ms: state.latencyMs })],
    [t('live.infoDropped'), t.plural('live.infoDroppedValue', state.dropped)],
    [t('live.infoLate'), t.plural('live.infoDroppedValue', state.late)],
  ];
  return (
    <dl className={style.info} data-tile-info data-selected={isSelected || undefined}>
      {rows.map(([label, value]) => (
        <div key={label} className={style.row}>
          <dt>{label}</dt>
          <dd>{value ?? '…'}</dd>
        </div>
      ))}
    </dl>
  );
}
