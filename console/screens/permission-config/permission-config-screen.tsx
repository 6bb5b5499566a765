// permissionConfig: roles by rights, the accounts below one's own, and the audit log.
import type { AuditEntry } from '@vedette/contract/calls/audit.ts';
import type { RoleDetails } from '@vedette/contract/calls/role.ts';
import type { User } from '@vedette/contract/calls/user.ts';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { failureText } from '../../calls/failure-text.ts';
import { useRoles } from '../../features/role/role.query.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Segmented } from '../../ui/fields/segmented.tsx';
import layout from '../../ui/layout/side-layout.module.css';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { AccountForm } from './account-form.tsx';
import { AccountsPart } from './accounts-part.tsx';
import { AuditInspector } from './audit-inspector.tsx';
import { AuditPart } from './audit-part.tsx';
import style from './permission-config-screen.module.css';
import { RoleForm } from './role-form.tsx';
import { RoleMatrix } from './role-matrix.tsx';
import { ViewAs } from './view-as.tsx';

const PARTS = ['roles', 'accounts', 'audit'] as const;
type Part = (typeof PARTS)[number];

type Open =
  | { readonly kind: 'role'; readonly role: RoleDetails | null }
  | { readonly kind: 'account'; readonly user: User | null }
  | { readonly kind: 'entry'; readonly entry: AuditEntry };

function usePart(): [Part, (part: Part) => void] {
  const [params, setParams] = useSearchParams();
  const asked = params.get('part');
  const part = PARTS.find((one) => one === asked) ?? 'roles';
  return [part, (next) => setParams({ part: next }, { replace: true })];
}

export function PermissionConfigScreen() {
  const t = useT();
  const [part, setPart] = usePart();
  const roles = useRoles();
  const [open, setOpen] = useState<Open | null>(null);
  const [viewed, setViewed] = useState<User | null>(null);
  const roleList = roles.data?.roleList ?? [];
  const add = (): void => setOpen(part === 'roles' ? { kind: 'role', role: null } : { kind: 'account', user: null });
  const close = (): void => setOpen(null);
  return (
    <main className={layout.screen}>
      <div className={layout.middle}>
        <PageHeader title={t('screen.permissions')} fact={t('perm.lead')}>
          {part !== 'audit' && (
            <Button look="primary" icon={<IconPlus size={16} stroke={2} />} onClick={add}>
              {t(part === 'roles' ? 'perm.addRole' : 'perm.addAccount')}
            </Button>
          )}
        </PageHeader>
        <div className={style.parts}>
          <Segmented<Part>
            label={t('perm.parts')}
            value={part}
            onValue={(next) => {
              setPart(next);
              close();
            }}
            options={[
              { value: 'roles', label: t('perm.roles') },
              { value: 'accounts', label: t('perm.accounts') },
              { value: 'audit', label: t('audit.title') },
            ]}
          />
        </div>
        {part === 'roles' && (
          <RolesPart
            query={roles}
            selectedId={openId(open, 'role')}
            onEdit={(role) => setOpen({ kind: 'role', role })}
            onAdd={add}
          />
        )}
        {part === 'accounts' && (
          <AccountsPart
            roles={roleList}
            selectedId={openId(open, 'account')}
            onEdit={(chosen) => setOpen({ kind: 'account', user: chosen })}
            onAdd={add}
          />
        )}
        {part === 'audit' && (
          <AuditPart openId={openEntryId(open)} onOpen={(entry) => setOpen({ kind: 'entry', entry })} />
        )}
      </div>
      {open !== null && <OpenForm open={open} roles={roleList} onClose={close} onViewAs={setViewed} />}
      {viewed !== null && <ViewAs user={viewed} onClose={() => setViewed(null)} />}
    </main>
  );
}

/** Of the row whose form stands in the inspector; null for a new one and for none. */
function openId(open: Open | null, kind: Open['kind']): string | null {
  if (open === null || open.kind !== kind || open.kind === 'entry') return null;
  return (open.kind === 'role' ? open.role?.roleId : open.user?.userId) ?? null;
}

function openEntryId(open: Open | null): string | null {
  return open?.kind === 'entry' ? open.entry.entryId : null;
}

interface OpenFormProps {
  readonly open: Open;
  readonly roles: readonly RoleDetails[];
  readonly onClose: () => void;
  readonly onViewAs: (user: User | null) => void;
}

function OpenForm({ open, roles, onClose, onViewAs }: OpenFormProps) {
  if (open.kind === 'entry') return <AuditInspector entry={open.entry} onClose={onClose} />;
  if (open.kind === 'role')
    return <RoleForm key={`${open.role?.roleId} ${open.role?.version}`} role={open.role} onClose={onClose} />;
  const { user } = open;
  return (
    <AccountForm
      key={`${user?.userId} ${user?.version}`}
      user={user}
      roles={roles}
      onClose={onClose}
      onViewAs={() => onViewAs(user)}
    />
  );
}

interface RolesPartProps {
  readonly query: ReturnType<typeof useRoles>;
  readonly selectedId: string | null;
  readonly onEdit: (role: RoleDetails) => void;
  readonly onAdd: () => void;
}

function RolesPart({ query, selectedId, onEdit, onAdd }: RolesPartProps) {
  const t = useT();
  const { data, error, isPending, refetch } = query;
  if (isPending)
    return (
      <div className={style.work}>
        <SkeletonLines label={t('common.loading')} rows={8} rowHeight={36} />
      </div>
    );
  if (data === undefined)
    return (
      <StateView
        role="alert"
        title={t('perm.error')}
        detail={failureText(t, error)}
        action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}
      />
    );
  if (data.total === 0)
    return (
      <StateView
        title={t('perm.noRoles')}
        detail={t('perm.noRolesDetail')}
        action={
          <Button look="primary" onClick={onAdd}>
            {t('perm.addRole')}
          </Button>
        }
      />
    );
  return (
    <div className={style.work}>
      <RoleMatrix roles={data.roleList} selectedId={selectedId} onEdit={onEdit} />
    </div>
  );
}
