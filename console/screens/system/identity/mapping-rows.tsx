// The table from claims to roles: rows that are tried from above.
import { IconArrowUp, IconPlus, IconX } from '@tabler/icons-react';
import { ROOT_ORGANIZATION, useOrganizationOptions } from '../../../features/resource-tree/organization-options.ts';
import { useRoles } from '../../../features/role/role.query.ts';
import { useT } from '../../../language/use-t.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { SelectField, type SelectOption } from '../../../ui/fields/select-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import style from '../../../ui/layout/titled-rows.module.css';
import own from './identity.module.css';
import { type MappingDraft, movedUp, newRow } from './provider-draft.ts';

export interface MappingRowsProps {
  /** What the first column is called. */
  readonly claimLabel: string;
  readonly rows: readonly MappingDraft[];
  readonly onRows: (rows: readonly MappingDraft[]) => void;
}

/** Stands for the role's own places. */
const NO_ORGANIZATION = '';

export function MappingRows({ rows, onRows, claimLabel }: MappingRowsProps) {
  const t = useT();
  const roles = (useRoles().data?.roleList ?? []).map(({ roleId, roleName }) => ({ value: roleId, label: roleName }));
  const organizations = useOrganizationOptions().filter(({ value }) => value !== ROOT_ORGANIZATION);
  const places = [{ value: NO_ORGANIZATION, label: t('identity.noOrganization') }, ...organizations];
  const change = (key: number, part: Partial<MappingDraft>): void =>
    onRows(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  return (
    <fieldset className={own.mapping}>
      <legend className={own.legend}>{t('identity.mapping')}</legend>
      <p className={style.hint}>{t(rows.length === 0 ? 'identity.noRows' : 'identity.mappingLead')}</p>
      {rows.map((row, index) => (
        <div key={row.key} className={own.row}>
          <Fields
            row={row}
            claimLabel={claimLabel}
            roles={roles}
            places={places}
            onChange={(part) => change(row.key, part)}
          />
          <div className={own.order}>
            <IconButton
              label={t('identity.moveUp', { row: index + 1 })}
              size="small"
              tipSide="left"
              disabled={index === 0}
              onClick={() => onRows(movedUp(rows, index))}
            >
              <IconArrowUp size={15} stroke={1.8} />
            </IconButton>
            <IconButton
              label={t('identity.removeRow', { row: index + 1 })}
              size="small"
              tipSide="left"
              onClick={() => onRows(rows.filter((one) => one.key !== row.key))}
            >
              <IconX size={15} stroke={1.8} />
            </IconButton>
          </div>
        </div>
      ))}
      <Button
        className={style.add}
        icon={<IconPlus size={15} stroke={2} aria-hidden="true" />}
        onClick={() => onRows([...rows, newRow(rows)])}
      >
        {t('identity.addRow')}
      </Button>
    </fieldset>
  );
}

interface FieldsProps {
  readonly claimLabel: string;
  readonly row: MappingDraft;
  readonly roles: readonly SelectOption[];
  readonly places: readonly SelectOption[];
  readonly onChange: (part: Partial<MappingDraft>) => void;
}

function Fields({ row, claimLabel, roles, places, onChange }: FieldsProps) {
  const t = useT();
  return (
    <>
      <TextField
        label={claimLabel}
        value={row.claim}
        onValue={(claim) => onChange({ claim })}
        autoComplete="off"
        spellCheck={false}
        maxLength={256}
      />
      <TextField
        label={t('identity.value')}
        value={row.value}
        onValue={(value) => onChange({ value })}
        autoComplete="off"
        spellCheck={false}
        maxLength={256}
      />
      <SelectField
        label={t('identity.role')}
        value={row.roleId}
        options={roles}
        onValue={(roleId) => onChange({ roleId })}
      />
      <SelectField
        label={t('identity.organization')}
        value={row.organizationId ?? NO_ORGANIZATION}
        options={places}
        onValue={(chosen) => onChange({ organizationId: chosen === NO_ORGANIZATION ? null : chosen })}
      />
    </>
  );
}
