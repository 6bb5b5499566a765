// Uploads firmware packages: up to six files at once, each with its model and version.
import { IconX } from '@tabler/icons-react';
import { UPLOAD_LIMITS } from '@vedette/contract/limits.ts';
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { UploadFailure } from '../../calls/post-form.ts';
import { sizeText } from '../../language/size-text.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { UsageBar } from '../../ui/feedback/usage-bar.tsx';
import { DropFile } from '../../ui/fields/drop-file.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { type UploadEntry, useUploads } from '../upload/use-uploads.ts';
import style from './firmware.module.css';
import { useFirmwareActions } from './firmware.query.ts';

const ACCEPT = '.bin,.dav,.zip,.img,.fw,.pkg,.pak,.digicap';
const ACTION = '/upload/firmware';

interface PackageFacts {
  readonly deviceModel: string;
  readonly version: string;
}

const NO_FACTS: PackageFacts = { deviceModel: '', version: '' };

function isWhole({ deviceModel, version }: PackageFacts): boolean {
  return deviceModel.trim() !== '' && version.trim() !== '';
}

export function PackageUpload() {
  const t = useT();
  const { refresh } = useFirmwareActions();
  const [facts, setFacts] = useState<Readonly<Record<number, PackageFacts>>>({});
  const [problems, setProblems] = useState<readonly string[]>([]);
  const uploads = useUploads({
    action: ACTION,
    limit: UPLOAD_LIMITS.batch,
    isMultiple: true,
    accept: ACCEPT,
    onExceed: () => setProblems([t('firmware.tooMany', { limit: UPLOAD_LIMITS.batch })]),
    onError: (failure, { name }) => setProblems((before) => [...before, `${name}: ${uploadText(t, failure)}`]),
    // The list of packages below has it from now on.
    onSuccess: ({ uid }) => {
      uploads.remove(uid);
      void refresh();
    },
  });
  const { entries } = uploads;
  const factsOf = ({ uid }: UploadEntry) => facts[uid] ?? NO_FACTS;
  const waiting = entries.filter(({ status }) => status === 'ready');
  const submit = (): void => {
    setProblems([]);
    for (const entry of waiting) {
      const { deviceModel, version } = factsOf(entry);
      void uploads.send(entry.uid, { deviceModel: deviceModel.trim(), version: version.trim() });
    }
  };
  return (
    <div className={style.form}>
      <DropFile
        label={t('firmware.drop')}
        chooseLabel={t('firmware.choose')}
        hint={t('firmware.hint', { size: sizeText(t, UPLOAD_LIMITS.bytes), limit: UPLOAD_LIMITS.batch })}
        accept={ACCEPT}
        held={null}
        isMultiple
        onFiles={(files) => {
          setProblems([]);
          uploads.offer(files, false);
        }}
        onRefused={() => setProblems([t('firmware.wrongKind')])}
      />
      {entries.length > 0 && (
        <ul className={style.uploads}>
          {entries.map((entry) => (
            <UploadRow
              key={entry.uid}
              entry={entry}
              facts={factsOf(entry)}
              onFacts={(part) => setFacts({ ...facts, [entry.uid]: { ...factsOf(entry), ...part } })}
              onRemove={() => uploads.remove(entry.uid)}
            />
          ))}
        </ul>
      )}
      {entries.length > 0 && (
        <div className={style.send}>
          <Button
            look="primary"
            disabled={waiting.length === 0 || !waiting.every((entry) => isWhole(factsOf(entry)))}
            isBusy={entries.some(({ status }) => status === 'uploading')}
            onClick={submit}
          >
            {t('firmware.upload')}
          </Button>
        </div>
      )}
      {problems.length > 0 && (
        <Notice tone="error">
          {problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </Notice>
      )}
    </div>
  );
}

interface UploadRowProps {
  readonly entry: UploadEntry;
  readonly facts: PackageFacts;
  readonly onFacts: (part: Partial<PackageFacts>) => void;
  readonly onRemove: () => void;
}

function UploadRow({ entry, facts, onFacts, onRemove }: UploadRowProps) {
  const t = useT();
  const { name, size, url, status, percentage } = entry;
  const isUploading = status === 'uploading';
  return (
    <li className={style.upload} aria-label={name}>
      <div className={style.words}>
        <a className={style.name} href={url} download={name} title={name}>
          {name}
        </a>
        {isUploading ? (
          <UsageBar label={`${t('firmware.uploading')} ${name}`} share={percentage / 100} tone="normal" />
        ) : (
          <span className={style.dim}>{sizeText(t, size)}</span>
        )}
      </div>
      <TextField
        label={t('firmware.model')}
        value={facts.deviceModel}
        maxLength={64}
        spellCheck={false}
        disabled={isUploading}
        onValue={(deviceModel) => onFacts({ deviceModel })}
      />
      <TextField
        label={t('firmware.version')}
        value={facts.version}
        maxLength={64}
        spellCheck={false}
        disabled={isUploading}
        onValue={(version) => onFacts({ version })}
      />
      <IconButton label={t('firmware.remove', { name })} size="small" disabled={isUploading} onClick={onRemove}>
        <IconX size={15} stroke={1.7} />
      </IconButton>
    </li>
  );
}

/** The server's code says it in the language of the screen, where it gave one. */
function uploadText(t: ReturnType<typeof useT>, failure: unknown): string {
  if (!(failure instanceof UploadFailure)) return failureText(t, failure);
  const { response } = failure;
  const code = typeof response === 'object' && response !== null && 'code' in response ? Number(response.code) : null;
  return (code === null ? undefined : t.find(`errCode_${code}`)) ?? failure.message;
}
