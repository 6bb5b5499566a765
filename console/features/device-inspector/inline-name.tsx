// A name that turns into a field: Enter saves, Escape leaves, a bad name is not let through.
import { IconCheck, IconPencil, IconX } from '@tabler/icons-react';
import { DEVICE_NAME_LENGTH_MAX, deviceNameProblem } from '@vedette/rules/validation/device-fields.ts';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import style from './inline-name.module.css';

export interface InlineNameProps {
  readonly name: string;
  readonly editLabel: string;
  readonly canEdit: boolean;
  /** Rejects where the server refuses the name. */
  readonly onSave: (name: string) => Promise<void>;
  readonly children: ReactNode;
}

interface Edit {
  readonly text: string;
  readonly isBusy: boolean;
  readonly failure: unknown;
}

export function InlineName({ name, editLabel, canEdit, onSave, children }: InlineNameProps) {
  const t = useT();
  const [edit, setEdit] = useState<Edit | null>(null);
  if (edit === null)
    return (
      <div className={style.row}>
        <div className={style.shown}>{children}</div>
        {canEdit && (
          <IconButton
            label={editLabel}
            size="small"
            tipSide="left"
            onClick={() => setEdit({ text: name, isBusy: false, failure: null })}
          >
            <IconPencil size={15} stroke={1.7} />
          </IconButton>
        )}
      </div>
    );
  const problem = deviceNameProblem(edit.text);
  async function save(): Promise<void> {
    if (edit === null || problem !== null) return;
    if (edit.text === name) return setEdit(null);
    setEdit({ ...edit, isBusy: true });
    try {
      await onSave(edit.text);
      setEdit(null);
    } catch (failure) {
      setEdit({ ...edit, isBusy: false, failure });
    }
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') void save();
    else if (event.key === 'Escape') setEdit(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={style.row} data-edit="true">
      <div className={style.field}>
        <TextField
          aria-label={t('devices.newName')}
          value={edit.text}
          onValue={(text) => setEdit({ text, isBusy: false, failure: null })}
          maxLength={DEVICE_NAME_LENGTH_MAX * 2}
          autoFocus
          disabled={edit.isBusy}
          onKeyDown={onKey}
          error={problem !== null ? t('valid.deviceName') : edit.failure === null ? null : failureText(t, edit.failure)}
        />
      </div>
      <IconButton label={t('common.save')} disabled={problem !== null || edit.isBusy} onClick={() => void save()}>
        <IconCheck size={16} stroke={2} />
      </IconButton>
      <IconButton label={t('common.cancel')} onClick={() => setEdit(null)}>
        <IconX size={16} stroke={1.8} />
      </IconButton>
    </div>
  );
}
