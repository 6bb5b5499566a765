// The parts of System about accounts: mail, text messages, sign-up, notices; edited and saved together, with a test message.
import type { AccountConfig, AccountSecret } from '@vedette/contract/calls/account-settings.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { InvitationList } from '../../features/invitation/invitation-list.tsx';
import { useUnsaved } from '../../features/unsaved/use-unsaved.ts';
import { useT } from '../../language/use-t.ts';
import { useCaller } from '../../services/services.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SettingsSection } from '../../ui/layout/settings-section.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import {
  type AccountDraft,
  type AccountPartProps,
  type AccountSettings,
  badFields,
  draftOf,
  inputOf,
  isChanged,
} from './account-draft.ts';
import { MailPart } from './mail-part.tsx';
import { NoticePart } from './notice-part.tsx';
import { SignUpPart } from './sign-up-part.tsx';
import style from './account-parts.module.css';

const KEY = ['system/account/get'];

export function AccountParts() {
  const t = useT();
  const caller = useCaller();
  const { data, error } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => caller.ask('system/account/get', {}, { signal, showError: false }),
  });
  if (error !== null) return <Notice tone="error">{failureText(t, error)}</Notice>;
  return data === undefined ? null : <Parts settings={data} />;
}

function Parts({ settings }: { readonly settings: AccountSettings }) {
  const t = useT();
  const caller = useCaller();
  const client = useQueryClient();
  const [edited, setEdited] = useState<AccountDraft | null>(null);
  const [state, setState] = useState({ isTried: false, isBusy: false, failure: null as unknown });
  const draft = edited ?? draftOf(settings);
  const bad = badFields(draft);
  const onConfig = (part: Partial<AccountConfig>): void =>
    setEdited({ ...draft, config: { ...draft.config, ...part } });
  const onSecret = (name: AccountSecret, text: string): void =>
    setEdited({ ...draft, secrets: { ...draft.secrets, [name]: text } });
  const save = async (): Promise<void> => {
    setState({ isTried: true, isBusy: bad.size === 0, failure: null });
    if (bad.size > 0) return;
    try {
      const input = inputOf(draft, settings.version);
      client.setQueryData(KEY, await caller.ask('system/account/set', input, { showError: false }));
      setEdited(null);
      setState({ isTried: false, isBusy: false, failure: null });
      showToast('success', t('accounts.saved'));
      await client.invalidateQueries({ queryKey: ['server/version'] });
    } catch (failure) {
      setState({ isTried: false, isBusy: false, failure });
      await client.invalidateQueries({ queryKey: KEY });
    }
  };
  const hasChanges = isChanged(draft, settings);
  useUnsaved(hasChanges);
  const parts: AccountPartProps = { settings, draft, bad, isTried: state.isTried, onConfig, onSecret };
  const said = state.failure !== null ? failureText(t, state.failure) : t('accounts.bad');
  return (
    <>
      <MailPart {...parts} hasChanges={hasChanges} />
      <SignUpPart {...parts} />
      <NoticePart {...parts} />
      <div className={style.save}>
        {(state.failure !== null || (state.isTried && bad.size > 0)) && <Notice tone="error">{said}</Notice>}
        {hasChanges && (
          <div className={style.actions}>
            <Button look="quiet" onClick={() => setEdited(null)}>
              {t('system.discard')}
            </Button>
            <Button look="primary" isBusy={state.isBusy} onClick={() => void save()}>
              {t('system.save')}
            </Button>
          </div>
        )}
      </div>
      <SettingsSection title={t('invitation.listTitle')} lead={t('invitation.listLead')}>
        <InvitationList />
      </SettingsSection>
    </>
  );
}
