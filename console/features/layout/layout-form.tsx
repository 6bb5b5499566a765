// Asks for the name of a layout and whether it is shared.
import { deviceNameProblem } from '@vedette/rules/validation/device-fields.ts';
import { type FormEvent, useEffect, useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SwitchField } from '../../ui/fields/switch-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import style from './layout-menu.module.css';

export interface LayoutNaming {
  readonly name: string;
  readonly shared: boolean;
}

export interface LayoutFormProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly start: LayoutNaming;
  readonly onClose: () => void;
  /** The sentence for the name's field, or null when all is done; rejects for all else. */
  readonly onSave: (naming: LayoutNaming) => Promise<string | null>;
}

interface FormState extends LayoutNaming {
  readonly problem: string | null;
  readonly failure: unknown;
  readonly isBusy: boolean;
}

export function LayoutForm({ title, isOpen, start, onClose, onSave }: LayoutFormProps) {
  const t = useT();
  const [form, setForm] = useState<FormState>(() => fresh(start));
  useEffect(() => {
    if (isOpen) setForm(fresh(start));
  }, [isOpen, start]);
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const { name, shared } = form;
    if (deviceNameProblem(name) !== null) return setForm({ ...form, problem: t('layouts.nameProblem') });
    setForm({ ...form, problem: null, failure: null, isBusy: true });
    try {
      const problem = await onSave({ name: name.trim(), shared });
      setForm((now) => ({ ...now, problem, isBusy: false }));
    } catch (failure) {
      setForm((now) => ({ ...now, failure, isBusy: false }));
    }
  }
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} closeLabel={t('common.close')}>
      <form className={style.form} onSubmit={(event) => void submit(event)}>
        <TextField
          label={t('layouts.name')}
          value={form.name}
          error={form.problem}
          maxLength={64}
          autoFocus
          onValue={(name) => setForm({ ...form, name, problem: null })}
        />
        <div>
          <SwitchField
            label={t('layouts.share')}
            isOn={form.shared}
            onToggle={(shared) => setForm({ ...form, shared })}
          />
          <p className={style.hint}>{t('layouts.shareHint')}</p>
        </div>
        {form.failure !== null && <Notice tone="error">{failureText(t, form.failure)}</Notice>}
        <div className={style.formActions}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" look="primary" isBusy={form.isBusy}>
            {t('common.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function fresh(start: LayoutNaming): FormState {
  return { ...start, problem: null, failure: null, isBusy: false };
}
