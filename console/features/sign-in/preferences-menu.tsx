// Language and theme in one menu: at sign-in and in the shell's rail.
import { FURTHER_TAGS, LANGUAGE_TAGS, type ShownTag } from '@vedette/phrases/pack.ts';
import { type ReactElement, useState } from 'react';
import { LANGUAGE_NAMES } from '../../language/language-store.ts';
import { useT } from '../../language/use-t.ts';
import { useCaller } from '../../services/services.ts';
import { saveLanguage, saveTheme } from '../preferences/account-preferences.ts';
import { Menu, type MenuEntry } from '../../ui/overlays/menu.tsx';
import { readTheme, THEME_CHOICES, type ThemeChoice } from '../../ui/theme/theme-choice.ts';
import { ThemeDialog } from '../theme/theme-dialog.tsx';

export interface PreferencesMenuProps {
  readonly children: ReactElement;
  readonly side?: 'bottom-end' | 'right-end' | 'top-start';
  readonly more?: readonly MenuEntry[];
}

const THEME_LABELS = { dark: 'shell.themeDark', light: 'shell.themeLight', system: 'shell.themeSystem' } as const;

export function PreferencesMenu({ children, side = 'bottom-end', more = [] }: PreferencesMenuProps) {
  const t = useT();
  const caller = useCaller();
  const [theme, setTheme] = useState(() => readTheme().choice);
  const [isThemeOpen, setThemeOpen] = useState(false);
  const pick = (choice: ThemeChoice): void => {
    void saveTheme(caller, { choice, accent: readTheme().accent });
    setTheme(choice);
  };
  const language = (tag: ShownTag): MenuEntry => ({
    kind: 'item',
    label: LANGUAGE_NAMES[tag],
    lang: tag,
    isChosen: t.shown === tag,
    onChoose: () => void saveLanguage(caller, tag),
  });
  const themes: MenuEntry[] = THEME_CHOICES.map((choice) => ({
    kind: 'item',
    label: t(THEME_LABELS[choice]),
    isChosen: theme === choice,
    onChoose: () => pick(choice),
  }));
  return (
    <>
      <Menu
        label={t('shell.preferences')}
        side={side}
        entries={[
          ...more,
          { kind: 'title', label: t('shell.language') },
          ...LANGUAGE_TAGS.map(language),
          { kind: 'title', label: t('shell.machineTranslated') },
          ...FURTHER_TAGS.map(language),
          { kind: 'line' },
          { kind: 'title', label: t('shell.theme') },
          ...themes,
          { kind: 'item', label: t('theme.open'), onChoose: () => setThemeOpen(true) },
        ]}
      >
        {children}
      </Menu>
      <ThemeDialog isOpen={isThemeOpen} onClose={() => setThemeOpen(false)} />
    </>
  );
}
