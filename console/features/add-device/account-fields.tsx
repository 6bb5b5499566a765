// The account of one device or of several, and where they are put.
import { useT } from '../../language/use-t.ts';
import { SelectField, type SelectOption } from '../../ui/fields/select-field.tsx';
import { PasswordField, TextField } from '../../ui/fields/text-field.tsx';
import style from './add-device.module.css';

export interface DeviceAccount {
  readonly user: string;
  readonly password: string;
}

export interface AccountFieldsProps {
  readonly account: DeviceAccount;
  readonly onAccount: (account: DeviceAccount) => void;
  readonly isSeveral?: boolean;
  readonly disabled?: boolean;
  /** Absent: the place is asked for later. */
  readonly organizations?: readonly SelectOption[];
  readonly organizationId?: string;
  readonly onOrganization?: (organizationId: string) => void;
}

const SEARCHED_FROM = 8;

export function AccountFields(props: AccountFieldsProps) {
  const t = useT();
  const { account, onAccount, isSeveral = false, disabled = false, organizations, onOrganization } = props;
  return (
    <>
      <div className={style.pair}>
        <TextField
          label={t('add.user')}
          name="device-user"
          value={account.user}
          onValue={(user) => onAccount({ ...account, user })}
          maxLength={64}
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          disabled={disabled}
        />
        <PasswordField
          label={t('add.password')}
          name="device-password"
          value={account.password}
          onValue={(password) => onAccount({ ...account, password })}
          maxLength={128}
          autoComplete="new-password"
          disabled={disabled}
          revealLabel={t('common.showPassword')}
        />
      </div>
      <p className={style.hint}>{t(isSeveral ? 'find.account' : 'add.credentialsHint')}</p>
      {organizations !== undefined && onOrganization !== undefined && (
        <SelectField
          label={t('add.organization')}
          value={props.organizationId ?? null}
          options={organizations}
          isSearchable={organizations.length > SEARCHED_FROM}
          nothingFound={t('common.none')}
          onValue={onOrganization}
        />
      )}
    </>
  );
}
