// One recording disk as its site tells it: state, use, the time that it holds, and how far it is emptied.
import { formatDateTime } from '@vedette/rules/time-format.ts';
import type { SystemHealth } from '../../../features/system/system.query.ts';
import { sizeText } from '../../../language/size-text.ts';
import { useT } from '../../../language/use-t.ts';
import { useTimeFormat } from '../../../language/use-time-format.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { StatusDot } from '../../../ui/feedback/status-dot.tsx';
import { UsageBar } from '../../../ui/feedback/usage-bar.tsx';
import { REASON_KEYS, STATES, TONES } from './storage-reason.ts';
import style from './disk-list.module.css';

type Disk = NonNullable<SystemHealth['storage']>['diskList'][number];

export function DiskFacts({ disk }: { readonly disk: Disk }) {
  const t = useT();
  const format = useTimeFormat();
  const { folder, usedBytes, freeBytes, budgetBytes, state, reason, oldestAt, newestAt, emptying } = disk;
  const held =
    oldestAt === null || newestAt === null
      ? t('system.noRecording')
      : t('disks.span', { from: formatDateTime(oldestAt, format, false), to: formatDateTime(newestAt, format, false) });
  // A disk can be as good as filled by what its budget allows: the smaller of both is the whole.
  const whole = Math.min(budgetBytes, usedBytes + freeBytes);
  const space = t('system.used', { used: sizeText(t, usedBytes), budget: sizeText(t, whole) });
  return (
    <>
      <header className={style.cardHead}>
        <code>{folder}</code>
        <StatusDot tone={TONES[state].dot} label={t(STATES[state])} />
      </header>
      <UsageBar
        label={t('disks.usage', { folder })}
        share={whole === 0 ? 0 : usedBytes / whole}
        tone={TONES[state].bar}
      />
      <p className={style.foot}>{`${space} · ${t('system.free', { free: sizeText(t, freeBytes) })} · ${held}`}</p>
      {reason !== null && (
        <Notice tone={state === 'full' ? 'warning' : 'error'}>
          {`${t(REASON_KEYS[reason])}${state === 'missing' ? ` ${t('disks.awayHint')}` : ''}`}
        </Notice>
      )}
      {emptying && <Emptying emptying={emptying} />}
    </>
  );
}

function Emptying({ emptying: { state, filesLeft, bytesLeft } }: { readonly emptying: NonNullable<Disk['emptying']> }) {
  const t = useT();
  if (state === 'done') return <Notice tone="info">{t('disks.emptied')}</Notice>;
  const left = { files: filesLeft, size: sizeText(t, bytesLeft) };
  return (
    <Notice tone={state === 'waiting' ? 'warning' : 'info'}>
      {t(state === 'waiting' ? 'disks.emptyingWaits' : 'disks.emptying', left)}
    </Notice>
  );
}
