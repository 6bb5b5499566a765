// Language and theme in one menu: at sign-in and in the shell's rail.
import { LANGUAGE_TAGS, type LanguageTag } from '@vedette/phrases/pack.ts';
import { type ReactElement, useState } from 'react';
import { chooseLanguage, LANGUAGE_NAMES } from '../../language/language-store.ts';
import { useT } from '../../language/use-t.ts';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import { chooseTheme, readThemeChoice, THEME_CHOICES, type ThemeChoice } from '../../ui/theme-choice.ts';

export interface PreferencesMenuProps {
  readonly children: ReactElement;
  readonly side?: 'bottom-end' | 'right-end' | 'top-start';
  readonly more?: readonly MenuEntry[];
}

const THEME_LABELS = { dark: 'shell.themeDark', light: 'shell.themeLight', system: 'shell.themeSystem' } as const;

export function PreferencesMenu({ children, side = 'bottom-end', more = [] }: PreferencesMenuProps) {
  const t = useT();
  const [theme, setTheme] = useState(readThemeChoice);
  const pick = (choice: ThemeChoice): void => {
    chooseTheme(choice);
    setTheme(choice);
  };
  const languages: MenuEntry[] = LANGUAGE_TAGS.map((tag: LanguageTag) => ({
    kind: 'item',
    label: LANGUAGE_NAMES[tag],
    lang: tag,
    isChosen: t.language === tag,
    onChoose: () => void chooseLanguage(tag),
  }));
  const themes: MenuEntry[] = THEME_CHOICES.map((choice) => ({
    kind: 'item',
    label: t(THEME_LABELS[choice]),
    isChosen: theme === choice,
    onChoose: () => pick(choice),
  }));
  return (
    <Menu
      label={t('shell.preferences')}
      side={side}
      entries={[
        ...more,
        { kind: 'title', label: t('shell.language') },
        ...languages,
        { kind: 'line' },
        { kind: 'title', label: t('shell.theme') },
        ...themes,
      ]}
    >
      {children}
    </Menu>
  );
}
