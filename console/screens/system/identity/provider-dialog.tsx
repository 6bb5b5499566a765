// An identity provider: where it is, our client there, whom it lets in, and what created accounts may do.
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import type { IdentityProvider } from '@vedette/contract/calls/identity-provider.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { CallFailure, isFailure } from '../../../calls/call-failure.ts';
import { codeText, failureText } from '../../../calls/failure-text.ts';
import { useT } from '../../../language/use-t.ts';
import { useCaller } from '../../../services/services.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { CopyButton } from '../../../ui/buttons/copy-button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { SwitchField } from '../../../ui/fields/switch-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import style from '../../../ui/layout/titled-rows.module.css';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { useIdentityChange } from './identity.query.ts';
import { MappingRows } from './mapping-rows.tsx';
import { USER_NAME_PLACE } from './directory-draft.ts';
import { DirectoryFields } from './directory-fields.tsx';
import {
  draftOf,
  inputOf,
  isIssuerGood,
  PROVIDER_KINDS,
  type ProviderDraft,
  type ProviderKind,
  testOf,
} from './provider-draft.ts';
import own from './identity.module.css';

const FORM = 'identity-provider';

type Tried = CallOutput<'identity/provider/test'>;

type State =
  | { readonly kind: 'idle' | 'busy' }
  | { readonly kind: 'tried'; readonly tried: Tried }
  | { readonly kind: 'failed'; readonly failure: unknown };

function useProviderForm(provider: IdentityProvider | null, onSaved: () => void) {
  const t = useT();
  const caller = useCaller();
  const change = useIdentityChange();
  const [draft, setDraft] = useState(() => draftOf(provider));
  const [state, setState] = useState<State>({ kind: 'idle' });
  const [userName, setUserName] = useState('');
  const input = inputOf(draft, provider);
  const question = testOf(draft, provider, userName);
  const guarded = async (work: () => Promise<State>): Promise<void> => {
    setState({ kind: 'busy' });
    try {
      setState(await work());
    } catch (failure) {
      setState({ kind: 'failed', failure });
    }
  };
  const test = () =>
    guarded(async () => {
      if (question === null) return { kind: 'idle' };
      const tried = await caller.ask('identity/provider/test', question, { showError: false });
      return { kind: 'tried', tried };
    });
  const save = () =>
    guarded(async () => {
      if (input === null) return { kind: 'idle' };
      await change('identity/provider/save', input);
      showToast('success', t('identity.saved'));
      onSaved();
      return { kind: 'idle' };
    });
  const onDraft = (part: Partial<ProviderDraft>): void => {
    setDraft((before) => ({ ...before, ...part }));
    setState({ kind: 'idle' });
  };
  const onUserName = (name: string): void => {
    setUserName(name);
    setState({ kind: 'idle' });
  };
  const can = { canSave: input !== null, canTest: question !== null };
  return { draft, onDraft, userName, onUserName, state, test, save, ...can };
}

export interface ProviderDialogProps {
  readonly provider: IdentityProvider | null;
  readonly onClose: () => void;
}

export function ProviderDialog({ provider, onClose }: ProviderDialogProps) {
  const t = useT();
  const form = useProviderForm(provider, onClose);
  const { draft, onDraft, state, test, save, canSave, canTest } = form;
  const isDirectory = draft.kind === 'ldap';
  const isBusy = state.kind === 'busy';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isBusy && canSave) void save();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={provider === null ? t('identity.add') : t('identity.edit')}
      closeLabel={t('common.close')}
      width={720}
      actions={
        <>
          <Button onClick={() => void test()} disabled={isBusy || !canTest}>
            {t('identity.test')}
          </Button>
          <Button type="submit" form={FORM} look="primary" isBusy={isBusy} disabled={!canSave}>
            {t('common.save')}
          </Button>
        </>
      }
    >
      <form id={FORM} className={style.form} onSubmit={submit} noValidate>
        {provider === null && <KindField draft={draft} onDraft={onDraft} />}
        {isDirectory ? (
          <DirectoryFields draft={draft} onDraft={onDraft} isKnown={provider?.hasSecret === true} />
        ) : (
          <>
            <ClientFields draft={draft} onDraft={onDraft} isKnown={provider?.hasSecret === true} />
            <RedirectAddress provider={provider} />
          </>
        )}
        <AdmissionFields draft={draft} onDraft={onDraft} />
        {draft.createsAccounts && (
          <MappingRows
            claimLabel={t(isDirectory ? 'directory.claim' : 'identity.claim')}
            rows={draft.mappingList}
            onRows={(mappingList) => onDraft({ mappingList })}
          />
        )}
        {isDirectory && (
          <TextField
            label={t('directory.tryUser')}
            hint={t('directory.tryUserHint')}
            maxLength={64}
            value={form.userName}
            onValue={form.onUserName}
            autoComplete="off"
            spellCheck={false}
          />
        )}
        <Outcome state={state} />
      </form>
    </Dialog>
  );
}

interface FieldsProps {
  readonly draft: ProviderDraft;
  readonly onDraft: (part: Partial<ProviderDraft>) => void;
}

/** Chosen once: users and password belong to one kind. */
function KindField({ draft, onDraft }: FieldsProps) {
  const t = useT();
  return (
    <SelectField
      label={t('identity.kind')}
      value={draft.kind}
      options={PROVIDER_KINDS.map((value) => ({ value, label: t(`identity.kind_${value}`) }))}
      onValue={(kind) => onDraft({ kind: kind as ProviderKind })}
    />
  );
}

function ClientFields({ draft, onDraft, isKnown }: FieldsProps & { readonly isKnown: boolean }) {
  const t = useT();
  const text = (name: 'providerName' | 'issuer' | 'clientId' | 'scopes') => ({
    value: draft[name],
    onValue: (value: string) => onDraft({ [name]: value }),
    autoComplete: 'off',
    spellCheck: false,
  });
  const isIssuerBad = draft.issuer.length > 'https://'.length && !isIssuerGood(draft.issuer);
  return (
    <>
      <div className={own.pair}>
        <TextField label={t('identity.name')} maxLength={64} {...text('providerName')} />
        <TextField label={t('identity.scopes')} hint={t('identity.scopesHint')} {...text('scopes')} />
      </div>
      <TextField
        label={t('identity.issuer')}
        hint={t('identity.issuerHint')}
        error={isIssuerBad ? t('identity.issuerBad') : null}
        {...text('issuer')}
      />
      <div className={own.pair}>
        <TextField label={t('identity.clientId')} {...text('clientId')} />
        <TextField
          label={t('identity.clientSecret')}
          type="password"
          autoComplete="new-password"
          hint={t(isKnown ? 'identity.secretKept' : 'identity.secretHint')}
          value={draft.clientSecret}
          onValue={(clientSecret) => onDraft({ clientSecret })}
        />
      </div>
    </>
  );
}

/** Known once the provider has its id. */
function RedirectAddress({ provider }: { readonly provider: IdentityProvider | null }) {
  const t = useT();
  return (
    <div className={own.redirect}>
      <span className={own.label}>{t('identity.redirect')}</span>
      {provider !== null && (
        <div className={style.code}>
          <code className={own.address}>{provider.redirectUrl}</code>
          <CopyButton
            text={provider.redirectUrl}
            label={t('identity.copy')}
            doneLabel={t('common.copied')}
            failedLabel={t('common.copyFailed')}
          />
        </div>
      )}
      <p className={style.hint}>{t(provider === null ? 'identity.redirectLater' : 'identity.redirectHint')}</p>
    </div>
  );
}

function AdmissionFields({ draft, onDraft }: FieldsProps) {
  const t = useT();
  return (
    <>
      <SwitchField
        label={t(draft.kind === 'ldap' ? 'directory.isEnabled' : 'identity.isEnabled')}
        isOn={draft.isEnabled}
        onToggle={(isEnabled) => onDraft({ isEnabled })}
      />
      <div>
        <SwitchField
          label={t(draft.kind === 'ldap' ? 'directory.byEmail' : 'identity.byEmail')}
          isOn={draft.linksByEmail}
          onToggle={(linksByEmail) => onDraft({ linksByEmail })}
        />
        <p className={own.switchHint}>{t(draft.kind === 'ldap' ? 'directory.byEmailHint' : 'identity.byEmailHint')}</p>
      </div>
      <div>
        <SwitchField
          label={t('identity.creates')}
          isOn={draft.createsAccounts}
          onToggle={(createsAccounts) => onDraft({ createsAccounts })}
        />
        <p className={own.switchHint}>{t('identity.createsHint')}</p>
      </div>
    </>
  );
}

/** Brought into view: the button stands below a long form. */
function Outcome({ state }: { readonly state: State }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (state.kind === 'tried' || state.kind === 'failed') place.current?.scrollIntoView({ block: 'nearest' });
  }, [state]);
  return (
    <div ref={place} className={own.outcome}>
      <OutcomeNotice state={state} />
    </div>
  );
}

function OutcomeNotice({ state }: { readonly state: State }) {
  const t = useT();
  if (state.kind === 'failed') return <Notice tone="error">{saveFailure(t, state.failure)}</Notice>;
  if (state.kind !== 'tried') return null;
  const { reason, detail, authorizationUrl, user } = state.tried;
  if (reason !== null) {
    const sentence = codeText(t, ERROR_CODES.identityFailed, '', { reason });
    return <Notice tone="error">{detail === '' ? sentence : `${sentence} (${detail})`}</Notice>;
  }
  const works = user === null ? [t('identity.works', { address: authorizationUrl })] : foundTexts(t, user);
  return (
    <Notice tone="info">
      {works.map((sentence) => (
        <div key={sentence}>{sentence}</div>
      ))}
    </Notice>
  );
}

function foundTexts(
  t: Translate,
  { name, email, groups, nestedGroups, hasMoreGroups }: NonNullable<Tried['user']>,
): string[] {
  const who = email === '' ? name : `${name}, ${email}`;
  if (groups.length === 0) return [t('directory.foundAlone', { user: who })];
  const found = [t('directory.found', { user: who, groups: groups.join(' · ') })];
  if (nestedGroups.length > 0) found.push(t('directory.foundNested', { groups: nestedGroups.join(' · ') }));
  if (hasMoreGroups) found.push(t('directory.moreGroups'));
  return found;
}

function saveFailure(t: Translate, failure: unknown): string {
  if (isFailure(failure, ERROR_CODES.alreadyExists)) return t('identity.issuerTaken');
  if (!(failure instanceof CallFailure) || failure.code !== ERROR_CODES.paramInvalid) return failureText(t, failure);
  const field = BAD_FIELDS.find((name) => Object.hasOwn(Object(failure.data), name));
  return field === undefined ? failureText(t, failure) : t(`identity.bad_${field}`, { place: USER_NAME_PLACE });
}

/** Settings that the server alone can judge. */
const BAD_FIELDS = ['clientSecret', 'hosts', 'authority', 'userFilter', 'idAttribute'] as const;
