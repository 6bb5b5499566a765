// Texts for why nothing was recorded, and for edge and backfilled recordings.
import type { GapReason } from '@vedette/contract/enumerations.ts';
import type { PlainKey } from '@vedette/phrases/pack.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import type { ChannelRecordings } from './record-queries.ts';
import type { TimelineGap, TimelineNote } from './timeline/timeline-rows.ts';

export const GAP_WORDS: Readonly<Record<GapReason, PlainKey>> = {
  cameraOffline: 'playback.gapCameraOffline',
  streamLost: 'playback.gapStreamLost',
  awaitingKeyframe: 'playback.gapAwaitingKeyframe',
  disk: 'playback.gapDisk',
  diskAway: 'playback.gapDiskAway',
  planOff: 'playback.gapPlanOff',
  siteDown: 'playback.gapSiteDown',
  siteAway: 'playback.gapSiteAway',
  siteBusy: 'playback.gapSiteBusy',
  clockStep: 'playback.gapClockStep',
  damaged: 'playback.gapDamaged',
  empty: 'playback.gapEmpty',
  unknown: 'playback.gapUnknown',
};

export function timelineGaps(t: Translate, { gaps }: ChannelRecordings): readonly TimelineGap[] {
  return gaps.map(({ start, end, reason }) => ({ start, end, reason: t(GAP_WORDS[reason]) }));
}

export function timelineNotes(t: Translate, { spans, backfilled }: ChannelRecordings): readonly TimelineNote[] {
  const onDevice = spans.filter(({ kind }) => kind === 'device');
  return [
    ...backfilled.map(({ start, end }) => ({ start, end, words: t('playback.filled') })),
    ...onDevice.map(({ start, end }) => ({ start, end, words: t('playback.onDevice') })),
  ];
}
