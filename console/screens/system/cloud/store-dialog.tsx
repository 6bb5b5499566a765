// An object store: where it is, its keys, and whether it can do what it must, which is tried before it is saved.
import type { CallInput, CallOutput } from '@vedette/contract/calls/calls.ts';
import type { ObjectStoreInfo } from '@vedette/contract/calls/cloud.ts';
import { type FormEvent, useState } from 'react';
import { failureText } from '../../../calls/failure-text.ts';
import { useT } from '../../../language/use-t.ts';
import { useCaller } from '../../../services/services.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { SwitchField } from '../../../ui/fields/switch-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import style from '../../../ui/layout/titled-rows.module.css';
import { type BucketDraft, BucketFields, NEW_BUCKET } from './bucket-fields.tsx';
import { useCloudChange } from './cloud.query.ts';

const FORM = 'object-store';

type Draft = BucketDraft & Pick<ObjectStoreInfo, 'storeName' | 'isDefault'>;

const NEW: Draft = { ...NEW_BUCKET, storeName: '', isDefault: true };

function draftOf(store: ObjectStoreInfo | null): Draft {
  if (store === null) return NEW;
  const { storeName, endpoint, region, bucket, isPathStyle, prefix, accessKey, isDefault } = store;
  return { storeName, endpoint, region, bucket, isPathStyle, prefix, accessKey, isDefault, secretKey: '' };
}

function accessOf(
  { storeName: _name, isDefault: _default, secretKey, ...place }: Draft,
  store: ObjectStoreInfo | null,
) {
  const secret = secretKey === '' ? {} : { secretKey };
  return { ...place, ...secret, ...(store && { storeId: store.storeId }) } satisfies CallInput<'cloud/store/probe'>;
}

type Probe = CallOutput<'cloud/store/probe'>;
type State =
  | { readonly kind: 'idle' | 'busy' }
  | { readonly kind: 'tried'; readonly probe: Probe }
  | { readonly kind: 'failed'; readonly failure: unknown };

/** Tries the store, and saves it where it passes. */
function useStoreForm(store: ObjectStoreInfo | null, onSaved: () => void) {
  const t = useT();
  const caller = useCaller();
  const change = useCloudChange();
  const [draft, setDraft] = useState(() => draftOf(store));
  const [state, setState] = useState<State>({ kind: 'idle' });
  async function run(isSaving: boolean): Promise<void> {
    setState({ kind: 'busy' });
    try {
      const access = accessOf(draft, store);
      const probe = await caller.ask('cloud/store/probe', access, { showError: false });
      if (!isSaving || probe.step !== null) return setState({ kind: 'tried', probe });
      const { storeName, isDefault } = draft;
      const version = store === null ? {} : { version: store.version };
      await change('cloud/store/save', { ...access, ...version, storeName, isDefault });
      showToast('success', t('cloud.storeSaved'));
      onSaved();
    } catch (failure) {
      setState({ kind: 'failed', failure });
    }
  }
  const onDraft = (part: Partial<Draft>): void => {
    setDraft((before) => ({ ...before, ...part }));
    setState({ kind: 'idle' });
  };
  return { draft, onDraft, state, run };
}

export function StoreDialog({
  store,
  onClose,
}: {
  readonly store: ObjectStoreInfo | null;
  readonly onClose: () => void;
}) {
  const t = useT();
  const { draft, onDraft, state, run } = useStoreForm(store, onClose);
  const isBusy = state.kind === 'busy';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isBusy) void run(true);
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={store === null ? t('cloud.addStore') : t('cloud.editStore')}
      closeLabel={t('common.close')}
      width={520}
      actions={
        <>
          <Button onClick={() => void run(false)} disabled={isBusy}>
            {t('cloud.try')}
          </Button>
          <Button type="submit" form={FORM} look="primary" isBusy={isBusy}>
            {t('common.save')}
          </Button>
        </>
      }
    >
      <form id={FORM} className={style.form} onSubmit={submit} noValidate>
        <StoreFields draft={draft} onDraft={onDraft} isKnown={store !== null} />
        <Outcome state={state} />
      </form>
    </Dialog>
  );
}

function Outcome({ state }: { readonly state: State }) {
  const t = useT();
  if (state.kind === 'failed') return <Notice tone="error">{failureText(t, state.failure)}</Notice>;
  if (state.kind !== 'tried') return null;
  const { step, reason } = state.probe;
  if (step === null || reason === null) return <Notice tone="info">{t('cloud.works')}</Notice>;
  const words = { step: t(`cloud.step.${step}`), reason: t(`cloud.reason.${reason}`) };
  return <Notice tone="error">{t('cloud.fails', words)}</Notice>;
}

interface FieldsProps {
  readonly draft: Draft;
  readonly onDraft: (part: Partial<Draft>) => void;
  /** Its secret is kept. */
  readonly isKnown: boolean;
}

function StoreFields({ draft, onDraft, isKnown }: FieldsProps) {
  const t = useT();
  return (
    <>
      <TextField
        label={t('cloud.name')}
        maxLength={64}
        value={draft.storeName}
        onValue={(storeName) => onDraft({ storeName })}
        autoComplete="off"
        spellCheck={false}
      />
      <BucketFields draft={draft} onDraft={onDraft} isKnown={isKnown} />
      <SwitchField
        label={t('cloud.makeDefault')}
        isOn={draft.isDefault}
        onToggle={(isDefault) => onDraft({ isDefault })}
      />
    </>
  );
}
