// The recording disks: how each does, what it holds, and adding, emptying and removing one.
import type { StorageReason } from '@vedette/contract/enumerations.ts';
import { useState } from 'react';
import { DangerDialog } from '../../../features/confirm/danger-dialog.tsx';
import { useSystemHealth } from '../../../features/system/system.query.ts';
import { useT } from '../../../language/use-t.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { NumberField } from '../../../ui/fields/number-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { type Disk, DiskFacts, isAway } from './disk-facts.tsx';
import type { PartProps } from './settings-form.tsx';
import { type DiskDraft, DRAFT_LIMITS, isBudgetBad, isFolderBad, withoutFirst } from './settings-draft.ts';
import { REASON_KEYS } from './storage-reason.ts';
import style from './disk-list.module.css';

interface DiskListProps extends PartProps {
  readonly refusalOf: (disk: number) => StorageReason | null;
}

/** As many as a site takes, less the first. */
const MORE_MAX = 15;

export function DiskList({ draft, onDraft, refusalOf }: DiskListProps) {
  const t = useT();
  const disks: readonly DiskDraft[] = [draft, ...draft.moreDisks];
  const change = (at: number, part: Partial<DiskDraft>): void => {
    if (at === 0) onDraft(part);
    else onDraft({ moreDisks: draft.moreDisks.map((disk, place) => (place === at - 1 ? { ...disk, ...part } : disk)) });
  };
  const remove = (at: number): void => {
    if (at === 0) onDraft(withoutFirst(draft));
    else onDraft({ moreDisks: draft.moreDisks.filter((_, place) => place !== at - 1) });
  };
  const add = (): void =>
    onDraft({ moreDisks: [...draft.moreDisks, { folder: '', budgetGb: draft.budgetGb, isEmptying: false }] });
  return (
    <div className={style.list}>
      <header className={style.head}>
        <h3>{t('disks.title')}</h3>
        <Button disabled={draft.moreDisks.length >= MORE_MAX} onClick={add}>
          {t('disks.add')}
        </Button>
      </header>
      <p className={style.lead}>{t('disks.lead')}</p>
      {(disks.length > 1 ? disks : []).map((disk, at) => (
        <DiskCard
          // Disks are told apart by their place alone while their folder is typed.
          key={at}
          disk={disk}
          isFirst={at === 0}
          refusal={at === 0 ? null : refusalOf(at)}
          onChange={(part) => change(at, part)}
          onRemove={() => remove(at)}
        />
      ))}
    </div>
  );
}

interface DiskCardProps {
  readonly disk: DiskDraft;
  readonly isFirst: boolean;
  readonly refusal: StorageReason | null;
  readonly onChange: (part: Partial<DiskDraft>) => void;
  readonly onRemove: () => void;
}

function DiskCard({ disk, isFirst, refusal, onChange, onRemove }: DiskCardProps) {
  const t = useT();
  const [isAsking, setAsking] = useState(false);
  const { data: health } = useSystemHealth();
  const facts = health?.storage?.diskList.find(({ folder }) => folder === disk.folder.trim());
  const name = disk.folder.trim() === '' ? t('disks.new') : disk.folder;
  // As long as nobody knows what it holds, it may hold something.
  const isHeld = health === undefined || (facts !== undefined && facts.usedBytes > 0);
  return (
    <section className={style.card} aria-label={name}>
      {facts && <DiskFacts disk={facts} />}
      {!isFirst && <DiskFields disk={disk} refusal={refusal} onChange={onChange} />}
      <DiskActions
        disk={disk}
        facts={facts}
        isKnown={health !== undefined}
        onChange={onChange}
        onRemove={() => (isHeld ? setAsking(true) : onRemove())}
      />
      <DangerDialog
        isOpen={isAsking}
        title={t('disks.removeTitle')}
        confirmLabel={t('disks.remove')}
        onConfirm={() => {
          setAsking(false);
          onRemove();
        }}
        onClose={() => setAsking(false)}
      >
        <p>{t('disks.removeDetail', { folder: disk.folder })}</p>
      </DangerDialog>
    </section>
  );
}

interface DiskActionsProps extends Pick<DiskCardProps, 'disk' | 'onChange' | 'onRemove'> {
  readonly facts: Disk | undefined;
  /** Whether `facts` have come. Until then both buttons stand where they will stand: neither moves under the pointer. */
  readonly isKnown: boolean;
}

function DiskActions({ disk: { isEmptying }, facts, isKnown, onChange, onRemove }: DiskActionsProps) {
  const t = useT();
  const setEmptying = (isWanted: boolean) => () => onChange({ isEmptying: isWanted });
  const canEmpty = canBeEmptied(facts);
  if (isEmptying && facts?.emptying?.state === 'done')
    return (
      <div className={style.actions}>
        <Button onClick={onRemove}>{t('disks.remove')}</Button>
        <Button look="quiet" onClick={setEmptying(false)}>
          {t('disks.useAgain')}
        </Button>
      </div>
    );
  if (isKnown && !isEmptying && !canEmpty)
    return (
      <div className={style.actions}>
        <Button onClick={onRemove}>{t('disks.remove')}</Button>
      </div>
    );
  return (
    <div className={style.actions}>
      <Button disabled={!isKnown} onClick={setEmptying(!isEmptying)}>
        {t(isEmptying ? 'disks.stopEmptying' : 'disks.empty')}
      </Button>
      <Button look="quiet" onClick={onRemove}>
        {t('disks.remove')}
      </Button>
    </div>
  );
}

function canBeEmptied(facts: Disk | undefined): boolean {
  return facts !== undefined && facts.usedBytes > 0 && !isAway(facts);
}

function DiskFields({ disk, refusal, onChange }: Pick<DiskCardProps, 'disk' | 'refusal' | 'onChange'>) {
  const t = useT();
  return (
    <div className={style.fields}>
      <TextField
        label={t('disks.folder')}
        value={disk.folder}
        onValue={(folder) => onChange({ folder })}
        spellCheck={false}
        error={disk.folder !== '' && isFolderBad(disk) ? t('valid.folder') : refusal && t(REASON_KEYS[refusal])}
      />
      <NumberField
        label={t('system.budget')}
        value={disk.budgetGb}
        onValue={(budgetGb) => onChange({ budgetGb })}
        {...DRAFT_LIMITS.budgetGb}
        decimals={1}
        unit={t('system.gb')}
        error={isBudgetBad(disk.budgetGb) ? t('valid.number', DRAFT_LIMITS.budgetGb) : null}
      />
    </div>
  );
}
