// The form around the installation's settings of one section: loaded, edited, and saved with the version that was seen.
import type { SystemConfig } from '@vedette/contract/calls/system.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { type ReactNode, useState } from 'react';
import { isFailure } from '../../../calls/call-failure.ts';
import { failureText } from '../../../calls/failure-text.ts';
import {
  type SystemSettings,
  useSaveSettings,
  useSystemHealth,
  useSystemSettings,
} from '../../../features/system/system.query.ts';
import { useUnsaved } from '../../../features/unsaved/use-unsaved.ts';
import { useT } from '../../../language/use-t.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { SaveBar } from './save-bar.tsx';
import { SectionPage, SectionState } from './section-page.tsx';
import {
  configOf,
  draftOf,
  exceededBudget,
  isChanged,
  isDraftGood,
  isStorageChanged,
  type SettingsDraft,
} from './settings-draft.ts';

export interface PartProps {
  readonly draft: SettingsDraft;
  readonly onDraft: (part: Partial<SettingsDraft>) => void;
}

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

export interface SettingsFormParts extends PartProps {
  readonly settings: SystemSettings;
  /** The most that fits on the disk, in gigabytes, where the budget is larger; else null. */
  readonly budgetMaxGb: number | null;
  readonly failure: unknown;
}

type DrawParts = (parts: SettingsFormParts) => ReactNode;

export function SettingsForm({ children }: { readonly children: DrawParts }) {
  const { data, isPending, error, refetch } = useSystemSettings();
  if (data !== undefined) return <Form settings={data} draw={children} />;
  return <SectionState isPending={isPending} error={error} onRetry={() => void refetch()} />;
}

function Form({ settings, draw }: { readonly settings: SystemSettings; readonly draw: DrawParts }) {
  const t = useT();
  const { draft, saving, hasChanges, change, discard, submit } = useEdit(settings);
  const storage = useSystemHealth().data?.storage ?? null;
  const first = storage?.diskList[0] ?? storage;
  const budgetMaxGb = exceededBudget(draft, first);
  // A budget of before stays, so that everything else can be saved.
  const isTooBig = budgetMaxGb !== null && isStorageChanged(draft, settings.config);
  useUnsaved(hasChanges);
  const isStale = isFailure(saving.failure, ERROR_CODES.stale);
  return (
    <>
      <SectionPage>
        {isStale && <Notice tone="warning">{t('system.stale')}</Notice>}
        {draw({ draft, onDraft: change, settings, budgetMaxGb, failure: saving.failure })}
      </SectionPage>
      {hasChanges && (
        <SaveBar
          failure={saving.failure !== null && !isStale ? failureText(t, saving.failure) : null}
          isBusy={saving.isBusy}
          canSave={isDraftGood(draft) && !isTooBig}
          onSave={() => void submit()}
          onDiscard={discard}
        />
      )}
    </>
  );
}
