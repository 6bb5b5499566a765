// The accounts below the signed-in one: a table, and the chosen one in the inspector.
import type { RoleDetails } from '@vedette/contract/calls/role.ts';
import type { User } from '@vedette/contract/calls/user.ts';
import { PAGE_SIZE } from '@vedette/contract/limits.ts';
import { formatDate } from '@vedette/rules/time-format.ts';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { ListFoot } from '../../features/paging/list-pages.tsx';
import { enumerationText } from '../../language/enumeration-text.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { type Column, DataTable } from '../../ui/layout/data-table.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { StatusDot } from '../../ui/feedback/status-dot.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { TYPE_WORDS } from './permission-words.ts';
import style from './permission-config-screen.module.css';
import { useUsers } from './permission.query.ts';

export interface AccountsPartProps {
  readonly roles: readonly RoleDetails[];
  readonly selectedId: string | null;
  readonly onEdit: (user: User) => void;
  readonly onAdd: () => void;
}

function useColumns(roles: readonly RoleDetails[]): readonly Column<User, string>[] {
  const t = useT();
  const format = useTimeFormat();
  const names = new Map(roles.map(({ roleId, roleName }) => [roleId, roleName]));
  return [
    { id: 'name', title: t('perm.userName'), draw: ({ userName }) => userName },
    {
      id: 'state',
      title: t('perm.state'),
      width: '120px',
      draw: ({ isEnabled }) => (
        <StatusDot tone={isEnabled ? 'online' : 'unknown'} label={t(isEnabled ? 'perm.enabled' : 'perm.disabled')} />
      ),
    },
    {
      id: 'kind',
      title: t('perm.kind'),
      width: '130px',
      draw: ({ userType }) => enumerationText(t, TYPE_WORDS, userType),
    },
    {
      id: 'roles',
      title: t('perm.roles'),
      isLesser: true,
      draw: ({ roleIds }) => roleIds.flatMap((roleId) => names.get(roleId) ?? []).join(', ') || '–',
    },
    {
      id: 'created',
      title: t('perm.created'),
      width: '120px',
      isMinor: true,
      draw: ({ createdAt }) => formatDate(createdAt, format),
    },
  ];
}

export function AccountsPart({ roles, selectedId, onEdit, onAdd }: AccountsPartProps) {
  const t = useT();
  const [keyWord, setKeyWord] = useState('');
  const [pageStart, setPage] = useState(0);
  const columns = useColumns(roles);
  const { data, error, isPending, refetch } = useUsers(keyWord, pageStart);
  const total = data?.total ?? 0;
  return (
    <>
      <div className={style.filters}>
        <div className={style.search}>
          <TextField
            aria-label={t('perm.searchAccounts')}
            placeholder={t('perm.searchAccounts')}
            value={keyWord}
            onValue={(next) => {
              setKeyWord(next);
              setPage(0);
            }}
            maxLength={64}
            leftIcon={<IconSearch size={15} stroke={1.8} aria-hidden="true" />}
          />
        </div>
      </div>
      <div className={style.work}>
        {isPending && <SkeletonLines label={t('common.loading')} rows={8} rowHeight={32} />}
        {data === undefined && error !== null && (
          <StateView
            role="alert"
            title={t('perm.error')}
            detail={failureText(t, error)}
            action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}
          />
        )}
        {data !== undefined && total === 0 && <NoAccounts isSearched={keyWord !== ''} onAdd={onAdd} />}
        {total > 0 && (
          <DataTable<User, string>
            label={t('perm.accounts')}
            columns={columns}
            rows={data?.userList ?? []}
            keyOf={({ userId }) => userId}
            nameOf={({ userName }) => userName}
            selectedKey={selectedId}
            onSelect={onEdit}
            sort={{ by: 'name', order: 'asc' }}
            onSort={() => undefined}
          />
        )}
      </div>
      <ListFoot total={total} pageSize={PAGE_SIZE.roles} pageStart={pageStart} onPage={setPage} />
    </>
  );
}

function NoAccounts({ isSearched, onAdd }: Pick<AccountsPartProps, 'onAdd'> & { readonly isSearched: boolean }) {
  const t = useT();
  if (isSearched) return <StateView title={t('perm.noMatch')} />;
  return (
    <StateView
      title={t('perm.noAccounts')}
      action={
        <Button look="primary" onClick={onAdd}>
          {t('perm.addAccount')}
        </Button>
      }
    />
  );
}
