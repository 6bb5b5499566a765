// The guest link dialog: what it shows, how long, a password; then the address to copy.
import { PLAYBACK_WINDOW_S } from '@vedette/contract/limits.ts';
import { formatClock, formatDateTime } from '@vedette/rules/time-format.ts';
import { type FormEvent, useState } from 'react';
import type { PlainKey } from '@vedette/phrases/pack.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { useServices } from '../../services/services.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Segmented } from '../../ui/fields/segmented.tsx';
import { PasswordField, TextField } from '../../ui/fields/text-field.tsx';
import { LinkAddress } from '../link-address/link-address.tsx';
import { type MadeLink, useShareActions } from './share.query.ts';
import type { LinkTarget } from './share-target.ts';
import style from './share-dialog.module.css';
import { TimeInput } from './time-input.tsx';
import { validityBounds, type Validity } from './validity.ts';

export interface GuestLinkDialogProps {
  readonly target: LinkTarget;
  readonly onClose: () => void;
}

const WIDTH_PX = 520;
/** A link always ends. */
const SPANS = ['hour', 'today', 'week', 'custom'] as const satisfies readonly Validity[];
const PASSWORD_LENGTH = { least: 4, most: 64 } as const;

interface ReadyLink extends MadeLink {
  readonly endTime: number;
}

interface LinkForm {
  readonly kind: 'live' | 'clip';
  readonly clipStart: number | null;
  readonly clipEnd: number | null;
  readonly span: (typeof SPANS)[number];
  readonly endTime: number | null;
  readonly password: string;
  readonly linkName: string;
}

export function GuestLinkDialog({ target, onClose }: GuestLinkDialogProps) {
  const t = useT();
  const format = useTimeFormat();
  const [made, setMade] = useState<ReadyLink | null>(null);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('link.makeTitle', { name: target.name })}
      closeLabel={t('common.close')}
      width={WIDTH_PX}
    >
      {made === null ? (
        <LinkFormView target={target} onClose={onClose} onMade={setMade} />
      ) : (
        <div className={style.form}>
          <Notice tone="info">{t('link.ready')}</Notice>
          {made.clipStartTime !== null && made.clipEndTime !== null && (
            <p className={style.hint}>
              {t('link.clipShows', {
                from: formatDateTime(made.clipStartTime, format),
                to: formatClock(made.clipEndTime, format),
              })}
            </p>
          )}
          <LinkAddress label={t('link.address')} link={made.url} endTime={made.endTime} />
          <div className={style.actions}>
            <Button look="primary" onClick={onClose}>
              {t('common.close')}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}

function beginForm(target: LinkTarget): LinkForm {
  const canLive = target.rights.includes('Realplay');
  return {
    kind: target.clip !== undefined || !canLive ? 'clip' : 'live',
    clipStart: target.clip?.startTime ?? null,
    clipEnd: target.clip?.endTime ?? null,
    span: 'hour',
    endTime: null,
    password: '',
    linkName: '',
  };
}

function endOf({ span, endTime }: LinkForm, now: number): number | null {
  return validityBounds(span, now, { startTime: null, endTime })?.endTime ?? null;
}

function problemOf(form: LinkForm, now: number): PlainKey | null {
  if (endOf(form, now) === null) return 'share.endFirst';
  if (form.password !== '' && form.password.length < PASSWORD_LENGTH.least) return 'link.passwordHint';
  if (form.kind === 'live') return null;
  const { clipStart, clipEnd } = form;
  if (clipStart === null || clipEnd === null || clipEnd <= clipStart) return 'export.endFirst';
  return clipEnd - clipStart > PLAYBACK_WINDOW_S * 1000 ? 'link.clipTooLong' : null;
}

interface LinkFormViewProps extends GuestLinkDialogProps {
  readonly onMade: (made: ReadyLink) => void;
}

function useLinkForm({ target, onMade }: LinkFormViewProps) {
  const { clock } = useServices();
  const { makeLink } = useShareActions();
  const [form, setForm] = useState(() => beginForm(target));
  const [state, setState] = useState({ isTried: false, isBusy: false, failure: null as unknown });
  const problem = problemOf(form, clock.wallMs());
  const change = (part: Partial<LinkForm>): void => {
    setForm((before) => ({ ...before, ...part }));
    setState((before) => ({ ...before, failure: null }));
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const endTime = endOf(form, clock.wallMs());
    if (problem !== null || endTime === null) return setState({ ...state, isTried: true });
    setState({ isTried: true, isBusy: true, failure: null });
    const { deviceSerial, channelNo } = target;
    const dev = { deviceSerial, channelNo };
    const range = { startTime: form.clipStart ?? 0, endTime: form.clipEnd ?? 0 };
    const linkName = form.linkName.trim();
    try {
      const made = await makeLink({
        ...(form.kind === 'live' ? { live: dev } : { clip: { ...dev, ...range } }),
        endTime,
        ...(form.password !== '' && { password: form.password }),
        ...(linkName !== '' && { linkName }),
      });
      onMade({ ...made, endTime });
    } catch (failure) {
      setState({ isTried: true, isBusy: false, failure });
    }
  };
  return { form, change, problem, submit, ...state };
}

function LinkFormView(props: LinkFormViewProps) {
  const t = useT();
  const { target, onClose } = props;
  const { form, change, problem, submit, isTried, isBusy, failure } = useLinkForm(props);
  const canLive = target.rights.includes('Realplay');
  const canClip = target.rights.includes('Replay');
  return (
    <form className={style.form} onSubmit={(event) => void submit(event)} noValidate>
      <p className={style.hint}>{t(form.kind === 'live' ? 'link.lead' : 'link.leadClip')}</p>
      {canLive && canClip && (
        <Segmented
          label={t('link.kind')}
          value={form.kind}
          options={(['live', 'clip'] as const).map((value) => ({ value, label: t(`link.kind_${value}`) }))}
          onValue={(kind) => change({ kind })}
          isWide
        />
      )}
      {form.kind === 'clip' && (
        <div className={style.times}>
          <TimeInput
            label={t('link.clipFrom')}
            value={form.clipStart}
            onValue={(clipStart) => change({ clipStart })}
            hasSeconds
          />
          <TimeInput
            label={t('link.clipTo')}
            value={form.clipEnd}
            onValue={(clipEnd) => change({ clipEnd })}
            hasSeconds
          />
        </div>
      )}
      <div className={style.group}>
        <span className={style.legend}>{t('share.howLong')}</span>
        <Segmented
          label={t('share.howLong')}
          value={form.span}
          options={SPANS.map((value) => ({ value, label: t(`share.valid_${value}`) }))}
          onValue={(span) => change({ span })}
          isWide
        />
        {form.span === 'custom' && (
          <TimeInput label={t('link.until')} value={form.endTime} onValue={(endTime) => change({ endTime })} />
        )}
      </div>
      <PasswordField
        label={t('link.password')}
        name="link-password"
        autoComplete="new-password"
        revealLabel={t('common.showPassword')}
        maxLength={PASSWORD_LENGTH.most}
        value={form.password}
        onValue={(password) => change({ password })}
        hint={t('link.passwordHint')}
      />
      <TextField
        label={t('link.name')}
        value={form.linkName}
        maxLength={64}
        onValue={(text) => change({ linkName: text.replaceAll(/[<>]/g, '') })}
      />
      {isTried && problem !== null && <Notice tone="error">{t(problem)}</Notice>}
      {failure !== null && <Notice tone="error">{failureText(t, failure)}</Notice>}
      <div className={style.actions}>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button type="submit" look="primary" isBusy={isBusy}>
          {t('link.create')}
        </Button>
      </div>
    </form>
  );
}
