// The package of a version: what is stored, and a new one with the signature of its publisher.
import { PUBLIC_KEY, SIGNATURE, type VersionInfo } from '@vedette/contract/calls/client-version.ts';
import { CLIENT_VERSION_LIMITS } from '@vedette/contract/limits.ts';
import { useEffect, useRef, useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { sizeText } from '../../language/size-text.ts';
import { useT } from '../../language/use-t.ts';
import { useCaller } from '../../services/services.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { UsageBar } from '../../ui/feedback/usage-bar.tsx';
import { DropFile } from '../../ui/fields/drop-file.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';
import { Facts } from '../../ui/layout/facts.tsx';
import style from './client-versions-screen.module.css';
import { sendPackage } from './send-package.ts';

export interface PackagePanelProps {
  readonly versionInfo: VersionInfo;
  readonly onStored: (versionInfo: VersionInfo) => void;
}

type Progress = { readonly share: number } | null;

export function PackagePanel({ versionInfo, onStored }: PackagePanelProps) {
  const t = useT();
  const { bytes, sha256, fileName, isPublished, path } = versionInfo;
  return (
    <section className={style.package} aria-label={t('clientVersions.package')}>
      <h3>{t('clientVersions.package')}</h3>
      {path !== '' && (
        <Facts
          facts={[
            {
              name: t('clientVersions.file'),
              value: isPublished ? (
                <a href={path} download={fileName}>
                  {fileName}
                </a>
              ) : (
                fileName
              ),
            },
            { name: t('clientVersions.size'), value: sizeText(t, bytes) },
            { name: 'SHA-256', value: <code>{sha256}</code> },
          ]}
        />
      )}
      {path !== '' && isPublished ? (
        <p className={style.hint}>{t('clientVersions.packageKept')}</p>
      ) : (
        <PackageForm versionInfo={versionInfo} onStored={onStored} />
      )}
    </section>
  );
}

function PackageForm({ versionInfo: { versionId }, onStored }: PackagePanelProps) {
  const t = useT();
  const caller = useCaller();
  const [file, setFile] = useState<File | null>(null);
  const [publicKey, setPublicKey] = useState('');
  const [signature, setSignature] = useState('');
  const [progress, setProgress] = useState<Progress>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);
  const proof = { publicKey: publicKey.trim(), signature: signature.trim() };
  const isWhole = file !== null && PUBLIC_KEY.test(proof.publicKey) && SIGNATURE.test(proof.signature);
  async function send(chosen: File): Promise<void> {
    const { signal } = leaving.current;
    setFailure(null);
    setProgress({ share: 0 });
    const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
    const onProgress = (share: number): void => setProgress({ share });
    try {
      onStored(await sendPackage(caller, { versionId, file: chosen, ...proof, signal, onProgress, wait }));
      setFile(null);
      setSignature('');
    } catch (error) {
      if (!signal.aborted) setFailure(error);
    } finally {
      if (!signal.aborted) setProgress(null);
    }
  }
  return (
    <div className={style.form}>
      <DropFile
        label={t('clientVersions.drop')}
        chooseLabel={t('clientVersions.choose')}
        hint={t('clientVersions.dropHint', { size: sizeText(t, CLIENT_VERSION_LIMITS.packageBytes) })}
        accept=""
        held={file?.name ?? null}
        isBusy={progress !== null}
        onFiles={([chosen]) => setFile(chosen)}
        onRefused={() => undefined}
      />
      <TextArea
        label={t('clientVersions.publicKey')}
        hint={t('clientVersions.publicKeyHint')}
        value={publicKey}
        onValue={setPublicKey}
        maxLength={64}
        rows={2}
        isCode
      />
      <TextArea
        label={t('clientVersions.signature')}
        hint={t('clientVersions.signatureHint')}
        value={signature}
        onValue={setSignature}
        maxLength={128}
        rows={3}
        isCode
      />
      {progress !== null && <UsageBar label={t('clientVersions.uploading')} share={progress.share} tone="normal" />}
      {failure !== null && (
        <Notice tone="error">
          {isSignatureRefused(failure) ? t('clientVersions.wrongSignature') : failureText(t, failure)}
        </Notice>
      )}
      <div>
        <Button
          disabled={!isWhole}
          isBusy={progress !== null}
          onClick={() => {
            if (file !== null) void send(file);
          }}
        >
          {t('clientVersions.upload')}
        </Button>
      </div>
    </div>
  );
}

function isSignatureRefused(failure: unknown): boolean {
  const { data } = (failure ?? {}) as { data?: unknown };
  return typeof data === 'object' && data !== null && 'signature' in data;
}
