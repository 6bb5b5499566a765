// A new password, how strong it is, and the same again (WG-07, VA-01, VA-06).
import { confirmationProblem, passwordProblem } from '@vedette/rules/validation/account-fields.ts';
import { useT } from '../../language/use-t.ts';
import { PasswordField } from '../../ui/fields/text-field.tsx';
import { PasswordStrength } from './password-strength.tsx';

export interface NewPassword {
  readonly password: string;
  readonly confirmation: string;
}
export const NO_PASSWORD: NewPassword = { password: '', confirmation: '' };

export function isNewPasswordGood({ password, confirmation }: NewPassword): boolean {
  return passwordProblem(password) === null && confirmationProblem(password, confirmation) === null;
}

export interface NewPasswordFieldsProps {
  readonly value: NewPassword;
  readonly onValue: (part: Partial<NewPassword>) => void;
  readonly isTried: boolean;
  readonly label: string;
  readonly isLarge?: boolean;
}

export function NewPasswordFields({ value, onValue, isTried, label, isLarge = false }: NewPasswordFieldsProps) {
  const t = useT();
  const problem = passwordProblem(value.password);
  const isOther = confirmationProblem(value.password, value.confirmation) !== null;
  return (
    <>
      <div>
        <PasswordField
          label={label}
          name="new-password"
          autoComplete="new-password"
          isLarge={isLarge}
          revealLabel={t('common.showPassword')}
          value={value.password}
          onValue={(password) => onValue({ password })}
          error={
            !isTried || problem === null
              ? null
              : t(problem === 'required' ? 'login.passwordRequired' : 'valid.passwordRange')
          }
        />
        <PasswordStrength password={value.password} />
      </div>
      <PasswordField
        label={t('setup.confirm')}
        name="confirm-password"
        autoComplete="new-password"
        isLarge={isLarge}
        revealLabel={t('common.showPassword')}
        value={value.confirmation}
        onValue={(confirmation) => onValue({ confirmation })}
        error={isTried && isOther ? t('valid.passwordsDiffer') : null}
      />
    </>
  );
}
