// Firmware packages: one is uploaded with its model and version, and what is there can be removed.
import { IconTrash } from '@tabler/icons-react';
import { UPLOAD_LIMITS } from '@vedette/contract/limits.ts';
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { UploadFailure } from '../../calls/post-form.ts';
import { sizeText } from '../../language/size-text.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { DropFile } from '../../ui/fields/drop-file.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { UsageBar } from '../../ui/feedback/usage-bar.tsx';
import { useUploads } from '../upload/use-uploads.ts';
import style from './firmware.module.css';
import { useFirmwareActions, usePackages } from './firmware.query.ts';

const ACCEPT = '.bin,.dav,.zip,.img,.fw,.pkg,.pak,.digicap';
const ACTION = '/upload/firmware';

export function PackagePanel({ isOpen }: { readonly isOpen: boolean }) {
  const t = useT();
  const { data: packages = [] } = usePackages(isOpen);
  const { removePackage } = useFirmwareActions();
  return (
    <>
      <UploadForm />
      {packages.length > 0 && (
        <ul className={style.list}>
          {packages.map(({ packageId, deviceModel, version, fileName, bytes }) => (
            <li key={packageId} className={style.package}>
              <div className={style.words}>
                <span className={style.name}>
                  {deviceModel} {version}
                </span>
                <span className={style.dim}>{`${fileName} · ${sizeText(t, bytes)}`}</span>
              </div>
              <IconButton
                label={t('firmware.remove', { name: `${deviceModel} ${version}` })}
                size="small"
                onClick={() => void removePackage(packageId).catch(() => undefined)}
              >
                <IconTrash size={15} stroke={1.7} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function UploadForm() {
  const t = useT();
  const { refresh } = useFirmwareActions();
  const [model, setModel] = useState('');
  const [version, setVersion] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const uploads = useUploads({
    action: ACTION,
    limit: UPLOAD_LIMITS.batch,
    isMultiple: false,
    accept: ACCEPT,
    onExceed: () => setProblem(t('firmware.tooMany')),
    onError: (failure) => setProblem(uploadText(t, failure)),
    onSuccess: () => {
      setModel('');
      setVersion('');
      uploads.clear();
      void refresh();
    },
  });
  const [entry] = uploads.entries;
  const isUploading = entry?.status === 'uploading';
  const canSend = entry?.status === 'ready' && model.trim() !== '' && version.trim() !== '';
  const submit = (): void => {
    setProblem(null);
    if (entry !== undefined) void uploads.send(entry.uid, { deviceModel: model.trim(), version: version.trim() });
  };
  return (
    <div className={style.form}>
      <DropFile
        label={t('firmware.drop')}
        chooseLabel={t('firmware.choose')}
        hint={t('firmware.hint', { size: sizeText(t, UPLOAD_LIMITS.bytes) })}
        accept={ACCEPT}
        held={entry?.name ?? null}
        isBusy={isUploading}
        onFile={(file) => {
          setProblem(null);
          uploads.offer([file], false);
        }}
        onRefused={() => setProblem(t('firmware.wrongKind'))}
      />
      <div className={style.pair}>
        <TextField label={t('firmware.model')} value={model} maxLength={64} spellCheck={false} onValue={setModel} />
        <TextField
          label={t('firmware.version')}
          value={version}
          maxLength={64}
          spellCheck={false}
          onValue={setVersion}
        />
        <Button look="primary" disabled={!canSend} isBusy={isUploading} onClick={submit}>
          {t('firmware.upload')}
        </Button>
      </div>
      {isUploading && <UsageBar label={t('firmware.uploading')} share={(entry?.percentage ?? 0) / 100} tone="normal" />}
      {problem !== null && <Notice tone="error">{problem}</Notice>}
    </div>
  );
}

/** The server's code says it in the language of the screen, where it gave one. */
function uploadText(t: ReturnType<typeof useT>, failure: unknown): string {
  if (!(failure instanceof UploadFailure)) return failureText(t, failure);
  const { response } = failure;
  const code = typeof response === 'object' && response !== null && 'code' in response ? Number(response.code) : null;
  return (code === null ? undefined : t.find(`errCode_${code}`)) ?? failure.message;
}
