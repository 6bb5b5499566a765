// Second step of adding a device: its first snapshot and what it is; then a name and an organisation.
import { IconVideoOff } from '@tabler/icons-react';
import type { Candidate } from '@vedette/contract/calls/device.ts';
import { DEVICE_NAME_LENGTH_MAX, deviceNameProblem } from '@vedette/rules/validation/device-fields.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { Facts } from '../../ui/layout/facts.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SelectField, type SelectOption } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import style from './add-device.module.css';

export interface Naming {
  readonly deviceName: string;
  readonly organizationId: string;
}

export interface NamingStepProps {
  readonly formId: string;
  readonly candidate: Candidate;
  readonly organizations: readonly SelectOption[];
  readonly organizationId: string;
  readonly failure: unknown;
  readonly onSubmit: (naming: Naming) => void;
}

function streamText(candidate: Candidate): string {
  return (candidate.channelList[0]?.streamList ?? [])
    .map(({ codec, width, height }) => `${codec.toUpperCase()} ${width}×${height}`)
    .join(' · ');
}

function warningText(t: Translate, word: string): string {
  return t.find(`warning.${word}`) ?? t('warning.other', { word });
}

const LivePreview = lazy(async () => ({ default: (await import('./live-preview.tsx')).LivePreview }));

function FirstPicture({ candidate }: { readonly candidate: Candidate }) {
  const t = useT();
  const [isBroken, setBroken] = useState(false);
  const { snapshotUrl, liveTicket } = candidate;
  return (
    <div className={style.picture}>
      {snapshotUrl !== null && !isBroken ? (
        <img src={snapshotUrl} alt={t('add.picture')} onError={() => setBroken(true)} />
      ) : (
        <span className={style.noPicture}>
          <IconVideoOff size={20} stroke={1.5} aria-hidden="true" />
          {t(liveTicket === null ? 'add.noPicture' : 'add.pictureWaiting')}
        </span>
      )}
      {liveTicket !== null && (
        <Suspense fallback={null}>
          <LivePreview ticket={liveTicket} label={t('add.picture')} />
        </Suspense>
      )}
    </div>
  );
}

export function NamingStep({ formId, candidate, organizations, organizationId, failure, onSubmit }: NamingStepProps) {
  const t = useT();
  const [naming, setNaming] = useState<Naming>({
    deviceName: Array.from(candidate.deviceName.replace(/[<>]/g, '')).slice(0, DEVICE_NAME_LENGTH_MAX).join(''),
    organizationId,
  });
  const problem = deviceNameProblem(naming.deviceName);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (problem === null) onSubmit(naming);
  };
  const maker = [candidate.manufacturer, candidate.deviceModel].filter(Boolean).join(' ');
  const streams = streamText(candidate);
  return (
    <form id={formId} className={style.form} onSubmit={submit} noValidate>
      <FirstPicture candidate={candidate} />
      <Facts
        facts={[
          { name: t('devices.model'), value: maker || '–' },
          { name: t('devices.driver'), value: `${candidate.driver.toUpperCase()} · ${candidate.address}` },
          { name: t('devices.channels'), value: t.plural('add.channelTotal', candidate.channelList.length) },
          ...(streams === '' ? [] : [{ name: t('add.streams'), value: streams }]),
        ]}
      />
      {candidate.warnings.map((word) => (
        <Notice key={word} tone="warning">
          {warningText(t, word)}
        </Notice>
      ))}
      <TextField
        label={t('add.name')}
        value={naming.deviceName}
        onValue={(deviceName) => setNaming({ ...naming, deviceName })}
        autoFocus
        error={problem === null ? null : t('valid.deviceName')}
      />
      <SelectField
        label={t('add.organization')}
        value={naming.organizationId}
        options={organizations}
        isSearchable={organizations.length > 8}
        nothingFound={t('common.none')}
        onValue={(id) => setNaming({ ...naming, organizationId: id })}
      />
      {failure !== null && <Notice tone="error">{failureText(t, failure)}</Notice>}
    </form>
  );
}
