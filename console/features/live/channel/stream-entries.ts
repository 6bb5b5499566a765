// Entries of a menu by which the stream of a camera is chosen.
import { QUALITY, type Quality } from '@vedette/contract/enumerations.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import type { MenuEntry } from '../../../ui/overlays/menu.tsx';

/** By `streamNum`, after the one that is chosen by itself. */
const STREAMS: readonly Quality[] = [QUALITY.main, QUALITY.second, QUALITY.third];

export interface StreamEntriesInput {
  readonly streamNum: number;
  /** Null: none was chosen. */
  readonly chosen: Quality | null;
  readonly onChoose: (quality: Quality | null) => void;
}

/** Nothing to choose where the camera has one stream. */
export function streamEntries(t: Translate, { streamNum, chosen, onChoose }: StreamEntriesInput): readonly MenuEntry[] {
  if (streamNum < 2) return [];
  const entry = (quality: Quality | null, label: string): MenuEntry => ({
    kind: 'item',
    label,
    isChosen: chosen === quality,
    onChoose: () => onChoose(quality),
  });
  return [
    { kind: 'line' },
    { kind: 'title', label: t('live.stream') },
    entry(null, t('live.streamBySize')),
    ...STREAMS.slice(0, streamNum).map((quality) => entry(quality, t(`live.quality${quality}`))),
  ];
}
