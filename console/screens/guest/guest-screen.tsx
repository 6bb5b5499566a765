// /guest: shows the live view or the clip of a guest link, without an account.
import { IconLinkOff, IconLock } from '@tabler/icons-react';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { type FormEvent, type ReactNode, useCallback, useState } from 'react';
import { CallFailure, failureCode } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { PreferencesMenu } from '../../features/sign-in/preferences-menu.tsx';
import { LANGUAGE_NAMES } from '../../language/language-store.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { useGuestToken } from '../../session/guest-token.ts';
import { BrandMark } from '../../ui/theme/brand-mark.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { StateView } from '../../ui/feedback/state-view.tsx';
import { PasswordField } from '../../ui/fields/text-field.tsx';
import { GuestClip } from './guest-clip.tsx';
import { GuestLive } from './guest-live.tsx';
import { type GuestState, type OpenedLink, useGuestLink } from './guest-opening.ts';
import style from './guest.module.css';

export function GuestScreen() {
  const t = useT();
  const word = useGuestToken((state) => state.token);
  return (
    <div className={style.page}>
      <title>{`${t('guest.title')} · ${t('common.appName')}`}</title>
      {word === '' ? (
        <Frame>
          <StateView
            icon={<IconLinkOff size={20} stroke={1.5} />}
            title={t('guest.missing')}
            detail={t('guest.missingDetail')}
          />
        </Frame>
      ) : (
        <Guest key={word} word={word} />
      )}
    </div>
  );
}

function Frame({
  title,
  until,
  children,
}: {
  readonly title?: string;
  readonly until?: string;
  readonly children: ReactNode;
}) {
  const t = useT();
  return (
    <>
      <header className={style.top}>
        <span className={style.brand}>
          <BrandMark size={20} />
          <span className="visually-hidden">{t('common.appName')}</span>
        </span>
        <h1 className={style.title}>{title ?? t('guest.title')}</h1>
        {until !== undefined && <span className={style.until}>{until}</span>}
        <PreferencesMenu>
          <Button look="quiet">
            <span className="visually-hidden">{t('shell.preferences')}</span>
            {LANGUAGE_NAMES[t.shown]}
          </Button>
        </PreferencesMenu>
      </header>
      <main className={style.main}>{children}</main>
    </>
  );
}

function Guest({ word }: { readonly word: string }) {
  const t = useT();
  const format = useTimeFormat();
  const { state, open } = useGuestLink(word);
  const [isOver, setOver] = useState(false);
  const end = useCallback(() => setOver(true), []);
  if (isOver) return <Frame>{<Ended />}</Frame>;
  if (state.kind !== 'open') {
    return (
      <Frame>
        <NotOpen state={state} onOpen={open} />
      </Frame>
    );
  }
  const { link, password } = state;
  const title = link.linkName === '' ? link.channelName : link.linkName;
  const until = t('guest.until', { time: formatDateTime(link.endTime, format, false) });
  return (
    <Frame title={title} until={until}>
      {link.kind === 'live' ? (
        <GuestLive token={word} password={password} link={link} label={title} onEnded={end} />
      ) : (
        <Clip link={link} title={title} onRefused={end} />
      )}
    </Frame>
  );
}

function Clip({
  link,
  title,
  onRefused,
}: {
  readonly link: OpenedLink;
  readonly title: string;
  readonly onRefused: () => void;
}) {
  const t = useT();
  const format = useTimeFormat();
  return (
    <>
      <GuestClip link={link} label={title} onRefused={onRefused} />
      {link.clipStartTime !== null && (
        <p className={style.caption}>{t('guest.clip', { time: formatDateTime(link.clipStartTime, format) })}</p>
      )}
    </>
  );
}

function Ended() {
  const t = useT();
  return (
    <StateView
      icon={<IconLinkOff size={20} stroke={1.5} />}
      role="alert"
      title={t('guest.ended')}
      detail={t('guest.endedDetail')}
    />
  );
}

interface NotOpenProps {
  readonly state: Exclude<GuestState, { kind: 'open' }>;
  readonly onOpen: (password?: string) => Promise<void>;
}

function NotOpen({ state, onOpen }: NotOpenProps) {
  const t = useT();
  if (state.kind === 'opening') return <StateView title={t('guest.opening')} />;
  if (state.kind === 'password') return <PasswordForm {...state} onOpen={onOpen} />;
  const code = failureCode(state.failure);
  if (code === ERROR_CODES.shareEnded) return <Ended />;
  if (code === ERROR_CODES.notFound || code === ERROR_CODES.paramInvalid) {
    return (
      <StateView
        icon={<IconLinkOff size={20} stroke={1.5} />}
        role="alert"
        title={t('guest.unknown')}
        detail={t('guest.unknownDetail')}
      />
    );
  }
  return (
    <StateView
      role="alert"
      title={t('guest.failed')}
      detail={refusedText(t, state.failure)}
      action={<Button onClick={() => void onOpen()}>{t('common.retry')}</Button>}
    />
  );
}

function refusedText(t: ReturnType<typeof useT>, failure: unknown): string {
  if (failure instanceof CallFailure && failure.code === ERROR_CODES.tooManyRequests) {
    const { retryAfter } = failure.data as { retryAfter?: number };
    return t('guest.tooMany', { minutes: Math.max(1, Math.ceil((retryAfter ?? 60) / 60)) });
  }
  return failureText(t, failure);
}

function PasswordForm({
  isWrong,
  isBusy,
  onOpen,
}: {
  readonly isWrong: boolean;
  readonly isBusy: boolean;
  readonly onOpen: (password: string) => Promise<void>;
}) {
  const t = useT();
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (password !== '' && !isBusy) void onOpen(password);
  };
  return (
    <form className={style.form} onSubmit={submit} noValidate>
      <div className={style.lock}>
        <IconLock size={20} stroke={1.6} aria-hidden="true" />
      </div>
      <h2 className={style.formTitle}>{t('guest.passwordTitle')}</h2>
      <p className={style.lead}>{t('guest.passwordLead')}</p>
      <PasswordField
        label={t('guest.password')}
        name="guest-password"
        autoComplete="off"
        autoFocus
        isLarge
        revealLabel={t('common.showPassword')}
        value={password}
        onValue={setPassword}
        error={isWrong ? t('guest.wrong') : null}
      />
      <Button type="submit" look="primary" size="large" isWide isBusy={isBusy}>
        {t('guest.open')}
      </Button>
    </form>
  );
}
