// An account in the inspector: name, password, kind, roles and places; enabling, looking through its eyes, and its end.
import type { RoleDetails } from '@vedette/contract/calls/role.ts';
import type { User } from '@vedette/contract/calls/user.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { creatableUserTypes } from '@vedette/rules/decide/user-types.ts';
import { passwordProblem, usernameProblem } from '@vedette/rules/validation/account-fields.ts';
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useOrganizationOptions } from '../../features/resource-tree/organization-options.ts';
import { PasswordStrength } from '../../features/password/password-strength.tsx';
import { enumerationText } from '../../language/enumeration-text.ts';
import { useT } from '../../language/use-t.ts';
import { EditingInspector } from '../../features/editing/editing-inspector.tsx';
import { useCaller } from '../../services/services.ts';
import { useAuth } from '../../session/auth-store.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { PasswordField, TextField } from '../../ui/fields/text-field.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { AccountResets } from './account-resets.tsx';
import { TYPE_WORDS } from './permission-words.ts';
import style from './permission-config-screen.module.css';
import { useFetchPermissions } from './permission.query.ts';

export interface AccountFormProps {
  /** null: a new one. */
  readonly user: User | null;
  readonly roles: readonly RoleDetails[];
  readonly onClose: () => void;
  readonly onViewAs: () => void;
}

interface Draft {
  readonly username: string;
  readonly password: string;
  readonly userType: number;
  readonly roleIds: readonly string[];
  readonly organizationIds: readonly string[];
}

function draftOf(user: User | null): Draft {
  const { userName = '', userType = USER_TYPE.sub, roleIds = [], organizationIds = [] } = user ?? {};
  return { username: userName, password: '', userType, roleIds, organizationIds };
}

export function AccountForm(props: AccountFormProps) {
  const { user, onClose } = props;
  const t = useT();
  const caller = useCaller();
  const fetchAgain = useFetchPermissions();
  const [draft, setDraft] = useState(() => draftOf(user));
  const { username, password, userType, roleIds, organizationIds } = draft;
  const isPasswordGood = user !== null && password === '' ? true : passwordProblem(password) === null;
  async function save(): Promise<void> {
    const places = userType === USER_TYPE.sub ? { roleIds: [...roleIds], organizationIds: [...organizationIds] } : {};
    if (user === null) {
      await caller.ask('user/add', { username, password, userType, ...places }, { showError: false });
      return;
    }
    const { userId, version, userName } = user;
    const change = {
      ...(username !== userName && { username }),
      ...(password !== '' && { password }),
      ...(userType !== user.userType && { userType }),
      ...(user.ownerName !== '' && user.userType === USER_TYPE.sub && places),
    };
    await caller.ask('user/update', { userId, version, ...change }, { showError: false });
  }
  return (
    <EditingInspector
      title={user === null ? t('perm.newAccount') : user.userName}
      canSave={usernameProblem(username) === null && isPasswordGood}
      save={save}
      savedText={t('perm.accountSaved', { name: username })}
      fetchAgain={fetchAgain}
      onClose={onClose}
      deletion={
        user && {
          label: t('perm.deleteAccount'),
          title: t('perm.deleteAccountTitle', { name: user.userName }),
          detail: t(user.userType === USER_TYPE.sub ? 'perm.deleteSubDetail' : 'perm.deleteAccountDetail'),
          run: () => caller.ask('user/delete', { userId: user.userId }, { showError: false }),
        }
      }
    >
      {() => (
        <AccountFields {...props} draft={draft} change={(part) => setDraft((before) => ({ ...before, ...part }))} />
      )}
    </EditingInspector>
  );
}

interface FieldsProps extends AccountFormProps {
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
}

function AccountFields({ user, roles, draft, change, onViewAs }: FieldsProps) {
  const t = useT();
  const ownType = useAuth((auth) => auth.userType);
  const ownName = useAuth((auth) => auth.userName);
  const { username, password, userType } = draft;
  const isSub = userType === USER_TYPE.sub;
  const isOwn = user === null || user.ownerName === ownName;
  const types = creatableUserTypes(ownType).filter(
    (type) => user === null || (type === USER_TYPE.sub) === (user.userType === USER_TYPE.sub),
  );
  return (
    <div className={style.form}>
      {user !== null && <Enabled user={user} onViewAs={isSub && isOwn ? onViewAs : null} />}
      <TextField
        label={t('perm.userName')}
        value={username}
        onValue={(next) => change({ username: next })}
        maxLength={20}
        autoComplete="off"
        error={isNameBad(username) ? t('valid.username') : null}
      />
      {isOwn && (
        <AccountPassword isNew={user === null} value={password} onValue={(next) => change({ password: next })} />
      )}
      {user !== null && <AccountResets user={user} isOwn={isOwn} />}
      {types.length > 1 && (
        <SelectField
          label={t('perm.kind')}
          value={String(userType)}
          options={types.map((type) => ({ value: String(type), label: enumerationText(t, TYPE_WORDS, type) }))}
          onValue={(next) => change({ userType: Number(next) })}
        />
      )}
      {isSub && isOwn && <RolesAndPlaces roles={roles} draft={draft} change={change} />}
    </div>
  );
}

/** Nothing typed is not bad yet. */
function isNameBad(username: string): boolean {
  return username !== '' && usernameProblem(username) !== null;
}

interface AccountPasswordProps {
  readonly isNew: boolean;
  readonly value: string;
  readonly onValue: (password: string) => void;
}

/** Empty keeps the password of an account that is there. */
function AccountPassword({ isNew, value, onValue }: AccountPasswordProps) {
  const t = useT();
  return (
    <div>
      <PasswordField
        label={t(isNew ? 'perm.password' : 'perm.newPassword')}
        revealLabel={t('common.showPassword')}
        value={value}
        onValue={onValue}
        maxLength={128}
        autoComplete="new-password"
        hint={t(isNew ? 'valid.passwordRange' : 'perm.newPasswordHint')}
        error={value !== '' && passwordProblem(value) !== null ? t('valid.passwordRange') : null}
      />
      {value !== '' && <PasswordStrength password={value} />}
    </div>
  );
}

function toggled(ids: readonly string[], id: string, isOn: boolean): string[] {
  return isOn ? [...ids, id] : ids.filter((one) => one !== id);
}

function RolesAndPlaces({ roles, draft, change }: Pick<FieldsProps, 'roles' | 'draft' | 'change'>) {
  const t = useT();
  const organizations = useOrganizationOptions().filter(({ value }) => value !== '0');
  const { roleIds, organizationIds } = draft;
  return (
    <>
      <fieldset className={style.set}>
        <legend>{t('perm.roles')}</legend>
        {roles.length === 0 && <p className={style.hint}>{t('perm.noRoleYet')}</p>}
        {roles.map(({ roleId, roleName }) => (
          <CheckBox
            key={roleId}
            label={roleName}
            isOn={roleIds.includes(roleId)}
            onToggle={(isOn) => change({ roleIds: toggled(roleIds, roleId, isOn) })}
          />
        ))}
      </fieldset>
      <fieldset className={style.set}>
        <legend>{t('perm.placed')}</legend>
        <p className={style.hint}>{t(roleIds.length === 0 ? 'perm.placedNoRole' : 'perm.placedHint')}</p>
        <div className={style.list}>
          {organizations.map(({ value, label }) => (
            <CheckBox
              key={value}
              label={label}
              isOn={organizationIds.includes(value)}
              onToggle={(isOn) => change({ organizationIds: toggled(organizationIds, value, isOn) })}
            />
          ))}
        </div>
      </fieldset>
    </>
  );
}

/** Takes effect at once: what the account has open ends. */
function Enabled({ user, onViewAs }: { readonly user: User; readonly onViewAs: (() => void) | null }) {
  const t = useT();
  const caller = useCaller();
  const fetchAgain = useFetchPermissions();
  const [isBusy, setBusy] = useState(false);
  const toggle = async (): Promise<void> => {
    setBusy(true);
    try {
      await caller.ask('user/enable', { userId: user.userId, isEnabled: !user.isEnabled });
    } catch (failure) {
      showToast('error', failureText(t, failure));
    }
    await fetchAgain();
    setBusy(false);
  };
  return (
    <div className={style.state}>
      <span data-on={user.isEnabled || undefined}>{t(user.isEnabled ? 'perm.enabled' : 'perm.disabled')}</span>
      {onViewAs !== null && <Button onClick={onViewAs}>{t('perm.viewAs')}</Button>}
      <Button isBusy={isBusy} onClick={() => void toggle()}>
        {t(user.isEnabled ? 'perm.disable' : 'perm.enable')}
      </Button>
    </div>
  );
}
