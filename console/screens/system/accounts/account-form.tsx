// The form around the settings of accounts of one section: loaded, edited and saved with the version that was seen.
import type { AccountConfig, AccountSecret } from '@vedette/contract/calls/account-settings.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { failureText } from '../../../calls/failure-text.ts';
import { useUnsaved } from '../../../features/unsaved/use-unsaved.ts';
import { useT } from '../../../language/use-t.ts';
import { useCaller } from '../../../services/services.ts';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { SaveBar } from '../settings/save-bar.tsx';
import { SectionPage, SectionState } from '../settings/section-page.tsx';
import {
  type AccountDraft,
  type AccountPartProps,
  type AccountSettings,
  badFields,
  draftOf,
  inputOf,
  isChanged,
} from './account-draft.ts';

const KEY = ['system/account/get'];
const IDLE = { isTried: false, isBusy: false, failure: null as unknown };

export interface AccountFormParts extends AccountPartProps {
  readonly hasChanges: boolean;
}

type DrawParts = (parts: AccountFormParts) => ReactNode;

export function AccountForm({ children }: { readonly children: DrawParts }) {
  const caller = useCaller();
  const { data, isPending, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => caller.ask('system/account/get', {}, { signal, showError: false }),
  });
  if (data !== undefined) return <Form settings={data} draw={children} />;
  return <SectionState isPending={isPending} error={error} onRetry={() => void refetch()} />;
}

function Form({ settings, draw }: { readonly settings: AccountSettings; readonly draw: DrawParts }) {
  const t = useT();
  const { draft, bad, state, hasChanges, onConfig, onSecret, save, discard } = useEdit(settings);
  useUnsaved(hasChanges);
  const isBad = state.isTried && bad.size > 0;
  return (
    <>
      <SectionPage>
        {draw({ settings, draft, bad, isTried: state.isTried, onConfig, onSecret, hasChanges })}
      </SectionPage>
      {hasChanges && (
        <SaveBar
          failure={state.failure !== null ? failureText(t, state.failure) : isBad ? t('accounts.bad') : null}
          isBusy={state.isBusy}
          canSave
          onSave={() => void save()}
          onDiscard={discard}
        />
      )}
    </>
  );
}

function useEdit(settings: AccountSettings) {
  const t = useT();
  const caller = useCaller();
  const client = useQueryClient();
  const [edited, setEdited] = useState<AccountDraft | null>(null);
  const [state, setState] = useState(IDLE);
  const draft = edited ?? draftOf(settings);
  const bad = badFields(draft);
  return {
    draft,
    bad,
    state,
    hasChanges: isChanged(draft, settings),
    onConfig: (part: Partial<AccountConfig>): void => setEdited({ ...draft, config: { ...draft.config, ...part } }),
    onSecret: (name: AccountSecret, text: string): void =>
      setEdited({ ...draft, secrets: { ...draft.secrets, [name]: text } }),
    discard: (): void => {
      setEdited(null);
      setState(IDLE);
    },
    save: async (): Promise<void> => {
      setState({ isTried: true, isBusy: bad.size === 0, failure: null });
      if (bad.size > 0) return;
      try {
        const input = inputOf(draft, settings.version);
        client.setQueryData(KEY, await caller.ask('system/account/set', input, { showError: false }));
        setEdited(null);
        setState(IDLE);
        showToast('success', t('accounts.saved'));
        await client.invalidateQueries({ queryKey: ['server/version'] });
      } catch (failure) {
        setState({ ...IDLE, failure });
        await client.invalidateQueries({ queryKey: KEY });
      }
    },
  };
}
