// Language, time format and theme of the account.
import { SHOWN_TAGS, type ShownTag } from '@vedette/phrases/pack.ts';
import { ThemeFields } from '../../features/theme/theme-fields.tsx';
import { isFurther } from '../../language/further-languages.ts';
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
        value={t.shown}
        options={SHOWN_TAGS.map((tag) => ({
          value: tag,
          label: isFurther(tag) ? `${LANGUAGE_NAMES[tag]} · ${t('shell.machineTranslated')}` : LANGUAGE_NAMES[tag],
        }))}
        onValue={(tag) => void saveLanguage(caller, tag as ShownTag)}
      />
      <HomePageField />
      <TimeFormatFields />
      <ThemeFields />
    </PanelFrame>
  );
}
