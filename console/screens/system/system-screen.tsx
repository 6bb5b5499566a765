// The operator's System screen: storage, camera networks, addresses, certificate; saved with the version that was seen.
import type { SystemConfig } from '@vedette/contract/calls/system.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { useState } from 'react';
import { isFailure } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useUnsaved } from '../../features/unsaved/use-unsaved.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { AccountParts } from './account-parts.tsx';
import { AlarmPart } from './alarm-part.tsx';
import { AddressPart, CertificatePart } from './access-part.tsx';
import { NetworkPart } from './network-part.tsx';
import {
  configOf,
  draftOf,
  isChanged,
  exceededBudget,
  isDraftGood,
  isStorageChanged,
  type SettingsDraft,
} from './settings-draft.ts';
import { SharingPart } from './sharing-part.tsx';
import { SitesPart } from './sites-part.tsx';
import { StoragePart } from './storage-part.tsx';
import { folderRefusal } from './storage-reason.ts';
import {
  type SystemSettings,
  useSaveSettings,
  useSystemHealth,
  useSystemSettings,
} from '../../features/system/system.query.ts';
import style from './system-screen.module.css';

/** The edit names the settings it started from: what comes from the server later does not change it under the hand. */
interface Edit {
  readonly seen: SystemConfig;
  readonly version: number;
  readonly draft: SettingsDraft;
}
interface Saving {
  readonly isBusy: boolean;
  readonly failure: unknown;
}

function useEdit(settings: SystemSettings) {
  const t = useT();
  const save = useSaveSettings();
  const [edit, setEdit] = useState<Edit | null>(null);
  const [saving, setSaving] = useState<Saving>({ isBusy: false, failure: null });
  const { config, version } = settings;
  const now: Edit = edit ?? { seen: config, version, draft: draftOf(config) };
  return {
    draft: now.draft,
    saving,
    hasChanges: isChanged(now.draft, now.seen),
    change: (part: Partial<SettingsDraft>) => {
      setEdit({ ...now, draft: { ...now.draft, ...part } });
      if (saving.failure !== null) setSaving({ isBusy: false, failure: null });
    },
    discard: () => {
      setEdit(null);
      setSaving({ isBusy: false, failure: null });
    },
    submit: async (): Promise<void> => {
      setSaving({ isBusy: true, failure: null });
      try {
        await save(configOf(now.draft, now.seen), now.version);
        setEdit(null);
        setSaving({ isBusy: false, failure: null });
        showToast('success', t('system.saved'));
      } catch (failure) {
        // A stale edit gives way to the newer settings.
        if (isFailure(failure, ERROR_CODES.stale)) setEdit(null);
        setSaving({ isBusy: false, failure });
      }
    },
  };
}

function Settings({ settings }: { readonly settings: SystemSettings }) {
  const t = useT();
  const { draft, saving, hasChanges, change, discard, submit } = useEdit(settings);
  const storage = useSystemHealth().data?.storage ?? null;
  const budgetMaxGb = exceededBudget(draft, storage);
  // A budget of before stays, so that everything else can be saved.
  const isTooBig = budgetMaxGb !== null && isStorageChanged(draft, settings.config);
  useUnsaved(hasChanges);
  const isStale = isFailure(saving.failure, ERROR_CODES.stale);
  return (
    <>
      <div className={style.page}>
        <div className={style.column}>
          {isStale && <Notice tone="warning">{t('system.stale')}</Notice>}
          <StoragePart
            draft={draft}
            onDraft={change}
            budgetMaxGb={budgetMaxGb}
            refusal={folderRefusal(saving.failure)}
          />
          <SitesPart />
          <NetworkPart draft={draft} onDraft={change} />
          <SharingPart draft={draft} onDraft={change} />
          <AlarmPart draft={draft} onDraft={change} />
          <AccountParts />
          <AddressPart addressList={settings.addressList} />
          <CertificatePart certificate={settings.certificate} authorityUrl={settings.authorityUrl} />
        </div>
      </div>
      {hasChanges && (
        <div className={style.saveBar} role="region" aria-label={t('system.unsaved')}>
          <span className={style.unsaved}>
            {saving.failure !== null && !isStale ? failureText(t, saving.failure) : t('system.unsaved')}
          </span>
          <Button look="quiet" onClick={discard} disabled={saving.isBusy}>
            {t('system.discard')}
          </Button>
          <Button
            look="primary"
            onClick={() => void submit()}
            isBusy={saving.isBusy}
            disabled={!isDraftGood(draft) || isTooBig}
          >
            {t('system.save')}
          </Button>
        </div>
      )}
    </>
  );
}

export function SystemScreen() {
  const t = useT();
  const { data, isPending, error, refetch } = useSystemSettings();
  return (
    <main className={style.screen}>
      <PageHeader title={t('screen.system')} fact={t('system.lead')} />
      {data !== undefined && <Settings settings={data} />}
      {isPending && (
        <div className={style.loading}>
          <SkeletonLines label={t('common.loading')} rows={12} rowHeight={36} />
        </div>
      )}
      {data === undefined && error !== null && (
        <StateView
          role="alert"
          title={t('system.error')}
          detail={failureText(t, error)}
          action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}
        />
      )}
    </main>
  );
}
