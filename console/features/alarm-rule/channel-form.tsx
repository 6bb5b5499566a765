// One channel in the inspector: its way, its name and the settings of that way; secrets that are kept stay unless written anew.
import {
  ALARM_CHANNELS,
  ALARM_CHANNEL_KINDS,
  type AlarmChannelKind,
  type ChannelField,
} from '@vedette/contract/alarm-channels.ts';
import type { AlarmChannel } from '@vedette/contract/calls/alarm-rule.ts';
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useUnsaved } from '../unsaved/use-unsaved.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Inspector } from '../../ui/overlays/inspector.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { SwitchField } from '../../ui/fields/switch-field.tsx';
import { PasswordField, TextField } from '../../ui/fields/text-field.tsx';
import style from './alarm-rule.module.css';
import { channelName } from './channel-name.ts';
import { useRuleActions } from './alarm-rule.query.ts';
import { MailConsents } from './mail-consents.tsx';
import { canSubscribe, SubscribeError, subscribeBrowser } from './web-push-browser.ts';

export interface ChannelFormProps {
  /** Null: a new one. */
  readonly channel: AlarmChannel | null;
  readonly hasMail: boolean;
  readonly vapidPublicKey: string;
  readonly onClose: () => void;
}

interface Draft {
  readonly kind: AlarmChannelKind;
  readonly name: string;
  readonly isEnabled: boolean;
  readonly settings: Readonly<Record<string, string>>;
}

function draftOf(channel: AlarmChannel | null): Draft {
  if (channel === null) return { kind: 'webPush', name: '', isEnabled: true, settings: {} };
  const { kind, name, isEnabled, settings } = channel;
  return { kind, name, isEnabled, settings };
}

export function ChannelForm({ channel, hasMail, vapidPublicKey, onClose }: ChannelFormProps) {
  const t = useT();
  const { saveChannel } = useRuleActions();
  const [before] = useState(() => draftOf(channel));
  const [draft, setDraft] = useState(before);
  const leave = useUnsaved(JSON.stringify(draft) !== JSON.stringify(before));
  const [problem, setProblem] = useState<SubscribeError['problem'] | null>(null);
  const kept = channel?.kind === draft.kind ? channel.keptSecrets : [];
  const fields: readonly ChannelField[] = draft.kind === 'webPush' ? [] : ALARM_CHANNELS[draft.kind].fields;
  const isWhole = fields.every(
    ({ name, isRequired }) => !isRequired || kept.includes(name) || (draft.settings[name] ?? '').trim() !== '',
  );
  const usualName = draft.kind === 'webPush' ? t('alarmChannels.thisBrowser') : channelName(t, draft.kind);
  const store = (settings: Readonly<Record<string, string>>): void => {
    const { kind, isEnabled } = draft;
    const name = draft.name.trim() || usualName;
    const place = channel === null ? {} : { channelId: channel.channelId, version: channel.version };
    saveChannel.mutate({ ...place, kind, name, isEnabled, settings: { ...settings } }, { onSuccess: onClose });
  };
  const save = (): void => {
    setProblem(null);
    if (draft.kind !== 'webPush' || channel?.kind === 'webPush') return store(written(draft.settings));
    subscribeBrowser(vapidPublicKey).then(store, (failure: unknown) =>
      setProblem(failure instanceof SubscribeError ? failure.problem : 'refused'),
    );
  };
  return (
    <Inspector
      title={t(channel === null ? 'alarmChannels.new' : 'alarmChannels.edit')}
      closeLabel={t('common.close')}
      onClose={() => leave(onClose)}
      isFocused
      footer={
        <div className={style.buttons}>
          <Button look="primary" isBusy={saveChannel.isPending} disabled={!isWhole} onClick={save}>
            {draft.kind === 'webPush' && channel === null ? t('alarmChannels.subscribe') : t('alarmRules.save')}
          </Button>
          <Button onClick={() => leave(onClose)}>{t('alarmRules.cancel')}</Button>
        </div>
      }
    >
      <div className={style.form}>
        <Failures failure={saveChannel.error} problem={problem} />
        {channel === null && (
          <SelectField
            label={t('alarmChannels.kind')}
            value={draft.kind}
            options={ALARM_CHANNEL_KINDS.map((kind) => ({ value: kind, label: channelName(t, kind) }))}
            onValue={(kind) => setDraft({ ...draft, kind: kind as AlarmChannelKind, settings: {} })}
          />
        )}
        <KindWarnings kind={draft.kind} isNew={channel === null} hasMail={hasMail} />
        <TextField
          label={t('alarmRules.name')}
          placeholder={usualName}
          value={draft.name}
          maxLength={64}
          autoComplete="off"
          onValue={(name) => setDraft({ ...draft, name })}
        />
        {fields.map((one) => (
          <SettingField
            key={`${draft.kind} ${one.name}`}
            field={one}
            kind={draft.kind}
            value={draft.settings[one.name] ?? ''}
            isKept={kept.includes(one.name)}
            onValue={(value) => setDraft({ ...draft, settings: { ...draft.settings, [one.name]: value } })}
          />
        ))}
        {channel !== null && <MailConsents channel={channel} hasMail={hasMail} isWhole />}
        <SwitchField
          label={t('alarmRules.isEnabled', { name: draft.name.trim() || usualName })}
          isOn={draft.isEnabled}
          onToggle={(isEnabled) => setDraft({ ...draft, isEnabled })}
        />
      </div>
    </Inspector>
  );
}

interface FailuresProps {
  readonly failure: unknown;
  readonly problem: SubscribeError['problem'] | null;
}

function Failures({ failure, problem }: FailuresProps) {
  const t = useT();
  return (
    <>
      {failure !== null && <Notice tone="error">{failureText(t, failure)}</Notice>}
      {problem !== null && (
        <Notice tone="error">
          {t(problem === 'missing' ? 'alarmChannels.subscribeMissing' : 'alarmChannels.subscribeRefused')}
        </Notice>
      )}
    </>
  );
}

interface KindWarningsProps {
  readonly kind: AlarmChannelKind;
  readonly isNew: boolean;
  readonly hasMail: boolean;
}

/** Why nothing would come by this way. */
function KindWarnings({ kind, isNew, hasMail }: KindWarningsProps) {
  const t = useT();
  return (
    <>
      {kind === 'email' && !hasMail && <Notice tone="warning">{t('alarmChannels.noMail')}</Notice>}
      {kind === 'webPush' && isNew && !canSubscribe() && (
        <Notice tone="warning">{t('alarmChannels.subscribeMissing')}</Notice>
      )}
    </>
  );
}

/** Blank fields are left out: a blank secret keeps what is kept. */
function written(settings: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value.trim() !== ''));
}

interface SettingFieldProps {
  readonly field: ChannelField;
  readonly kind: AlarmChannelKind;
  readonly value: string;
  readonly isKept: boolean;
  readonly onValue: (value: string) => void;
}

function SettingField({ field: { name, format, isSecret }, kind, value, isKept, onValue }: SettingFieldProps) {
  const t = useT();
  const label = t.find(`channelField_${name}`) ?? name;
  if (format === 'flag') {
    return <SwitchField label={label} isOn={value === '1'} onToggle={(isOn) => onValue(isOn ? '1' : '')} />;
  }
  const usual = { label, value, onValue, autoComplete: 'off', spellCheck: false } as const;
  const example = format === 'url' ? ALARM_CHANNELS[kind].example : '';
  if (isSecret && format !== 'url') {
    return (
      <PasswordField
        {...usual}
        autoComplete="new-password"
        revealLabel={t('common.showPassword')}
        hint={isKept ? t('alarmChannels.keptSecret') : undefined}
      />
    );
  }
  const hint = format === 'mails' ? t('mailConsent.lead') : undefined;
  return <TextField {...usual} hint={hint} placeholder={isKept ? t('alarmChannels.keptSecret') : example} />;
}
