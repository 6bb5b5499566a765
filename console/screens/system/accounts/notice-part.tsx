// What people are told when they sign in: maintenance, and a newer privacy policy.
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { useT } from '../../../language/use-t.ts';
import { useTimeFormat } from '../../../language/use-time-format.ts';
import { useServices } from '../../../services/services.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { SettingsSection } from '../../../ui/layout/settings-section.tsx';
import { SwitchField } from '../../../ui/fields/switch-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { type AccountPartProps, fromLocalText, newMaintenance, toLocalText } from './account-draft.ts';
import style from './accounts.module.css';

export function NoticePart({ draft, bad, isTried, onConfig }: AccountPartProps) {
  const t = useT();
  const format = useTimeFormat();
  const { clock } = useServices();
  const { maintenance, privacyUpdateTime } = draft.config;
  const wrong = (name: string): string | null => (isTried && bad.has(name) ? t('accounts.bad') : null);
  const change = (part: Partial<NonNullable<typeof maintenance>>): void => {
    if (maintenance !== null) onConfig({ maintenance: { ...maintenance, ...part } });
  };
  const time = (name: 'startTime' | 'endTime', label: 'accounts.maintenanceStart' | 'accounts.maintenanceEnd') => (
    <TextField
      label={t(label)}
      type="datetime-local"
      value={toLocalText(maintenance?.[name] ?? 0)}
      onValue={(text) => {
        const at = fromLocalText(text);
        if (at !== null) change({ [name]: at });
      }}
      error={wrong(name)}
    />
  );
  return (
    <SettingsSection title={t('accounts.notices')} lead={t('accounts.noticesLead')}>
      <SwitchField
        label={t('accounts.maintenanceOn')}
        isOn={maintenance !== null}
        onToggle={(isOn) => onConfig({ maintenance: isOn ? newMaintenance(clock.wallMs()) : null })}
      />
      {maintenance !== null && (
        <>
          <TextField
            label={t('accounts.maintenanceText')}
            maxLength={500}
            value={maintenance.text}
            onValue={(text) => change({ text })}
            error={wrong('text')}
          />
          <div className={style.two}>
            {time('startTime', 'accounts.maintenanceStart')}
            {time('endTime', 'accounts.maintenanceEnd')}
          </div>
        </>
      )}
      <p className={style.fact}>
        {privacyUpdateTime === 0
          ? t('accounts.privacyNever')
          : t('accounts.privacyAt', { time: formatDateTime(privacyUpdateTime, format, false) })}
      </p>
      <div>
        <Button onClick={() => onConfig({ privacyUpdateTime: clock.wallMs() })}>{t('accounts.privacyNow')}</Button>
      </div>
    </SettingsSection>
  );
}
