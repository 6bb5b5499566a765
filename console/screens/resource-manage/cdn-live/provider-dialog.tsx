// A CDN provider: its addresses, and how it signs them.
import type { CdnProvider } from '@vedette/contract/calls/cdn.ts';
import { CDN_SIGNINGS, type CdnSigning } from '@vedette/contract/enumerations.ts';
import { CDN_LIMITS } from '@vedette/contract/limits.ts';
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
import style from '../resource-rows.module.css';
import { useCdnChange } from './cdn-live.query.ts';

const FORM = 'cdn-provider';
/** In address templates. */
const STREAM_PLACE = '{stream}';
const USUAL_MINUTES = 1440;

type Draft = Pick<
  CdnProvider,
  'providerName' | 'publishAddress' | 'rtmpAddress' | 'hlsAddress' | 'flvAddress' | 'signing'
> & { readonly validMinutes: number | null; readonly signingKey: string };

const NEW: Draft = {
  providerName: '',
  publishAddress: 'rtmp://',
  rtmpAddress: '',
  hlsAddress: '',
  flvAddress: '',
  signing: 'none',
  validMinutes: USUAL_MINUTES,
  signingKey: '',
};

function draftOf(provider: CdnProvider | null): Draft {
  if (provider === null) return NEW;
  const { providerName, publishAddress, rtmpAddress, hlsAddress, flvAddress, signing, validMinutes } = provider;
  const addresses = { publishAddress, rtmpAddress, hlsAddress, flvAddress };
  return { providerName, ...addresses, signing, validMinutes, signingKey: '' };
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
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const { signingKey, validMinutes, ...rest } = draft;
    if (validMinutes === null) return;
    setFailure(null);
    try {
      const key = signingKey === '' ? {} : { signingKey };
      const known = provider === null ? {} : { providerId: provider.providerId, version: provider.version };
      await change('cdn/provider/save', { ...rest, ...key, ...known, validMinutes });
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
        <AddressFields draft={draft} onDraft={(part) => setDraft((before) => ({ ...before, ...part }))} />
        <SigningFields
          draft={draft}
          onDraft={(part) => setDraft((before) => ({ ...before, ...part }))}
          isKnown={provider !== null && provider.signing !== 'none'}
        />
        {failure !== null && <Notice tone="error">{failureText(t, failure)}</Notice>}
      </form>
    </Dialog>
  );
}

interface FieldsProps {
  readonly draft: Draft;
  readonly onDraft: (part: Partial<Draft>) => void;
}

function AddressFields({ draft, onDraft }: FieldsProps) {
  const t = useT();
  const text = (name: 'providerName' | 'publishAddress' | 'rtmpAddress' | 'hlsAddress' | 'flvAddress') => ({
    value: draft[name],
    onValue: (value: string) => onDraft({ [name]: value }),
    autoComplete: 'off',
    spellCheck: false,
  });
  return (
    <>
      <TextField label={t('cdn.name')} maxLength={64} {...text('providerName')} />
      <TextField
        label={t('cdn.publishAddress')}
        hint={t('cdn.publishAddressHint', { place: STREAM_PLACE })}
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

function SigningFields({ draft, onDraft, isKnown }: FieldsProps & { readonly isKnown: boolean }) {
  const t = useT();
  return (
    <>
      <SelectField
        label={t('cdn.signing')}
        value={draft.signing}
        onValue={(signing) => onDraft({ signing: signing as CdnSigning })}
        options={CDN_SIGNINGS.map((one) => ({ value: one, label: t(`cdn.signing.${one}`) }))}
      />
      {draft.signing !== 'none' && (
        <>
          <TextField
            label={t('cdn.key')}
            type="password"
            autoComplete="new-password"
            hint={isKnown ? t('cdn.keyKept') : undefined}
            value={draft.signingKey}
            onValue={(signingKey) => onDraft({ signingKey })}
          />
          <NumberField
            label={t('cdn.valid')}
            unit={t('cdn.minutes')}
            value={draft.validMinutes}
            onValue={(validMinutes) => onDraft({ validMinutes })}
            min={1}
            max={CDN_LIMITS.validMinutes}
          />
        </>
      )}
    </>
  );
}
