// The share dialog: with whom, what, which rights, how long; a new share, or one that is changed.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { SHARE_RIGHTS } from '@vedette/contract/permissions.ts';
import { type FormEvent, useState } from 'react';
import { CallFailure, failureCode } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { useServices } from '../../services/services.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { GivenRights } from './given-rights.tsx';
import { HoursChoice } from './hours-choice.tsx';
import { addInput, changeInput, formOf, hasProblem, NEW_SHARE, problemsOf, type ShareForm } from './share-form.ts';
import { type SharedItems, useGiven, useShareActions } from './share.query.ts';
import type { ShareTarget } from './share-target.ts';
import style from './share-dialog.module.css';
import { ValidityChoice } from './validity-choice.tsx';

export interface ShareDialogProps {
  readonly targets: readonly ShareTarget[];
  /** The share that is changed; absent for a new one. */
  readonly share?: SharedItems;
  readonly onClose: () => void;
}

const WIDTH_PX = 540;
const ALL_RIGHTS: readonly string[] = Object.values(SHARE_RIGHTS);

export function ShareDialog(props: ShareDialogProps) {
  const t = useT();
  const { targets, share, onClose } = props;
  const [first] = targets;
  const title =
    share !== undefined
      ? t('share.editTitle', { account: share.first.account })
      : targets.length === 1 && first !== undefined
        ? t('share.title', { name: first.name })
        : t.plural('share.titleMany', targets.length);
  return (
    <Dialog isOpen onClose={onClose} title={title} closeLabel={t('common.close')} width={WIDTH_PX}>
      <Form {...props} />
    </Dialog>
  );
}

function useShareForm({ targets, share, onClose }: ShareDialogProps) {
  const t = useT();
  const { clock } = useServices();
  const actions = useShareActions();
  const [form, setForm] = useState<ShareForm>(() => (share === undefined ? NEW_SHARE : formOf(share)));
  const [state, setState] = useState({ isTried: false, isBusy: false, failure: null as unknown });
  const problems = problemsOf(form, clock.wallMs());
  const change = (part: Partial<ShareForm>): void => {
    setForm((before) => ({ ...before, ...part }));
    setState((before) => ({ ...before, failure: null }));
  };
  const send = async (): Promise<string> => {
    if (share !== undefined) {
      await actions.change(changeInput(form, share, clock.wallMs()));
      return t('share.changed');
    }
    const isPending = await actions.add(addInput(form, targets, clock.wallMs()));
    return t(isPending ? 'share.donePending' : 'share.done', { account: form.account.trim() });
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (hasProblem(problems)) return setState({ ...state, isTried: true });
    setState({ isTried: true, isBusy: true, failure: null });
    try {
      showToast('success', await send());
      onClose();
    } catch (failure) {
      setState({ isTried: true, isBusy: false, failure });
    }
  };
  return { form, change, problems, submit, ...state };
}

function Form(props: ShareDialogProps) {
  const t = useT();
  const { targets, share, onClose } = props;
  const { form, change, problems, submit, isTried, isBusy, failure } = useShareForm(props);
  const offered = new Set(ALL_RIGHTS.filter((right) => targets.every(({ rights }) => rights.includes(right))));
  const [only] = targets;
  const zone = share?.first.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const said = (key: (typeof problems)[keyof typeof problems]): string | null =>
    isTried && key !== null ? t(key) : null;
  return (
    <form className={style.form} onSubmit={(event) => void submit(event)} noValidate>
      {share === undefined && (
        <AccountChoice
          account={form.account}
          error={said(problems.account) ?? accountError(t, failure)}
          onAccount={(account) => change({ account })}
        />
      )}
      {only?.channels !== undefined && targets.length === 1 && (
        <ChannelChoice channels={only.channels} chosen={form.channels} onChosen={(channels) => change({ channels })} />
      )}
      <GivenRights
        form={form}
        offered={offered}
        isNew={share === undefined}
        problem={said(problems.rights)}
        onChange={change}
      />
      <ValidityChoice validity={form.validity} typed={form.typed} problem={said(problems.times)} onChange={change} />
      <MoreChoices form={form} zone={zone} hoursProblem={said(problems.hours)} change={change} />
      <Failure failure={failure} />
      <div className={style.actions}>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button type="submit" look="primary" isBusy={isBusy}>
          {t(share === undefined ? 'share.go' : 'share.save')}
        </Button>
      </div>
    </form>
  );
}

interface MoreChoicesProps {
  readonly form: ShareForm;
  readonly zone: string;
  readonly hoursProblem: string | null;
  readonly change: (part: Partial<ShareForm>) => void;
}

function MoreChoices({ form, zone, hoursProblem, change }: MoreChoicesProps) {
  const t = useT();
  return (
    <details className={style.more} open={form.hasHours || form.shareName !== '' || form.description !== ''}>
      <summary>{t('share.more')}</summary>
      <div className={style.moreBody}>
        <HoursChoice isOn={form.hasHours} week={form.week} timeZone={zone} problem={hoursProblem} onChange={change} />
        <TextField
          label={t('share.name')}
          value={form.shareName}
          maxLength={64}
          onValue={(text) => change({ shareName: plain(text) })}
        />
        <TextField
          label={t('share.description')}
          value={form.description}
          maxLength={256}
          onValue={(text) => change({ description: plain(text) })}
        />
      </div>
    </details>
  );
}

/** What is wrong with the account stands at its field. */
function Failure({ failure }: { readonly failure: unknown }) {
  const t = useT();
  if (failure === null || accountError(t, failure) !== null) return null;
  return <Notice tone="error">{isStale(failure) ? t('share.stale') : failureText(t, failure)}</Notice>;
}

/** VA-04: names take no angle brackets. */
function plain(text: string): string {
  return text.replaceAll(/[<>]/g, '');
}

function isStale(failure: unknown): boolean {
  return failureCode(failure) === ERROR_CODES.stale;
}

function accountError(t: ReturnType<typeof useT>, failure: unknown): string | null {
  if (!(failure instanceof CallFailure)) return null;
  if (failure.code === ERROR_CODES.notFound) return t('share.accountUnknown');
  const fields = typeof failure.data === 'object' && failure.data !== null ? failure.data : {};
  return failure.code === ERROR_CODES.paramInvalid && 'account' in fields ? t('share.accountSelf') : null;
}

const RECENT_MOST = 4;

function AccountChoice(props: {
  readonly account: string;
  readonly error: string | null;
  readonly onAccount: (account: string) => void;
}) {
  const t = useT();
  const { account, error, onAccount } = props;
  const given = useGiven();
  const recent = [...new Set((given.data ?? []).map(({ first }) => first.account))].slice(0, RECENT_MOST);
  return (
    <div className={style.group}>
      <TextField
        label={t('share.account')}
        name="share-account"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        maxLength={64}
        value={account}
        onValue={onAccount}
        hint={t('share.accountHint')}
        error={error}
      />
      {recent.length > 0 && account === '' && (
        <div className={style.recent} role="group" aria-label={t('share.recent')}>
          {recent.map((name) => (
            <button key={name} type="button" className={style.chip} onClick={() => onAccount(name)}>
              {name}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function ChannelChoice(props: {
  readonly channels: NonNullable<ShareTarget['channels']>;
  readonly chosen: ReadonlySet<number>;
  readonly onChosen: (chosen: ReadonlySet<number>) => void;
}) {
  const t = useT();
  const { channels, chosen, onChosen } = props;
  const toggle = (channelNo: number, isOn: boolean): void => {
    const next = new Set(chosen);
    if (isOn) next.add(channelNo);
    else next.delete(channelNo);
    onChosen(next);
  };
  return (
    <fieldset className={style.group}>
      <legend className={style.legend}>{t('share.what')}</legend>
      <CheckBox label={t('share.wholeDevice')} isOn={chosen.size === 0} onToggle={() => onChosen(new Set())} />
      <div className={style.channels}>
        {channels.map(({ channelNo, name }) => (
          <CheckBox
            key={channelNo}
            label={name}
            isOn={chosen.has(channelNo)}
            onToggle={(isOn) => toggle(channelNo, isOn)}
          />
        ))}
      </div>
    </fieldset>
  );
}
