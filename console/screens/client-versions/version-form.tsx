// A version of the clients in the inspector: numbers, what is new, whom it reaches, and its package.
import { CLIENT_PLATFORMS, CLIENT_VERSION_NUMBER, type VersionInfo } from '@vedette/contract/calls/client-version.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { CLIENT_VERSION_LIMITS } from '@vedette/contract/limits.ts';
import { useState } from 'react';
import { isFailure } from '../../calls/call-failure.ts';
import { EditingInspector } from '../../features/editing/editing-inspector.tsx';
import { useT } from '../../language/use-t.ts';
import { useCaller } from '../../services/services.ts';
import { NumberField } from '../../ui/fields/number-field.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { SwitchField } from '../../ui/fields/switch-field.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import style from './client-versions-screen.module.css';
import { PackagePanel } from './package-panel.tsx';
import { useFetchVersions } from './version.query.ts';

export interface VersionFormProps {
  /** null: a new one. */
  readonly versionInfo: VersionInfo | null;
  readonly onClose: () => void;
}

type Draft = Pick<
  VersionInfo,
  | 'platform'
  | 'versionName'
  | 'externalVersion'
  | 'mustUpgradeVersion'
  | 'contentEn'
  | 'contentZh'
  | 'redirectUrl'
  | 'isPublished'
> & { readonly rolloutPercent: number | null };

const NEW: Draft = {
  platform: 'all',
  versionName: '',
  externalVersion: '',
  mustUpgradeVersion: '',
  contentEn: '',
  contentZh: '',
  redirectUrl: '',
  rolloutPercent: 100,
  isPublished: false,
};

function draftOf(versionInfo: VersionInfo | null): Draft {
  if (versionInfo === null) return NEW;
  const { platform, versionName, externalVersion, mustUpgradeVersion } = versionInfo;
  const { contentEn, contentZh, redirectUrl, rolloutPercent, isPublished } = versionInfo;
  const numbers = { externalVersion, mustUpgradeVersion, rolloutPercent, isPublished };
  return { platform, versionName, contentEn, contentZh, redirectUrl, ...numbers };
}

function isNumber(text: string): boolean {
  return CLIENT_VERSION_NUMBER.test(text);
}

function isGood({ versionName, externalVersion, mustUpgradeVersion, redirectUrl, rolloutPercent }: Draft): boolean {
  const isRollout = rolloutPercent !== null && rolloutPercent >= 0 && rolloutPercent <= 100;
  const isDemand = mustUpgradeVersion === '' || isNumber(mustUpgradeVersion);
  const isAddress = redirectUrl === '' || (redirectUrl.startsWith('https://') && URL.canParse(redirectUrl));
  return versionName.trim() !== '' && isNumber(externalVersion) && isDemand && isAddress && isRollout;
}

export function VersionForm({ versionInfo, onClose }: VersionFormProps) {
  const t = useT();
  const caller = useCaller();
  const fetchAgain = useFetchVersions();
  const [draft, setDraft] = useState(() => draftOf(versionInfo));
  const [stored, setStored] = useState(versionInfo);
  const change = (part: Partial<Draft>): void => setDraft((before) => ({ ...before, ...part }));
  const isTaken = (failure: unknown): boolean => isFailure(failure, ERROR_CODES.alreadyExists);
  async function save(): Promise<void> {
    const which = stored === null ? {} : { versionId: stored.versionId, version: stored.version };
    const { rolloutPercent, ...texts } = draft;
    const input = { ...texts, ...which, rolloutPercent: rolloutPercent ?? 0 };
    await caller.ask('version/save', input, { showError: false });
  }
  return (
    <EditingInspector
      title={stored === null ? t('clientVersions.new') : `${stored.versionName} ${stored.externalVersion}`}
      canSave={isGood(draft)}
      save={save}
      savedText={t('clientVersions.saved', { version: draft.externalVersion })}
      isToldAtField={isTaken}
      fetchAgain={fetchAgain}
      onClose={onClose}
      deletion={
        stored && {
          label: t('clientVersions.delete'),
          title: t('clientVersions.deleteTitle', { version: stored.externalVersion }),
          detail: t('clientVersions.deleteDetail'),
          run: () => caller.ask('version/delete', { versionId: stored.versionId }, { showError: false }),
        }
      }
    >
      {(failure) => (
        <div className={style.form}>
          <Numbers draft={draft} onDraft={change} isTaken={isTaken(failure)} />
          <News draft={draft} onDraft={change} />
          <Reach draft={draft} onDraft={change} />
          {stored === null ? (
            <p className={style.hint}>{t('clientVersions.packageLater')}</p>
          ) : (
            <PackagePanel
              versionInfo={stored}
              onStored={(next) => {
                setStored(next);
                void fetchAgain();
              }}
            />
          )}
        </div>
      )}
    </EditingInspector>
  );
}

interface PartProps {
  readonly draft: Draft;
  readonly onDraft: (part: Partial<Draft>) => void;
}

function Numbers({ draft, onDraft, isTaken }: PartProps & { readonly isTaken: boolean }) {
  const t = useT();
  const wrong = (text: string): string | null =>
    text === '' || isNumber(text) ? null : t('clientVersions.numberFormat');
  return (
    <>
      <SelectField
        label={t('clientVersions.platform')}
        value={draft.platform}
        onValue={(value) => onDraft({ platform: CLIENT_PLATFORMS.find((one) => one === value) ?? 'all' })}
        options={CLIENT_PLATFORMS.map((value) => ({ value, label: t(`clientVersions.on.${value}`) }))}
      />
      <TextField
        label={t('clientVersions.name')}
        value={draft.versionName}
        onValue={(versionName) => onDraft({ versionName })}
        maxLength={64}
      />
      <TextField
        label={t('clientVersions.number')}
        hint={t('clientVersions.numberHint')}
        value={draft.externalVersion}
        onValue={(externalVersion) => onDraft({ externalVersion })}
        maxLength={39}
        error={isTaken ? t('clientVersions.numberTaken') : wrong(draft.externalVersion)}
      />
      <TextField
        label={t('clientVersions.mustUpgrade')}
        hint={t('clientVersions.mustUpgradeHint')}
        value={draft.mustUpgradeVersion}
        onValue={(mustUpgradeVersion) => onDraft({ mustUpgradeVersion })}
        maxLength={39}
        error={wrong(draft.mustUpgradeVersion)}
      />
    </>
  );
}

function News({ draft, onDraft }: PartProps) {
  const t = useT();
  return (
    <>
      <TextArea
        label={t('clientVersions.contentEn')}
        value={draft.contentEn}
        onValue={(contentEn) => onDraft({ contentEn })}
        maxLength={CLIENT_VERSION_LIMITS.contentLength}
      />
      <TextArea
        label={t('clientVersions.contentZh')}
        value={draft.contentZh}
        onValue={(contentZh) => onDraft({ contentZh })}
        maxLength={CLIENT_VERSION_LIMITS.contentLength}
      />
      <TextField
        label={t('clientVersions.redirect')}
        hint={t('clientVersions.redirectHint')}
        value={draft.redirectUrl}
        onValue={(redirectUrl) => onDraft({ redirectUrl })}
        maxLength={CLIENT_VERSION_LIMITS.urlLength}
        spellCheck={false}
        placeholder="https://"
      />
    </>
  );
}

function Reach({ draft, onDraft }: PartProps) {
  const t = useT();
  return (
    <>
      <NumberField
        label={t('clientVersions.rollout')}
        hint={t('clientVersions.rolloutHint')}
        value={draft.rolloutPercent}
        onValue={(rolloutPercent) => onDraft({ rolloutPercent })}
        min={0}
        max={100}
        unit="%"
      />
      <SwitchField
        label={t('clientVersions.published')}
        isOn={draft.isPublished}
        onToggle={(isPublished) => onDraft({ isPublished })}
      />
    </>
  );
}
