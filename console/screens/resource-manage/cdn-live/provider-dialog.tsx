// A CDN provider: a delivery network with its addresses and how it signs them, or our own origin.
import type { CdnProvider } from '@vedette/contract/calls/cdn.ts';
import { CDN_PROVIDER_KINDS, type CdnProviderKind, type CdnSigning } from '@vedette/contract/enumerations.ts';
import { CDN_LIMITS } from '@vedette/contract/limits.ts';
import { SRT_PASSPHRASE } from '@vedette/rules/cdn/srt-address.ts';
import { type FormEvent, useState } from 'react';
import { failureText } from '../../../calls/failure-text.ts';
import { useT } from '../../../language/use-t.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { NumberField } from '../../../ui/fields/number-field.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import style from '../../../ui/layout/titled-rows.module.css';
import { useCdnChange } from './cdn-live.query.ts';
import { signingPhrase } from './signing-phrase.ts';

const FORM = 'cdn-provider';
/** In address templates. */
const STREAM_PLACE = '{stream}';
const USUAL_MINUTES = 1440;

type Draft = Pick<
  CdnProvider,
  'providerName' | 'kind' | 'publishAddress' | 'rtmpAddress' | 'hlsAddress' | 'flvAddress' | 'baseAddress' | 'signing'
> & { readonly validMinutes: number | null; readonly signingKey: string };

const NEW: Draft = {
  providerName: '',
  kind: 'push',
  publishAddress: 'rtmp://',
  rtmpAddress: '',
  hlsAddress: '',
  flvAddress: '',
  baseAddress: '',
  signing: 'none',
  validMinutes: USUAL_MINUTES,
  signingKey: '',
};

function draftOf(provider: CdnProvider | null): Draft {
  if (provider === null) return NEW;
  const { providerName, kind, publishAddress, rtmpAddress, hlsAddress, flvAddress, baseAddress } = provider;
  const addresses = { publishAddress, rtmpAddress, hlsAddress, flvAddress, baseAddress };
  const { signing, validMinutes } = provider;
  return { providerName, kind, ...addresses, signing, validMinutes, signingKey: '' };
}

interface PushedKind {
  /** With which a new address begins. */
  readonly start: string;
  readonly signings: readonly CdnSigning[];
}

const PUSHED: Readonly<Record<Exclude<CdnProviderKind, 'origin'>, PushedKind>> = {
  push: { start: 'rtmp://', signings: ['none', 'aliyun', 'tencent', 'nginx'] },
  whip: { start: 'https://', signings: ['none', 'bearer'] },
  srt: { start: 'srt://', signings: ['none', 'passphrase'] },
};

/** What belongs to the kind that was chosen: the other fields are not shown. */
function inputOf({ signingKey, ...draft }: Draft) {
  const { providerName, kind, baseAddress } = draft;
  if (kind === 'origin') return { providerName, kind, baseAddress };
  return { ...draft, baseAddress: '', ...(signingKey !== '' && { signingKey }) };
}

interface ProviderDialogProps {
  readonly provider: CdnProvider | null;
  readonly onClose: () => void;
}

export function ProviderDialog({ provider, onClose }: ProviderDialogProps) {
  const t = useT();
  const change = useCdnChange();
  const [draft, setDraft] = useState(() => draftOf(provider));
  const [failure, setFailure] = useState<unknown>(null);
  const fields = { draft, onDraft: (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part })) };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const { validMinutes } = draft;
    if (validMinutes === null) return;
    setFailure(null);
    try {
      const known = provider === null ? {} : { providerId: provider.providerId, version: provider.version };
      await change('cdn/provider/save', { ...inputOf(draft), ...known, validMinutes });
      showToast('success', t('cdn.saved'));
      onClose();
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t(provider === null ? 'cdn.addProvider' : 'cdn.editProvider')}
      closeLabel={t('common.close')}
      width={520}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" form={FORM} look="primary" disabled={draft.validMinutes === null}>
            {t('common.save')}
          </Button>
        </>
      }
    >
      <form id={FORM} className={style.form} onSubmit={(event) => void submit(event)} noValidate>
        <KindFields {...fields} isKnown={provider !== null} />
        {draft.kind === 'origin' ? (
          <OriginFields {...fields} />
        ) : (
          <>
            <AddressFields {...fields} kind={draft.kind} />
            <SigningFields {...fields} kind={draft.kind} isKnown={provider !== null && provider.signing !== 'none'} />
          </>
        )}
        {failure !== null && <Notice tone="error">{failureText(t, failure)}</Notice>}
      </form>
    </Dialog>
  );
}

interface FieldsProps {
  readonly draft: Draft;
  readonly onDraft: (part: Partial<Draft>) => void;
}

/** What was entered for another kind fits none of its own. */
function begun(kind: CdnProviderKind): Partial<Draft> {
  return { kind, publishAddress: kind === 'origin' ? '' : PUSHED[kind].start, signing: 'none', signingKey: '' };
}

/** The kind of a known one stays. */
function KindFields({ draft, onDraft, isKnown }: FieldsProps & { readonly isKnown: boolean }) {
  const t = useT();
  return (
    <>
      <TextField
        label={t('cdn.name')}
        maxLength={64}
        value={draft.providerName}
        onValue={(providerName) => onDraft({ providerName })}
        autoComplete="off"
        spellCheck={false}
      />
      {!isKnown && (
        <SelectField
          label={t('cdn.kind')}
          value={draft.kind}
          onValue={(kind) => onDraft(begun(kind as CdnProviderKind))}
          options={CDN_PROVIDER_KINDS.map((one) => ({ value: one, label: t(`cdn.kind.${one}`) }))}
        />
      )}
    </>
  );
}

function OriginFields({ draft, onDraft }: FieldsProps) {
  const t = useT();
  return (
    <>
      <TextField
        label={t('cdn.baseAddress')}
        hint={t('cdn.baseAddressHint')}
        autoComplete="off"
        spellCheck={false}
        value={draft.baseAddress}
        onValue={(baseAddress) => onDraft({ baseAddress })}
      />
      <NumberField
        label={t('cdn.playValid')}
        unit={t('cdn.minutes')}
        value={draft.validMinutes}
        onValue={(validMinutes) => onDraft({ validMinutes })}
        min={1}
        max={CDN_LIMITS.validMinutes}
      />
    </>
  );
}

interface PushedFieldsProps extends FieldsProps {
  readonly kind: Exclude<CdnProviderKind, 'origin'>;
}

function AddressFields({ draft, onDraft, kind }: PushedFieldsProps) {
  const t = useT();
  const text = (name: 'publishAddress' | 'rtmpAddress' | 'hlsAddress' | 'flvAddress') => ({
    value: draft[name],
    onValue: (value: string) => onDraft({ [name]: value }),
    autoComplete: 'off',
    spellCheck: false,
  });
  return (
    <>
      <TextField
        label={t('cdn.publishAddress')}
        hint={t(`cdn.publishAddressHint.${kind}`, { place: STREAM_PLACE })}
        {...text('publishAddress')}
      />
      <TextField
        label={t('cdn.rtmpAddress')}
        hint={t('cdn.playAddressHint', { place: STREAM_PLACE })}
        {...text('rtmpAddress')}
      />
      <TextField label={t('cdn.hlsAddress')} {...text('hlsAddress')} />
      <TextField label={t('cdn.flvAddress')} {...text('flvAddress')} />
    </>
  );
}

function SigningFields({ draft, onDraft, kind, isKnown }: PushedFieldsProps & { readonly isKnown: boolean }) {
  const t = useT();
  return (
    <>
      <SelectField
        label={t(kind === 'push' ? 'cdn.signing' : 'cdn.access')}
        value={draft.signing}
        onValue={(signing) => onDraft({ signing: signing as CdnSigning })}
        options={PUSHED[kind].signings.map((one) => ({ value: one, label: t(signingPhrase(kind, one)) }))}
      />
      {draft.signing !== 'none' && (
        <>
          <TextField
            label={t(`cdn.key.${kind}`)}
            type="password"
            autoComplete="new-password"
            hint={isKnown ? t('cdn.keyKept') : kind === 'srt' ? t('cdn.passphraseHint', SRT_PASSPHRASE) : undefined}
            value={draft.signingKey}
            onValue={(signingKey) => onDraft({ signingKey })}
          />
          {kind === 'push' && (
            <NumberField
              label={t('cdn.valid')}
              unit={t('cdn.minutes')}
              value={draft.validMinutes}
              onValue={(validMinutes) => onDraft({ validMinutes })}
              min={1}
              max={CDN_LIMITS.validMinutes}
            />
          )}
        </>
      )}
    </>
  );
}
