// Mail server and text message gateway, and a test of them.
import { MAIL_SECURITIES } from '@vedette/contract/calls/account-settings.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { useState } from 'react';
import { failureText } from '../../../calls/failure-text.ts';
import { useT } from '../../../language/use-t.ts';
import { useTimeFormat } from '../../../language/use-time-format.ts';
import { useCaller } from '../../../services/services.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { NumberField } from '../../../ui/fields/number-field.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { SettingsSection } from '../../../ui/layout/settings-section.tsx';
import { SwitchField } from '../../../ui/fields/switch-field.tsx';
import { PasswordField, TextField } from '../../../ui/fields/text-field.tsx';
import { type AccountPartProps, NEW_MAIL } from './account-draft.ts';
import style from './accounts.module.css';

const SECURITY_LABELS = {
  tls: 'accounts.securityTls',
  starttls: 'accounts.securityStarttls',
  none: 'accounts.securityNone',
} as const;
/** The usual ports of each. */
const PORTS = { tls: 465, starttls: 587, none: 25 } as const;

export function MailPart(props: AccountPartProps & { readonly hasChanges: boolean }) {
  const t = useT();
  const format = useTimeFormat();
  const { settings, draft, onConfig, hasChanges } = props;
  const { mail, sms } = draft.config;
  const { lastFailure } = settings;
  return (
    <>
      <SettingsSection title={t('accounts.mail')} lead={t('accounts.mailLead')}>
        <SwitchField
          label={t('accounts.mailOn')}
          isOn={mail !== null}
          onToggle={(isOn) => onConfig({ mail: isOn ? NEW_MAIL : null })}
        />
        {mail !== null && <MailFields {...props} mail={mail} />}
        {mail !== null && (
          <TextField
            label={t('accounts.consoleUrl')}
            inputMode="url"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={256}
            value={draft.config.consoleUrl}
            onValue={(consoleUrl) => onConfig({ consoleUrl: consoleUrl.trim().replace(/\/$/, '') })}
            hint={t('accounts.consoleUrlHint')}
            error={props.isTried && props.bad.has('consoleUrl') ? t('accounts.consoleUrlHint') : null}
          />
        )}
        {lastFailure !== null && (
          <Notice tone="warning">
            {t('accounts.lastFailure', {
              time: formatDateTime(lastFailure.at, format, false),
              reason: lastFailure.reason,
            })}
          </Notice>
        )}
        {(settings.config.mail !== null || settings.config.sms !== null) && <TestRow isBlocked={hasChanges} />}
      </SettingsSection>
      <SettingsSection title={t('accounts.sms')} lead={t('accounts.smsLead')}>
        <SwitchField
          label={t('accounts.smsOn')}
          isOn={sms !== null}
          onToggle={(isOn) => onConfig({ sms: isOn ? { url: '' } : null })}
        />
        {sms !== null && <SmsFields {...props} url={sms.url} />}
      </SettingsSection>
    </>
  );
}

type Mail = NonNullable<AccountPartProps['draft']['config']['mail']>;

function MailFields(props: AccountPartProps & { readonly mail: Mail }) {
  const t = useT();
  const { settings, draft, bad, isTried, onConfig, onSecret, mail } = props;
  const change = (part: Partial<Mail>): void => onConfig({ mail: { ...mail, ...part } });
  const wrong = (name: string): string | null => (isTried && bad.has(name) ? t('accounts.bad') : null);
  return (
    <>
      <div className={style.server}>
        <TextField
          label={t('accounts.host')}
          autoCapitalize="none"
          spellCheck={false}
          value={mail.host}
          onValue={(host) => change({ host: host.trim() })}
          error={wrong('host')}
        />
        <NumberField
          label={t('accounts.port')}
          value={mail.port}
          onValue={(port) => change({ port: port ?? 0 })}
          min={1}
          max={65_535}
          error={wrong('port')}
        />
        <SelectField
          label={t('accounts.security')}
          value={mail.security}
          options={MAIL_SECURITIES.map((value) => ({ value, label: t(SECURITY_LABELS[value]) }))}
          onValue={(value) => {
            const security = MAIL_SECURITIES.find((one) => one === value) ?? 'tls';
            const isUsual = Object.values(PORTS).some((port) => port === mail.port);
            change({ security, ...(isUsual && { port: PORTS[security] }) });
          }}
        />
      </div>
      <div className={style.two}>
        <TextField
          label={t('accounts.user')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={128}
          value={mail.user}
          onValue={(user) => change({ user })}
          hint={t('accounts.userHint')}
        />
        <PasswordField
          label={t('accounts.mailPassword')}
          autoComplete="new-password"
          revealLabel={t('common.showPassword')}
          value={draft.secrets.mailPassword}
          onValue={(text) => onSecret('mailPassword', text)}
          hint={settings.secretList.includes('mailPassword') ? t('accounts.kept') : undefined}
        />
      </div>
      <TextField
        label={t('accounts.from')}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={128}
        placeholder="Vedette <vedette@example.org>"
        value={mail.from}
        onValue={(from) => change({ from })}
        error={wrong('from')}
      />
    </>
  );
}

function SmsFields(props: AccountPartProps & { readonly url: string }) {
  const t = useT();
  const { settings, draft, bad, isTried, onConfig, onSecret, url } = props;
  return (
    <div className={style.two}>
      <TextField
        label={t('accounts.smsUrl')}
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
        value={url}
        onValue={(next) => onConfig({ sms: { url: next.trim() } })}
        error={isTried && bad.has('smsUrl') ? t('accounts.bad') : null}
      />
      <PasswordField
        label={t('accounts.smsToken')}
        autoComplete="new-password"
        revealLabel={t('common.showPassword')}
        value={draft.secrets.smsToken}
        onValue={(text) => onSecret('smsToken', text)}
        hint={settings.secretList.includes('smsToken') ? t('accounts.kept') : undefined}
      />
    </div>
  );
}

/** Tries what is stored, so that an edit is saved first. */
function TestRow({ isBlocked }: { readonly isBlocked: boolean }) {
  const t = useT();
  const caller = useCaller();
  const [target, setTarget] = useState('');
  const [state, setState] = useState({ isBusy: false, isSent: false, said: '' });
  const test = async (): Promise<void> => {
    setState({ isBusy: true, isSent: false, said: '' });
    try {
      const { isSent, reason } = await caller.ask(
        'system/account/test',
        { target: target.trim() },
        { showError: false },
      );
      const said = isSent ? t('accounts.testSent') : t('accounts.testFailed', { reason });
      setState({ isBusy: false, isSent, said });
    } catch (failure) {
      setState({ isBusy: false, isSent: false, said: failureText(t, failure) });
    }
  };
  return (
    <>
      <div className={style.test}>
        <TextField
          label={t('accounts.testTo')}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          value={target}
          onValue={setTarget}
        />
        <Button isBusy={state.isBusy} disabled={isBlocked || target.trim() === ''} onClick={() => void test()}>
          {t('accounts.test')}
        </Button>
      </div>
      {isBlocked && <p className={style.fact}>{t('accounts.testFirst')}</p>}
      {state.said !== '' && <Notice tone={state.isSent ? 'info' : 'error'}>{state.said}</Notice>}
    </>
  );
}
