// Language, time format and theme of the account.
import { LANGUAGE_TAGS, type LanguageTag } from '@vedette/phrases/pack.ts';
import { ThemeFields } from '../../features/theme/theme-fields.tsx';
import { LANGUAGE_NAMES } from '../../language/language-store.ts';
import { useT } from '../../language/use-t.ts';
import { useCaller } from '../../services/services.ts';
import { HomePageField } from '../../features/preferences/home-page-field.tsx';
import { TimeFormatFields } from '../../features/preferences/time-format-fields.tsx';
import { saveLanguage } from '../../features/preferences/account-preferences.ts';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { PanelFrame } from './panel.tsx';

export function AppearancePanel() {
  const t = useT();
  const caller = useCaller();
  return (
    <PanelFrame title={t('personal.appearance')} lead={t('personal.appearanceLead')}>
      <SelectField
        label={t('shell.language')}
        value={t.language}
        options={LANGUAGE_TAGS.map((tag) => ({ value: tag, label: LANGUAGE_NAMES[tag] }))}
        onValue={(tag) => void saveLanguage(caller, tag as LanguageTag)}
      />
      <HomePageField />
      <TimeFormatFields />
      <ThemeFields />
    </PanelFrame>
  );
}
