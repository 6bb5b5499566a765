// Starts a stream of a camera at a CDN provider.
import type { CdnProvider } from '@vedette/contract/calls/cdn.ts';
import { CDN_PROTOCOL } from '@vedette/contract/enumerations.ts';
import { cameraOfKey } from '@vedette/rules/camera-key.ts';
import { type FormEvent, useState } from 'react';
import { failureText } from '../../../calls/failure-text.ts';
import { useCameraOptions } from '../../../features/alarm-rule/source-options.ts';
import { useT } from '../../../language/use-t.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import style from '../../../ui/layout/titled-rows.module.css';
import { useStartLive } from './cdn-live.query.ts';

const FORM = 'cdn-live';
const QUALITIES = [0, 1] as const;

/** What gives the address from which a stream is started. */
const PROTOCOL_OF = {
  push: CDN_PROTOCOL.rtmp,
  whip: CDN_PROTOCOL.whip,
  srt: CDN_PROTOCOL.srt,
  origin: CDN_PROTOCOL.own,
} as const;

interface LiveDialogProps {
  readonly providers: readonly Pick<CdnProvider, 'providerId' | 'providerName' | 'kind'>[];
  readonly onClose: () => void;
}

export function LiveDialog({ providers, onClose }: LiveDialogProps) {
  const t = useT();
  const start = useStartLive();
  const [camera, setCamera] = useState<string | null>(null);
  const [quality, setQuality] = useState<0 | 1>(0);
  const [providerId, setProvider] = useState(providers[0]?.providerId ?? null);
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const provider = providers.find((one) => one.providerId === providerId);
    if (camera === null || provider === undefined || isBusy) return;
    setFailure(null);
    setBusy(true);
    try {
      await start({
        ...cameraOfKey(camera),
        quality,
        protocol: PROTOCOL_OF[provider.kind],
        providerId: provider.providerId,
      });
      showToast('success', t('cdn.started'));
      onClose();
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('cdn.startLive')}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" form={FORM} look="primary" disabled={camera === null} isBusy={isBusy}>
            {t('cdn.start')}
          </Button>
        </>
      }
    >
      <form id={FORM} className={style.form} onSubmit={(event) => void submit(event)} noValidate>
        <SelectField
          label={t('cdn.camera')}
          isSearchable
          value={camera}
          onValue={setCamera}
          options={useCameraOptions()}
        />
        <SelectField
          label={t('cdn.stream')}
          value={String(quality)}
          onValue={(value) => setQuality(value === '1' ? 1 : 0)}
          options={QUALITIES.map((one) => ({ value: String(one), label: t(`live.quality${one}`) }))}
        />
        <SelectField
          label={t('cdn.provider')}
          value={providerId}
          onValue={setProvider}
          options={providers.map((one) => ({ value: one.providerId, label: one.providerName }))}
        />
        <Notice tone="info">{t('cdn.startWarning')}</Notice>
        {failure !== null && <Notice tone="error">{failureText(t, failure)}</Notice>}
      </form>
    </Dialog>
  );
}
