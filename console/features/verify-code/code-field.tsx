// Six digits of a code, with the way to another one beside.
import { verificationCodeProblem } from '@vedette/rules/validation/account-fields.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import style from './code-field.module.css';

export interface CodeFieldProps {
  readonly value: string;
  readonly onValue: (code: string) => void;
  readonly isTried: boolean;
  /** Seconds until another one can be sent. */
  readonly left: number;
  readonly onResend: () => void;
  /** Words of the button before the first was sent. */
  readonly isFirst?: boolean;
  readonly isBusy?: boolean;
  readonly isLarge?: boolean;
  readonly failure?: string | null;
}

function sendText(t: ReturnType<typeof useT>, left: number, isFirst: boolean): string {
  if (left > 0) return t('account.sendAgainIn', { seconds: left });
  return t(isFirst ? 'account.sendCode' : 'account.sendAgain');
}

export function CodeField(props: CodeFieldProps) {
  const t = useT();
  const { value, onValue, isTried, left, onResend, isFirst = false, isBusy = false, isLarge = false, failure } = props;
  const isBad = isTried && verificationCodeProblem(value) !== null;
  return (
    <div className={style.row}>
      <TextField
        label={t('account.code')}
        name="one-time-code"
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={6}
        isLarge={isLarge}
        value={value}
        onValue={(text) => onValue(text.replace(/\D/g, ''))}
        hint={t('account.codeHint')}
        error={isBad ? t('account.codeBad') : (failure ?? null)}
      />
      <Button
        className={style.send ?? ''}
        size={isLarge ? 'large' : 'normal'}
        disabled={left > 0}
        isBusy={isBusy}
        onClick={onResend}
      >
        {sendText(t, left, isFirst)}
      </Button>
    </div>
  );
}
