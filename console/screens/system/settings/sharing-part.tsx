// Whether shares between accounts of one household need no acceptance.
import { useT } from '../../../language/use-t.ts';
import { SettingsSection } from '../../../ui/layout/settings-section.tsx';
import { SwitchField } from '../../../ui/fields/switch-field.tsx';
import type { PartProps } from './settings-form.tsx';

export function SharingPart({ draft, onDraft }: PartProps) {
  const t = useT();
  return (
    <SettingsSection title={t('system.sectionSharing')} lead={t('share.settingLead')}>
      <SwitchField
        label={t('share.settingAuto')}
        isOn={draft.autoAccept}
        onToggle={(autoAccept) => onDraft({ autoAccept })}
      />
    </SettingsSection>
  );
}
