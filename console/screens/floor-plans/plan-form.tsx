// Adds a floor plan from a picture or an exported file, or renames one and replaces its picture.
import type { FormEvent } from 'react';
import { PLAN_FILE_TYPES } from '../../features/floor-plan/plan-file.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { DropFile } from '../../ui/fields/drop-file.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import style from './floor-plans-screen.module.css';
import { LONGEST_NAME, type PlanFormInput, usePlanForm } from './use-plan-form.ts';

export interface PlanFormProps extends PlanFormInput {
  readonly onClose: () => void;
}

const PICTURES = 'image/png,image/jpeg,image/webp';
const ADDING = {
  title: 'plans.add',
  file: 'plans.file',
  hint: 'plans.fileHint',
  accept: `${PICTURES},${PLAN_FILE_TYPES}`,
  submit: 'plans.addSubmit',
} as const;
const CHANGING = {
  title: 'plans.rename',
  file: 'plans.newFile',
  hint: 'plans.pictureHint',
  accept: PICTURES,
  submit: 'plans.renameSubmit',
} as const;

export function PlanForm({ onClose, ...input }: PlanFormProps) {
  const t = useT();
  const { form, change, take, submit } = usePlanForm(input);
  const isNew = input.plan === null;
  const words = isNew ? ADDING : CHANGING;
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void submit();
  };
  return (
    <Dialog isOpen onClose={onClose} title={t(words.title)} closeLabel={t('common.close')} width={480}>
      <form className={style.form} noValidate onSubmit={onSubmit}>
        {isNew && (
          <SelectField
            label={t('plans.organization')}
            value={form.organizationId}
            options={input.organizations}
            isSearchable
            onValue={(organizationId) => change({ organizationId })}
          />
        )}
        <DropFile
          label={t(words.file)}
          chooseLabel={t('plans.chooseFile')}
          hint={t(words.hint)}
          accept={words.accept}
          held={form.file?.fileName ?? null}
          isBusy={form.isBusy}
          onFiles={([file]) => void take(file)}
          onRefused={() => change({ failure: t('plans.fileBad') })}
        />
        <TextField
          label={t('plans.name')}
          value={form.name}
          error={form.nameProblem}
          maxLength={LONGEST_NAME}
          onValue={(name) => change({ name, nameProblem: null })}
        />
        {form.failure !== null && <Notice tone="error">{form.failure}</Notice>}
        <div className={style.formActions}>
          <Button onClick={onClose}>{t('plans.cancel')}</Button>
          <Button type="submit" look="primary" isBusy={form.isBusy}>
            {t(words.submit)}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
