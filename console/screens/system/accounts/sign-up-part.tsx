// Who may get in: registration by strangers, the check against robots, and how long a session lasts.
import { CAPTCHA_KINDS } from '@vedette/contract/calls/account-settings.ts';
import { SESSION_DAYS } from '@vedette/contract/limits.ts';
import { useT } from '../../../language/use-t.ts';
import { NumberField } from '../../../ui/fields/number-field.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { SettingsSection } from '../../../ui/layout/settings-section.tsx';
import { SwitchField } from '../../../ui/fields/switch-field.tsx';
import { PasswordField, TextField } from '../../../ui/fields/text-field.tsx';
import type { AccountPartProps } from './account-draft.ts';
import style from './accounts.module.css';

const KIND_LABELS = {
  own: 'accounts.captchaOwn',
  outside: 'accounts.captchaOutside',
  none: 'accounts.captchaNone',
} as const;

export function SignUpPart(props: AccountPartProps) {
  const t = useT();
  const { draft, onConfig } = props;
  const { captcha, canRegister, allowsAllApps, sessionDays } = draft.config;
  return (
    <SettingsSection title={t('accounts.signUp')} lead={t('accounts.signUpLead')}>
      <SwitchField
        label={t('accounts.canRegister')}
        isOn={canRegister}
        onToggle={(isOn) => onConfig({ canRegister: isOn })}
      />
      <SwitchField
        label={t('accounts.allowsAllApps')}
        isOn={allowsAllApps}
        onToggle={(isOn) => onConfig({ allowsAllApps: isOn })}
      />
      <SelectField
        label={t('accounts.captcha')}
        value={captcha.kind}
        options={CAPTCHA_KINDS.map((value) => ({ value, label: t(KIND_LABELS[value]) }))}
        onValue={(value) => {
          const kind = CAPTCHA_KINDS.find((one) => one === value) ?? 'own';
          onConfig({ captcha: { ...captcha, kind } });
        }}
      />
      <NumberField
        label={t('accounts.sessionDays')}
        unit={t('accounts.days')}
        hint={t('accounts.sessionDaysHint')}
        min={SESSION_DAYS.least}
        max={SESSION_DAYS.most}
        value={sessionDays}
        onValue={(days) => onConfig({ sessionDays: days ?? SESSION_DAYS.usual })}
      />
      {captcha.kind === 'outside' && <OutsideFields {...props} />}
    </SettingsSection>
  );
}

function OutsideFields({ settings, draft, bad, isTried, onConfig, onSecret }: AccountPartProps) {
  const t = useT();
  const { captcha } = draft.config;
  const change = (part: Partial<typeof captcha>): void => onConfig({ captcha: { ...captcha, ...part } });
  const wrong = (name: string): string | null => (isTried && bad.has(name) ? t('accounts.bad') : null);
  return (
    <>
      <div className={style.two}>
        <TextField
          label={t('accounts.captchaScript')}
          spellCheck={false}
          value={captcha.scriptUrl}
          onValue={(scriptUrl) => change({ scriptUrl: scriptUrl.trim() })}
          error={wrong('scriptUrl')}
        />
        <TextField
          label={t('accounts.captchaVerify')}
          spellCheck={false}
          value={captcha.verifyUrl}
          onValue={(verifyUrl) => change({ verifyUrl: verifyUrl.trim() })}
          error={wrong('verifyUrl')}
        />
      </div>
      <div className={style.two}>
        <TextField
          label={t('accounts.captchaApp')}
          spellCheck={false}
          value={captcha.appId}
          onValue={(appId) => change({ appId: appId.trim() })}
          error={wrong('appId')}
        />
        <PasswordField
          label={t('accounts.captchaSecret')}
          autoComplete="new-password"
          revealLabel={t('common.showPassword')}
          value={draft.secrets.captchaSecret}
          onValue={(text) => onSecret('captchaSecret', text)}
          hint={settings.secretList.includes('captchaSecret') ? t('accounts.kept') : undefined}
        />
      </div>
    </>
  );
}
