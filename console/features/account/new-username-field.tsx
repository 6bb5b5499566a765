// The name of an account that is being made (VA-03), told where it is taken.
import { usernameProblem } from '@vedette/rules/validation/account-fields.ts';
import { useT } from '../../language/use-t.ts';
import { TextField } from '../../ui/fields/text-field.tsx';

export interface NewUsernameFieldProps {
  readonly value: string;
  readonly onValue: (username: string) => void;
  readonly isTried: boolean;
  readonly isTaken?: boolean;
  readonly autoFocus?: boolean;
}

export function NewUsernameField(props: NewUsernameFieldProps) {
  const { value, onValue, isTried, isTaken = false, autoFocus = false } = props;
  const t = useT();
  const problem = isTried ? usernameProblem(value) : null;
  const said = problem === null ? null : t(problem === 'required' ? 'login.accountRequired' : 'valid.username');
  return (
    <TextField
      label={t('setup.username')}
      name="username"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      autoFocus={autoFocus}
      isLarge
      value={value}
      onValue={onValue}
      error={isTaken ? t('register.nameTaken') : said}
    />
  );
}
