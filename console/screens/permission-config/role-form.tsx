// A role in the inspector: its name, its rights, where it holds, and its end.
import type { RoleDetails, RoleResource } from '@vedette/contract/calls/role.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { Permission } from '@vedette/contract/permissions.ts';
import { deviceNameProblem } from '@vedette/rules/validation/device-fields.ts';
import { useState } from 'react';
import { isFailure } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { ConfirmDialog } from '../../features/confirm/confirm-dialog.tsx';
import { useT } from '../../language/use-t.ts';
import { useCaller } from '../../services/services.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { Inspector } from '../../ui/inspector.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { PERMISSION_ORDER, PERMISSION_WORDS } from './permission-words.ts';
import style from './permission-config-screen.module.css';
import { useFetchPermissions } from './permissions.query.ts';
import { placesOf } from './place-choice.ts';
import { PlaceTree } from './place-tree.tsx';

export interface RoleFormProps {
  /** null: a new one. */
  readonly role: RoleDetails | null;
  readonly onClose: () => void;
}

interface Draft {
  readonly roleName: string;
  readonly permissions: readonly Permission[];
  readonly places: readonly RoleResource[];
  readonly isBound: boolean;
}

function draftOf(role: RoleDetails | null): Draft {
  if (role === null) return { roleName: '', permissions: ['Realplay', 'Replay'], places: [], isBound: false };
  const places = placesOf(role);
  return { roleName: role.roleName, permissions: role.permissions, places: places ?? [], isBound: places !== null };
}

export function RoleForm({ role, onClose }: RoleFormProps) {
  const t = useT();
  const caller = useCaller();
  const fetchAgain = useFetchPermissions();
  const [draft, setDraft] = useState(() => draftOf(role));
  const [state, setState] = useState<{ isBusy: boolean; failure: unknown }>({ isBusy: false, failure: null });
  const [isDeleting, setDeleting] = useState(false);
  const change = (part: Partial<Draft>): void => setDraft((before) => ({ ...before, ...part }));
  const { roleName, permissions, places, isBound } = draft;
  const isTaken = isFailure(state.failure, ERROR_CODES.alreadyExists);
  async function save(): Promise<void> {
    setState({ isBusy: true, failure: null });
    const input = { roleName, permissions: [...permissions], resources: isBound ? [...places] : null };
    try {
      if (role === null) await caller.ask('role/add', input, { showError: false });
      else {
        const which = { roleId: role.roleId, version: role.version };
        await caller.ask('role/update', { ...input, ...which }, { showError: false });
      }
      await fetchAgain();
      showToast('success', t('perm.roleSaved', { role: roleName }));
      onClose();
    } catch (failure) {
      setState({ isBusy: false, failure });
      if (isFailure(failure, ERROR_CODES.stale)) await fetchAgain();
    }
  }
  return (
    <Inspector
      title={role === null ? t('perm.newRole') : role.roleName}
      closeLabel={t('common.close')}
      onClose={onClose}
      isFocused
      footer={
        <>
          {role !== null && (
            <Button look="quiet" onClick={() => setDeleting(true)}>
              {t('perm.deleteRole')}
            </Button>
          )}
          <Button
            look="primary"
            isBusy={state.isBusy}
            disabled={deviceNameProblem(roleName) !== null}
            onClick={() => void save()}
          >
            {t('common.save')}
          </Button>
        </>
      }
    >
      <div className={style.form}>
        <TextField
          label={t('perm.roleName')}
          value={roleName}
          onValue={(next) => change({ roleName: next })}
          maxLength={64}
          error={isTaken ? t('errCode_1016') : null}
        />
        <fieldset className={style.set}>
          <legend>{t('perm.rights')}</legend>
          {PERMISSION_ORDER.map((permission) => (
            <CheckBox
              key={permission}
              label={t(PERMISSION_WORDS[permission])}
              isOn={permissions.includes(permission)}
              onToggle={(isOn) =>
                change({
                  permissions: isOn ? [...permissions, permission] : permissions.filter((one) => one !== permission),
                })
              }
            />
          ))}
        </fieldset>
        <fieldset className={style.set}>
          <legend>{t('perm.where')}</legend>
          <Segmented<'placed' | 'own'>
            label={t('perm.where')}
            value={isBound ? 'own' : 'placed'}
            onValue={(value) => change({ isBound: value === 'own' })}
            options={[
              { value: 'placed', label: t('perm.wherePlacedShort') },
              { value: 'own', label: t('perm.whereOwn') },
            ]}
            isWide
          />
          <p className={style.hint}>{t(isBound ? 'perm.whereOwnHint' : 'perm.wherePlacedHint')}</p>
          {isBound && <PlaceTree places={places} onPlaces={(next) => change({ places: next })} />}
        </fieldset>
        {state.failure !== null && !isTaken && (
          <Notice tone={isFailure(state.failure, ERROR_CODES.stale) ? 'warning' : 'error'}>
            {failureText(t, state.failure)}
          </Notice>
        )}
      </div>
      {isDeleting && role !== null && (
        <ConfirmDialog
          title={t('perm.deleteRoleTitle', { role: role.roleName })}
          detail={t.plural('perm.deleteRoleDetail', role.userTotal)}
          confirmLabel={t('perm.deleteRole')}
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await caller.ask('role/delete', { roleId: role.roleId }, { showError: false });
            await fetchAgain();
            onClose();
          }}
        />
      )}
    </Inspector>
  );
}
