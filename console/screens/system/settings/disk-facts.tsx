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

export type Disk = NonNullable<SystemHealth['storage']>['diskList'][number];

/** Its files cannot be read: what is told of it was so when it was read last. */
export function isAway({ state, reason }: Pick<Disk, 'state' | 'reason'>): boolean {
  return state === 'missing' || reason === 'hangs';
}

export function DiskFacts({ disk }: { readonly disk: Disk }) {
  const t = useT();
  const { folder, usedBytes, freeBytes, budgetBytes, state, reason, emptying } = disk;
  // A disk can be as good as filled by what its budget allows: the smaller of both is the whole.
  const whole = Math.min(budgetBytes, usedBytes + freeBytes);
  return (
    <>
      <header className={style.cardHead}>
        <code>{folder}</code>
        <DiskState disk={disk} />
      </header>
      <UsageBar
        label={t('disks.usage', { folder })}
        share={whole === 0 ? 0 : usedBytes / whole}
        tone={TONES[state].bar}
      />
      <div className={style.foot}>
        {isAway(disk) ? (
          <p>{t('disks.held', { used: sizeText(t, usedBytes) })}</p>
        ) : (
          <p>
            {t('system.used', { used: sizeText(t, usedBytes), budget: sizeText(t, whole) })}
            {' · '}
            {t('system.free', { free: sizeText(t, freeBytes) })}
          </p>
        )}
        <Held disk={disk} />
      </div>
      {reason !== null && (
        <Notice tone={state === 'full' ? 'warning' : 'error'}>
          <p>{t(REASON_KEYS[reason])}</p>
          {isAway(disk) && <p>{t('disks.awayHint')}</p>}
        </Notice>
      )}
      {emptying && !isAway(disk) && <Emptying emptying={emptying} />}
    </>
  );
}

/** One that is emptied takes nothing new. */
function DiskState({ disk: { state, emptying } }: { readonly disk: Disk }) {
  const t = useT();
  if (state !== 'normal' || emptying === null) return <StatusDot tone={TONES[state].dot} label={t(STATES[state])} />;
  const isEmpty = emptying.state === 'done';
  const tone = emptying.state === 'waiting' ? 'warning' : 'unknown';
  return <StatusDot tone={tone} label={t(isEmpty ? 'disks.stateEmpty' : 'disks.stateEmptying')} />;
}

function Held({ disk: { oldestAt, newestAt } }: { readonly disk: Disk }) {
  const t = useT();
  const format = useTimeFormat();
  if (oldestAt === null || newestAt === null) return <p>{t('disks.none')}</p>;
  const [from, to] = [oldestAt, newestAt].map((at) => formatDateTime(at, format, false)) as [string, string];
  return <p>{t('disks.span', { from, to })}</p>;
}

function Emptying({ emptying: { state, filesLeft, bytesLeft } }: { readonly emptying: NonNullable<Disk['emptying']> }) {
  const t = useT();
  if (state === 'done') return <Notice tone="info">{t('disks.emptied')}</Notice>;
  if (filesLeft === 0 && state === 'waiting') return <Notice tone="warning">{t('disks.leftovers')}</Notice>;
  const left = { files: filesLeft, size: sizeText(t, bytesLeft) };
  return (
    <Notice tone={state === 'waiting' ? 'warning' : 'info'}>
      {t(state === 'waiting' ? 'disks.emptyingWaits' : 'disks.emptying', left)}
    </Notice>
  );
}
