// The password strength indicator (WG-07): three bars and a word.
import { passwordScore, strengthLevel } from '@vedette/rules/password-strength.ts';
import { useT } from '../../language/use-t.ts';
import style from './password-strength.module.css';

const LABELS = {
  none: 'strength.none',
  weak: 'strength.weak',
  medium: 'strength.medium',
  strong: 'strength.strong',
} as const;
const BARS = ['weak', 'medium', 'strong'] as const;
const FILLED = { none: 0, weak: 1, medium: 2, strong: 3 };

export function PasswordStrength({ password }: { readonly password: string }) {
  const t = useT();
  const word = strengthLevel(passwordScore(password));
  return (
    <div
      className={style.root}
      data-strength={word}
      role="status"
      aria-label={`${t('strength.label')}: ${t(LABELS[word])}`}
    >
      <span className={style.bars} aria-hidden="true">
        {BARS.map((bar, at) => (
          <span key={bar} className={style.bar} data-filled={at < FILLED[word] || undefined} />
        ))}
      </span>
      <span className={style.word}>{t(LABELS[word])}</span>
    </div>
  );
}
