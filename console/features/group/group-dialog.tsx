// The groups of devices, a page at a time and searched by name: added, renamed, deleted.
import { PAGE_SIZE } from '@vedette/contract/limits.ts';
import { deviceNameProblem } from '@vedette/rules/validation/device-fields.ts';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import style from '../device-groups/device-groups.module.css';
import { ListPages } from '../paging/list-pages.tsx';
import { GroupRow } from './group-row.tsx';
import { useGroupChanges, useGroupPage, useGroups } from './group.query.ts';

const SIZE = PAGE_SIZE.groups;

export function GroupDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useT();
  const changes = useGroupChanges();
  const [name, setName] = useState('');
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
      <GroupPages attempt={attempt} />
      <p className={style.hint}>{t('group.hint')}</p>
    </Dialog>
  );
}

type Attempt = (work: () => Promise<void>) => Promise<boolean>;

function GroupPages({ attempt }: { readonly attempt: Attempt }) {
  const t = useT();
  const { data: all = [] } = useGroups();
  const [searched, setSearched] = useState('');
  const [chosen, setPage] = useState(0);
  const query = useGroupPage(searched, chosen);
  const total = query.data?.total ?? 0;
  const pages = Math.max(1, Math.ceil(total / SIZE));
  // The last one of a page may have been deleted.
  if (query.data !== undefined && chosen >= pages) setPage(pages - 1);
  return (
    <>
      {(all.length > SIZE || searched !== '') && (
        <div className={style.search}>
          <TextField
            aria-label={t('group.search')}
            placeholder={t('group.search')}
            value={searched}
            onValue={(next) => {
              setSearched(next);
              setPage(0);
            }}
            maxLength={64}
            leftIcon={<IconSearch size={15} stroke={1.8} aria-hidden="true" />}
          />
        </div>
      )}
      <GroupList query={query} isPaged={pages > 1} attempt={attempt} />
      {pages > 1 && (
        <div className={style.pages}>
          <ListPages total={total} pageSize={SIZE} pageStart={chosen} onPage={setPage} />
        </div>
      )}
    </>
  );
}

interface GroupListProps {
  readonly query: ReturnType<typeof useGroupPage>;
  readonly isPaged: boolean;
  readonly attempt: Attempt;
}

function GroupList({ query: { data, error, isPending, refetch }, isPaged, attempt }: GroupListProps) {
  const t = useT();
  const changes = useGroupChanges();
  if (isPending) return <SkeletonLines label={t('common.loading')} rows={3} rowHeight={40} />;
  if (data === undefined)
    return (
      <StateView
        role="alert"
        isSmall
        title={failureText(t, error)}
        action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}
      />
    );
  if (data.total === 0) return <StateView isSmall title={t('group.noMatch')} />;
  return (
    <ul className={style.groups} data-paged={isPaged || undefined} aria-label={t('group.title')}>
      {data.groupList.map((group) => (
        <GroupRow
          key={group.groupId}
          group={group}
          onRename={(text) => attempt(() => changes.rename(group, text))}
          onDelete={() => void attempt(() => changes.remove(group))}
        />
      ))}
    </ul>
  );
}
