// A role in the inspector: its name, its rights, where it holds, and its end.
import type { RoleDetails, RoleResource } from '@vedette/contract/calls/role.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { Permission } from '@vedette/contract/permissions.ts';
import { deviceNameProblem } from '@vedette/rules/validation/device-fields.ts';
import { useState } from 'react';
import { isFailure } from '../../calls/call-failure.ts';
import { useT } from '../../language/use-t.ts';
import { EditingInspector } from '../../features/editing/editing-inspector.tsx';
import { useCaller } from '../../services/services.ts';
import { ROLE_TEMPLATE_NAMES, ROLE_TEMPLATES, templateOf } from '../../features/role/role-templates.ts';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { Segmented } from '../../ui/fields/segmented.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { useFetchPermissions } from './permission.query.ts';
import { PERMISSION_ORDER, PERMISSION_WORDS } from './permission-words.ts';
import style from './permission-config-screen.module.css';
import { placesOf } from '../../features/place-tree/place-choice.ts';
import { PlaceTree } from '../../features/place-tree/place-tree.tsx';

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
  if (role === null) return { roleName: '', permissions: ROLE_TEMPLATES.viewer, places: [], isBound: false };
  const places = placesOf(role);
  return { roleName: role.roleName, permissions: role.permissions, places: places ?? [], isBound: places !== null };
}

export function RoleForm({ role, onClose }: RoleFormProps) {
  const t = useT();
  const caller = useCaller();
  const fetchAgain = useFetchPermissions();
  const [draft, setDraft] = useState(() => draftOf(role));
  const change = (part: Partial<Draft>): void => setDraft((before) => ({ ...before, ...part }));
  const { roleName, permissions, places, isBound } = draft;
  const isTaken = (failure: unknown): boolean => isFailure(failure, ERROR_CODES.alreadyExists);
  async function save(): Promise<void> {
    const input = { roleName, permissions: [...permissions], resources: isBound ? [...places] : null };
    if (role === null) await caller.ask('role/add', input, { showError: false });
    else {
      const which = { roleId: role.roleId, version: role.version };
      await caller.ask('role/update', { ...input, ...which }, { showError: false });
    }
  }
  return (
    <EditingInspector
      title={role === null ? t('perm.newRole') : role.roleName}
      canSave={deviceNameProblem(roleName) === null}
      save={save}
      savedText={t('perm.roleSaved', { role: roleName })}
      isToldAtField={isTaken}
      fetchAgain={fetchAgain}
      onClose={onClose}
      deletion={
        role && {
          label: t('perm.deleteRole'),
          title: t('perm.deleteRoleTitle', { role: role.roleName }),
          detail: t.plural('perm.deleteRoleDetail', role.userTotal),
          run: () => caller.ask('role/delete', { roleId: role.roleId }, { showError: false }),
        }
      }
    >
      {(failure) => (
        <div className={style.form}>
          {role === null && <Templates draft={draft} onDraft={change} />}
          <TextField
            label={t('perm.roleName')}
            value={roleName}
            onValue={(next) => change({ roleName: next })}
            maxLength={64}
            error={isTaken(failure) ? t('errCode_1016') : null}
          />
          <Rights permissions={permissions} onPermissions={(next) => change({ permissions: next })} />
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
            {isBound && (
              <PlaceTree label={t('perm.placesLabel')} places={places} onPlaces={(next) => change({ places: next })} />
            )}
          </fieldset>
        </div>
      )}
    </EditingInspector>
  );
}

interface TemplatesProps {
  readonly draft: Draft;
  readonly onDraft: (part: Partial<Draft>) => void;
}

/** The name follows the choice for as long as nobody typed another. */
function Templates({ draft, onDraft }: TemplatesProps) {
  const t = useT();
  const template = templateOf(draft.permissions);
  const names: readonly string[] = ROLE_TEMPLATE_NAMES.map((name) => t(`roleTemplate.${name}`));
  const choose = (value: string): void => {
    const name = ROLE_TEMPLATE_NAMES.find((one) => one === value);
    if (name === undefined) return;
    const isNamed = draft.roleName.trim() !== '' && !names.includes(draft.roleName);
    onDraft({ permissions: ROLE_TEMPLATES[name], ...(!isNamed && { roleName: t(`roleTemplate.${name}`) }) });
  };
  const own = template === null ? [{ value: 'own', label: t('roleTemplate.own') }] : [];
  return (
    <SelectField
      label={t('roleTemplate.label')}
      value={template ?? 'own'}
      options={[...ROLE_TEMPLATE_NAMES.map((name) => ({ value: name, label: t(`roleTemplate.${name}`) })), ...own]}
      onValue={choose}
      {...(template !== null && { hint: t(`roleTemplate.${template}Hint`) })}
    />
  );
}

interface RightsProps {
  readonly permissions: readonly Permission[];
  readonly onPermissions: (next: readonly Permission[]) => void;
}

function Rights({ permissions, onPermissions }: RightsProps) {
  const t = useT();
  return (
    <fieldset className={style.set}>
      <legend>{t('perm.rights')}</legend>
      {PERMISSION_ORDER.map((permission) => (
        <CheckBox
          key={permission}
          label={t(PERMISSION_WORDS[permission])}
          isOn={permissions.includes(permission)}
          onToggle={(isOn) =>
            onPermissions(isOn ? [...permissions, permission] : permissions.filter((one) => one !== permission))
          }
        />
      ))}
    </fieldset>
  );
}
