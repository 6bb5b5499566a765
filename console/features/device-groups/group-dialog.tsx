// Adds, renames and deletes groups of devices; the default group stays as it is.
import type { ListedGroup } from '@vedette/contract/calls/group.ts';
import { deviceNameProblem } from '@vedette/rules/validation/device-fields.ts';
import { IconCheck, IconPencil, IconPlus, IconTrash, IconX } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextField } from '../../ui/text-field.tsx';
import style from './device-groups.module.css';
import { groupName, useGroupChanges, useGroups } from './groups.query.ts';

export function GroupDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useT();
  const { data = [] } = useGroups();
  const changes = useGroupChanges();
  const [name, setName] = useState('');
  const [edit, setEdit] = useState<{ readonly group: ListedGroup; readonly text: string } | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const attempt = async (work: () => Promise<void>): Promise<boolean> => {
    setFailure(null);
    try {
      await work();
      return true;
    } catch (refusal) {
      setFailure(refusal);
      return false;
    }
  };
  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (deviceNameProblem(name) === null && (await attempt(() => changes.add(name)))) setName('');
  };
  const rename = async (): Promise<void> => {
    if (edit === null || deviceNameProblem(edit.text) !== null) return;
    if (await attempt(() => changes.rename(edit.group, edit.text))) setEdit(null);
  };
  return (
    <Dialog isOpen onClose={onClose} title={t('group.title')} closeLabel={t('common.close')}>
      <form className={style.add} onSubmit={(event) => void add(event)}>
        <TextField
          aria-label={t('group.newName')}
          placeholder={t('group.newName')}
          value={name}
          onValue={setName}
          maxLength={64}
        />
        <Button type="submit" icon={<IconPlus size={16} stroke={2} />} disabled={deviceNameProblem(name) !== null}>
          {t('group.add')}
        </Button>
      </form>
      {failure !== null && <Notice tone="error">{failureText(t, failure)}</Notice>}
      <ul className={style.groups} aria-label={t('group.title')}>
        {data.map((group) => (
          <li key={group.groupId} className={style.group}>
            {edit?.group.groupId === group.groupId ? (
              <>
                <TextField
                  aria-label={t('group.newName')}
                  value={edit.text}
                  onValue={(text) => setEdit({ group, text })}
                  maxLength={64}
                  autoFocus
                  onKeyDown={(event) => {
                    if (event.key === 'Enter') void rename();
                    if (event.key !== 'Escape') return;
                    event.stopPropagation();
                    setEdit(null);
                  }}
                />
                <IconButton label={t('common.save')} size="small" onClick={() => void rename()}>
                  <IconCheck size={16} stroke={2} />
                </IconButton>
                <IconButton label={t('common.cancel')} size="small" onClick={() => setEdit(null)}>
                  <IconX size={16} stroke={1.8} />
                </IconButton>
              </>
            ) : (
              <>
                <span className={style.name}>{groupName(t, group)}</span>
                <span className={style.total}>{t.plural('devices.total', group.deviceTotal)}</span>
                {!group.isDefault && (
                  <>
                    <IconButton
                      label={t('group.rename', { name: group.groupName })}
                      size="small"
                      onClick={() => setEdit({ group, text: group.groupName })}
                    >
                      <IconPencil size={15} stroke={1.7} />
                    </IconButton>
                    <IconButton
                      label={t('group.delete', { name: group.groupName })}
                      size="small"
                      onClick={() => void attempt(() => changes.remove(group))}
                    >
                      <IconTrash size={15} stroke={1.7} />
                    </IconButton>
                  </>
                )}
              </>
            )}
          </li>
        ))}
      </ul>
      <p className={style.hint}>{t('group.hint')}</p>
    </Dialog>
  );
}
