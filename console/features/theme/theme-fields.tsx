// The choices of the theme: brightness, suggested colours, an own colour in any form that people type (WG-03, VA-09).
import { IconCheck } from '@tabler/icons-react';
import { accentOf, accentTones } from '@vedette/rules/theme.ts';
import { type CSSProperties, useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { useCaller } from '../../services/services.ts';
import { saveTheme } from '../preferences/account-preferences.ts';
import { Segmented } from '../../ui/fields/segmented.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { readTheme, shownTheme, THEME_CHOICES, type Theme } from '../../ui/theme/theme-choice.ts';
import { ACCENTS } from './accents.ts';
import style from './theme-fields.module.css';

const CHOICE_LABELS = { dark: 'shell.themeDark', light: 'shell.themeLight', system: 'shell.themeSystem' } as const;

export function ThemeFields() {
  const t = useT();
  const caller = useCaller();
  const [theme, setTheme] = useState(readTheme);
  const [typed, setTyped] = useState(theme.accent ?? '');
  const change = (part: Partial<Theme>): void => {
    const next = { ...theme, ...part };
    setTheme(next);
    void saveTheme(caller, next);
  };
  const choose = (accent: string | null): void => {
    setTyped(accent ?? '');
    change({ accent });
  };
  const type = (text: string): void => {
    setTyped(text);
    const accent = accentOf(text);
    if (accent !== null) change({ accent });
  };
  const isBad = typed.trim() !== '' && accentOf(typed) === null;
  const shade = (hex: string): CSSProperties => ({
    background: accentTones(hex, shownTheme(theme.choice))['--accent'],
  });
  return (
    <div className={style.fields}>
      <Segmented
        label={t('shell.theme')}
        value={theme.choice}
        options={THEME_CHOICES.map((choice) => ({ value: choice, label: t(CHOICE_LABELS[choice]) }))}
        onValue={(choice) => change({ choice })}
        isWide
      />
      <fieldset className={style.colours}>
        <legend className={style.legend}>{t('theme.suggested')}</legend>
        {ACCENTS.map(({ hex, name }) => (
          <button
            key={name}
            type="button"
            className={style.swatch}
            aria-label={t(name)}
            aria-pressed={theme.accent === hex}
            title={t(name)}
            onClick={() => choose(hex)}
          >
            <span
              className={style.dot}
              style={hex === null ? undefined : shade(hex)}
              data-own={hex === null || undefined}
            >
              {theme.accent === hex && <IconCheck size={16} stroke={2.4} aria-hidden="true" />}
            </span>
            <span className={style.name}>{t(name)}</span>
          </button>
        ))}
      </fieldset>
      <TextField
        label={t('theme.custom')}
        value={typed}
        onValue={type}
        placeholder="#8ba5ff"
        spellCheck={false}
        autoCapitalize="none"
        maxLength={40}
        leftIcon={<span className={style.preview} aria-hidden="true" />}
        hint={t('theme.customHint')}
        error={isBad ? t('theme.customBad') : null}
      />
    </div>
  );
}
