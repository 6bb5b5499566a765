// Roles by rights as one grid: a box per cell, changed where it stands; the rest of a role opens in the inspector.
import type { RoleDetails } from '@vedette/contract/calls/role.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { Permission } from '@vedette/contract/permissions.ts';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { isFailure } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { useCaller } from '../../services/services.ts';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { PERMISSION_ORDER, PERMISSION_WORDS } from './permission-words.ts';
import style from './permission-config-screen.module.css';
import { useFetchPermissions } from './permission.query.ts';
import { placesOf } from '../../features/place-tree/place-choice.ts';

export interface RoleMatrixProps {
  readonly roles: readonly RoleDetails[];
  readonly selectedId: string | null;
  readonly onEdit: (role: RoleDetails) => void;
}

/** The cell that is on its way to the server: drawn as it was clicked. */
interface Busy {
  readonly roleId: string;
  readonly permission: Permission;
  readonly isOn: boolean;
}

/** A change names the version it saw; one that came too late shows the newer role. */
function useToggle() {
  const t = useT();
  const caller = useCaller();
  const fetchAgain = useFetchPermissions();
  const [busy, setBusy] = useState<Busy | null>(null);
  return {
    busy,
    toggle: async (role: RoleDetails, permission: Permission, isOn: boolean): Promise<void> => {
      setBusy({ roleId: role.roleId, permission, isOn });
      const { roleId, roleName, version } = role;
      const permissions = isOn
        ? [...role.permissions, permission]
        : role.permissions.filter((one) => one !== permission);
      try {
        const input = { roleId, roleName, permissions, resources: placesOf(role), version };
        await caller.ask('role/update', input, { showError: false });
      } catch (failure) {
        showToast('error', isFailure(failure, ERROR_CODES.stale) ? t('perm.stale') : failureText(t, failure));
      }
      await fetchAgain();
      setBusy(null);
    },
  };
}

export function RoleMatrix({ roles, selectedId, onEdit }: RoleMatrixProps) {
  const t = useT();
  const { busy, toggle } = useToggle();
  return (
    <table className={style.matrix} aria-label={t('perm.matrix')}>
      <thead>
        <tr>
          <th scope="col">{t('perm.role')}</th>
          {PERMISSION_ORDER.map((permission) => (
            <th key={permission} scope="col" className={style.right}>
              <span>{t(PERMISSION_WORDS[permission])}</span>
            </th>
          ))}
          <th scope="col">{t('perm.where')}</th>
          <th scope="col" className={style.figure}>
            {t('perm.accounts')}
          </th>
          <th scope="col" aria-label={t('perm.edit')} />
        </tr>
      </thead>
      <tbody>
        {roles.map((role) => (
          <tr key={role.roleId} aria-selected={role.roleId === selectedId} aria-busy={role.roleId === busy?.roleId}>
            <th scope="row">
              <button type="button" className={style.roleName} onClick={() => onEdit(role)}>
                {role.roleName}
              </button>
            </th>
            {PERMISSION_ORDER.map((permission) => (
              <td key={permission} className={style.right}>
                <CheckBox
                  label={t('perm.cell', { role: role.roleName, right: t(PERMISSION_WORDS[permission]) })}
                  isLabelHidden
                  isOn={
                    role.roleId === busy?.roleId && permission === busy.permission
                      ? busy.isOn
                      : role.permissions.includes(permission)
                  }
                  disabled={role.roleId === busy?.roleId}
                  onToggle={(isOn) => void toggle(role, permission, isOn)}
                />
              </td>
            ))}
            <td className={style.where}>
              {role.resources === null ? t('perm.wherePlaced') : t.plural('perm.places', role.resources.length)}
            </td>
            <td className={style.figure}>{role.userTotal}</td>
            <td>
              <IconButton label={t('perm.editRole', { role: role.roleName })} size="small" onClick={() => onEdit(role)}>
                <IconPencil size={15} stroke={1.7} />
              </IconButton>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
