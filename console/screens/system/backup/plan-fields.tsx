// The fields of the plan of the backups: the kind of place, the place itself, how often and how many.
import type { BackupPlan, BackupTarget } from '@vedette/contract/calls/backup-plan.ts';
import { useT } from '../../../language/use-t.ts';
import { NumberField } from '../../../ui/fields/number-field.tsx';
import { Segmented } from '../../../ui/fields/segmented.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import style from '../../../ui/layout/titled-rows.module.css';
import { BucketFields } from '../cloud/bucket-fields.tsx';
import own from './plan.module.css';
import { isNumberGood, isSecretKept, PLAN_NUMBERS, type PlanDraft } from './plan-draft.ts';

export interface PlanFieldsProps {
  readonly draft: PlanDraft;
  readonly onDraft: (part: Partial<PlanDraft>) => void;
  /** As it is saved. */
  readonly plan: BackupPlan;
}

const KINDS = ['none', 'folder', 'bucket'] as const satisfies readonly BackupTarget['kind'][];

export function PlanFields({ draft, onDraft, plan }: PlanFieldsProps) {
  const t = useT();
  const { kind, bucket } = draft;
  const options = KINDS.map((value) => ({ value, label: t(`backup.kind.${value}`) }));
  return (
    <>
      <Segmented
        label={t('backup.kind')}
        value={kind}
        options={options}
        onValue={(next) => onDraft({ kind: next })}
        isWide
      />
      <p className={style.hint}>{t(`backup.lead.${kind}`)}</p>
      {kind === 'folder' && (
        <TextField
          label={t('backup.folder')}
          value={draft.folder}
          onValue={(folder) => onDraft({ folder })}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      {kind === 'bucket' && (
        <BucketFields
          draft={bucket}
          onDraft={(part) => onDraft({ bucket: { ...bucket, ...part } })}
          isKnown={isSecretKept(draft, plan)}
        />
      )}
      {kind !== 'none' && <Rhythm draft={draft} onDraft={onDraft} />}
    </>
  );
}

function Rhythm({ draft, onDraft }: Omit<PlanFieldsProps, 'plan'>) {
  const t = useT();
  const error = (name: 'hours' | 'keep') =>
    isNumberGood(draft[name], PLAN_NUMBERS[name]) ? null : t('valid.number', PLAN_NUMBERS[name]);
  return (
    <div className={own.numbers}>
      <NumberField
        label={t('backup.hours')}
        value={draft.hours}
        onValue={(hours) => onDraft({ hours })}
        {...PLAN_NUMBERS.hours}
        error={error('hours')}
      />
      <NumberField
        label={t('backup.keep')}
        value={draft.keep}
        onValue={(keep) => onDraft({ keep })}
        {...PLAN_NUMBERS.keep}
        error={error('keep')}
      />
    </div>
  );
}
