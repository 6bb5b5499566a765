// What a share gives: rights picked one by one, or those of a role as it stands and as it will be changed.
import { rightsByRole } from '@vedette/contract/permissions.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { useT } from '../../language/use-t.ts';
import { useAuth } from '../../session/auth-store.ts';
import { Segmented } from '../../ui/fields/segmented.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { useRoles } from '../role/role.query.ts';
import { RightsChoice } from './rights-choice.tsx';
import type { ShareForm } from './share-form.ts';
import { rightsOf, storedRight } from './share-rights.ts';
import style from './share-dialog.module.css';

export interface GivenRightsProps {
  readonly form: ShareForm;
  /** Stored names of what the giver may give. */
  readonly offered: ReadonlySet<string>;
  /** A share keeps the way its rights are given. */
  readonly isNew: boolean;
  readonly problem: string | null;
  readonly onChange: (part: Partial<ShareForm>) => void;
}

/** Roles belong to accounts that own. */
const OWNERS: readonly number[] = [USER_TYPE.super, USER_TYPE.manage, USER_TYPE.ordinary];

export function GivenRights({ form, offered, isNew, problem, onChange }: GivenRightsProps) {
  const t = useT();
  const isOwner = useAuth((auth) => OWNERS.includes(auth.userType));
  const roles = useRoles(isOwner).data?.roleList ?? [];
  const [first] = roles;
  return (
    <>
      {isNew && first !== undefined && (
        <Segmented
          label={t('share.rightsBy')}
          value={form.roleId === null ? 'rights' : 'role'}
          options={(['rights', 'role'] as const).map((value) => ({ value, label: t(`share.rightsBy_${value}`) }))}
          onValue={(by) => onChange({ roleId: by === 'role' ? first.roleId : null })}
          isWide
        />
      )}
      {form.roleId === null ? (
        <RightsChoice chosen={form.rights} offered={offered} onChosen={(rights) => onChange({ rights })} />
      ) : (
        <RoleChoice roles={roles} roleId={form.roleId} onRole={(roleId) => onChange({ roleId })} />
      )}
      {problem !== null && (
        <p className={style.problem} role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

interface RoleChoiceProps {
  readonly roles: readonly {
    readonly roleId: string;
    readonly roleName: string;
    readonly permissions: readonly string[];
  }[];
  readonly roleId: string;
  readonly onRole: (roleId: string) => void;
}

function RoleChoice({ roles, roleId, onRole }: RoleChoiceProps) {
  const t = useT();
  const chosen = roles.find((role) => role.roleId === roleId);
  const given = rightsOf(rightsByRole(chosen?.permissions ?? []));
  const words = given.map((right) => t(`share.right_${storedRight(right)}`)).join(t('common.listSeparator'));
  return (
    <SelectField
      label={t('share.role')}
      value={chosen?.roleId ?? null}
      options={roles.map(({ roleId: value, roleName }) => ({ value, label: roleName }))}
      onValue={onRole}
      hint={given.length === 0 ? t('share.roleEmpty') : t('share.roleHint', { rights: words })}
    />
  );
}
