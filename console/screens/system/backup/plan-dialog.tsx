// Where backups are put and how often: a folder or a bucket, which is tried before it is saved.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { BackupPlan } from '@vedette/contract/calls/backup-plan.ts';
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { type FormEvent, type ReactNode, useState } from 'react';
import { isFailure } from '../../../calls/call-failure.ts';
import { failureText } from '../../../calls/failure-text.ts';
import { useT } from '../../../language/use-t.ts';
import { useCaller } from '../../../services/services.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { SkeletonLines } from '../../../ui/feedback/state-view.tsx';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import style from '../../../ui/layout/titled-rows.module.css';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { draftOf, isNumberGood, PLAN_NUMBERS, type PlanDraft, targetOf } from './plan-draft.ts';
import { PlanFields } from './plan-fields.tsx';
import own from './plan.module.css';

const FORM = 'backup-plan';
const KEY = ['backup/plan/get'];

export function PlanDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useT();
  const caller = useCaller();
  const { data, isPending, error, refetch } = useQuery({
    queryKey: KEY,
    // What is edited begins with what holds now.
    gcTime: 0,
    refetchOnWindowFocus: false,
    queryFn: async ({ signal }) => (await caller.ask('backup/plan/get', {}, { signal, showError: false })).plan,
  });
  if (data !== undefined && data.startPlace === null) return <PlanForm plan={data} onClose={onClose} />;
  return (
    <Frame onClose={onClose}>
      {isPending && <SkeletonLines label={t('common.loading')} rows={5} rowHeight={44} />}
      {data !== undefined && <p className={own.place}>{t('backup.startPlace', { place: data.startPlace ?? '' })}</p>}
      {error !== null && (
        <Notice tone="error" action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}>
          {failureText(t, error)}
        </Notice>
      )}
    </Frame>
  );
}

interface FrameProps {
  readonly onClose: () => void;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

function Frame({ onClose, actions, children }: FrameProps) {
  const t = useT();
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('backup.title')}
      closeLabel={t('common.close')}
      width={520}
      actions={actions}
    >
      {children}
    </Dialog>
  );
}

type Probe = CallOutput<'backup/plan/probe'>;
type State =
  | { readonly kind: 'idle' | 'busy' }
  | { readonly kind: 'tried'; readonly probe: Probe }
  | { readonly kind: 'failed'; readonly failure: unknown };

/** Tries the place, and saves it where it passes. */
function usePlanForm(loaded: BackupPlan, onSaved: () => void) {
  const t = useT();
  const caller = useCaller();
  const client = useQueryClient();
  const [plan, setPlan] = useState(loaded);
  const [draft, setDraft] = useState(() => draftOf(loaded));
  const [state, setState] = useState<State>({ kind: 'idle' });
  async function run(isSaving: boolean): Promise<void> {
    setState({ kind: 'busy' });
    try {
      const target = targetOf(draft);
      if (target.kind !== 'none') {
        const probe = await caller.ask('backup/plan/probe', { target }, { showError: false });
        if (!isSaving || probe.step !== null) return setState({ kind: 'tried', probe });
      }
      const numbers = { hours: draft.hours ?? 0, keep: draft.keep ?? 0 };
      await caller.ask('backup/plan/save', { version: plan.version, target, ...numbers }, { showError: false });
      await client.invalidateQueries({ queryKey: ['system/health/get'] });
      showToast('success', t('backup.saved'));
      onSaved();
    } catch (failure) {
      if (isFailure(failure, ERROR_CODES.stale)) await showNewer();
      setState({ kind: 'failed', failure });
    }
  }
  /** A stale edit gives way to the newer plan. */
  async function showNewer(): Promise<void> {
    const newer = (await caller.ask('backup/plan/get', {}, { showError: false })).plan;
    setPlan(newer);
    setDraft(draftOf(newer));
  }
  const onDraft = (part: Partial<PlanDraft>): void => {
    setDraft((before) => ({ ...before, ...part }));
    setState({ kind: 'idle' });
  };
  return { plan, draft, onDraft, state, run };
}

function PlanForm({ plan: loaded, onClose }: { readonly plan: BackupPlan; readonly onClose: () => void }) {
  const t = useT();
  const { plan, draft, onDraft, state, run } = usePlanForm(loaded, onClose);
  const isBusy = state.kind === 'busy';
  const isGood = isNumberGood(draft.hours, PLAN_NUMBERS.hours) && isNumberGood(draft.keep, PLAN_NUMBERS.keep);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isBusy && isGood) void run(true);
  };
  const actions = (
    <>
      {draft.kind !== 'none' && (
        <Button onClick={() => void run(false)} disabled={isBusy}>
          {t('cloud.try')}
        </Button>
      )}
      <Button type="submit" form={FORM} look="primary" isBusy={isBusy} disabled={!isGood}>
        {t('common.save')}
      </Button>
    </>
  );
  return (
    <Frame onClose={onClose} actions={actions}>
      <form id={FORM} className={style.form} onSubmit={submit} noValidate>
        <PlanFields draft={draft} onDraft={onDraft} plan={plan} />
        <Outcome state={state} kind={draft.kind} />
      </form>
    </Frame>
  );
}

/** Below the fields of a bucket, which are longer than a low window. */
const intoView = (notice: HTMLElement | null): void => notice?.scrollIntoView({ block: 'nearest' });

function Outcome({ state, kind }: { readonly state: State; readonly kind: PlanDraft['kind'] }) {
  const t = useT();
  const notice =
    state.kind === 'failed'
      ? failureNotice(t, state.failure)
      : state.kind === 'tried'
        ? probeNotice(t, state.probe, kind)
        : null;
  if (notice === null) return null;
  return (
    <div ref={intoView}>
      <Notice tone={notice.tone}>{notice.text}</Notice>
    </div>
  );
}

type Translate = ReturnType<typeof useT>;

function failureNotice(t: Translate, failure: unknown) {
  const isStale = isFailure(failure, ERROR_CODES.stale);
  return isStale
    ? ({ tone: 'warning', text: t('system.stale') } as const)
    : ({ tone: 'error', text: failureText(t, failure) } as const);
}

function probeNotice(t: Translate, { step, reason }: Probe, kind: PlanDraft['kind']) {
  if (step === null || reason === null)
    return { tone: 'info', text: t(kind === 'folder' ? 'backup.folderWorks' : 'cloud.works') } as const;
  const words = { step: t(`cloud.step.${step}`), reason: t(`cloud.reason.${reason}`) };
  return { tone: 'error', text: t('cloud.fails', words) } as const;
}
