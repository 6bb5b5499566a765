// Shares in words and marks: what they hold, until when, in which state.
import { IconDeviceCctv, IconFolder, IconQuestionMark, IconVideo } from '@tabler/icons-react';
import type { Share } from '@vedette/contract/calls/share.ts';
import { SHARE_RESOURCE, type ShareState } from '@vedette/contract/enumerations.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import { formatDateTime, type TimeFormat } from '@vedette/rules/time-format.ts';
import type { SharedItems } from '../../features/share/share.query.ts';
import { useT } from '../../language/use-t.ts';
import { StatusDot, type StatusTone } from '../../ui/feedback/status-dot.tsx';
import style from './my-share-screen.module.css';

const ICONS: Readonly<Record<number, typeof IconVideo>> = {
  [SHARE_RESOURCE.organization]: IconFolder,
  [SHARE_RESOURCE.device]: IconDeviceCctv,
  [SHARE_RESOURCE.channel]: IconVideo,
};

export function ItemIcon({ isShared }: Pick<Share, 'isShared'>) {
  const Icon = ICONS[isShared] ?? IconQuestionMark;
  return <Icon size={16} stroke={1.6} aria-hidden="true" />;
}

export function shareName(t: Translate, { first, items }: SharedItems): string {
  if (first.shareName !== '') return first.shareName;
  if (items.length === 1) return first.resourceName;
  return t('share.andMore', { name: first.resourceName, count: items.length - 1 });
}

export function untilText(t: Translate, endTime: number | null, format: TimeFormat): string {
  return endTime === null ? t('share.noEnd') : formatDateTime(endTime, format, false);
}

const TONES: Readonly<Record<ShareState, StatusTone>> = {
  pending: 'warning',
  scheduled: 'unknown',
  active: 'online',
  ended: 'unknown',
};

export function StateMark({ state }: { readonly state: ShareState }) {
  const t = useT();
  return (
    <span className={style.state} title={t(`share.stateDetail_${state}`)}>
      <StatusDot tone={TONES[state]} />
      {t(`share.state_${state}`)}
    </span>
  );
}
