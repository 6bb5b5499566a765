// One group in the list of groups: its name and how many devices, renamed in place; the default group stays as it is.
import type { ListedGroup } from '@vedette/contract/calls/group.ts';
import { deviceNameProblem } from '@vedette/rules/validation/device-fields.ts';
import { IconCheck, IconPencil, IconTrash, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import style from '../device-groups/device-groups.module.css';
import { groupName } from './group.query.ts';

export interface GroupRowProps {
  readonly group: ListedGroup;
  /** Resolves to whether it was done. */
  readonly onRename: (name: string) => Promise<boolean>;
  readonly onDelete: () => void;
}

export function GroupRow({ group, onRename, onDelete }: GroupRowProps) {
  const t = useT();
  const [text, setText] = useState<string | null>(null);
  const rename = async (): Promise<void> => {
    if (text !== null && deviceNameProblem(text) === null && (await onRename(text))) setText(null);
  };
  if (text !== null) {
    return (
      <li className={style.group}>
        <TextField
          aria-label={t('group.newName')}
          value={text}
          onValue={setText}
          maxLength={64}
          autoFocus
          onKeyDown={(event) => {
            if (event.key === 'Enter') void rename();
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            setText(null);
          }}
        />
        <IconButton label={t('common.save')} size="small" onClick={() => void rename()}>
          <IconCheck size={16} stroke={2} />
        </IconButton>
        <IconButton label={t('common.cancel')} size="small" onClick={() => setText(null)}>
          <IconX size={16} stroke={1.8} />
        </IconButton>
      </li>
    );
  }
  return (
    <li className={style.group}>
      <span className={style.name}>{groupName(t, group)}</span>
      <span className={style.total}>{t.plural('devices.total', group.deviceTotal)}</span>
      {!group.isDefault && (
        <>
          <IconButton
            label={t('group.rename', { name: group.groupName })}
            size="small"
            onClick={() => setText(group.groupName)}
          >
            <IconPencil size={15} stroke={1.7} />
          </IconButton>
          <IconButton label={t('group.delete', { name: group.groupName })} size="small" onClick={onDelete}>
            <IconTrash size={15} stroke={1.7} />
          </IconButton>
        </>
      )}
    </li>
  );
}
