// What consoles and client programs are told before anybody signs in: region, brand, addresses.
import type { Environment } from '@vedette/contract/calls/account-settings.ts';
import { useT } from '../../../language/use-t.ts';
import { SettingsSection } from '../../../ui/layout/settings-section.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { SwitchField } from '../../../ui/fields/switch-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import type { AccountPartProps } from './account-draft.ts';
import style from './accounts.module.css';

const HOME = 'home';
const OVERSEAS = 'overseas';

export function EnvironmentPart({ draft, bad, isTried, onConfig }: AccountPartProps) {
  const t = useT();
  const { environment } = draft.config;
  const change = (part: Partial<Environment>): void => onConfig({ environment: { ...environment, ...part } });
  const wrong = (name: string, text: string): string | null => (isTried && bad.has(name) ? text : null);
  return (
    <SettingsSection title={t('environment.title')} lead={t('environment.lead')}>
      <div className={style.two}>
        <SelectField
          label={t('environment.region')}
          value={environment.isOverseas ? OVERSEAS : HOME}
          options={[
            { value: HOME, label: t('environment.china') },
            { value: OVERSEAS, label: t('environment.overseas') },
          ]}
          onValue={(region) => change({ isOverseas: region === OVERSEAS })}
        />
        <TextField
          label={t('environment.phoneCode')}
          inputMode="numeric"
          maxLength={4}
          placeholder="86"
          value={environment.phoneCode}
          onValue={(phoneCode) => change({ phoneCode })}
          error={wrong('phoneCode', t('accounts.badDigits'))}
        />
      </div>
      <SwitchField
        label={t('environment.noBrand')}
        isOn={environment.isNoBrand}
        onToggle={(isNoBrand) => change({ isNoBrand })}
      />
      <TextField
        label={t('environment.oldWebsite')}
        hint={t('environment.oldWebsiteHint')}
        type="url"
        maxLength={512}
        value={environment.oldWebsite}
        onValue={(oldWebsite) => change({ oldWebsite: oldWebsite.trim() })}
        error={wrong('oldWebsite', t('accounts.badAddress'))}
      />
      <TextField
        label={t('environment.centerServer')}
        hint={t('environment.centerServerHint')}
        type="url"
        maxLength={512}
        value={environment.centerServer}
        onValue={(centerServer) => change({ centerServer: centerServer.trim() })}
        error={wrong('centerServer', t('accounts.badAddress'))}
      />
    </SettingsSection>
  );
}
