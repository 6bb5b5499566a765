// /alarmMail: whoever reads at the address of an e-mail channel agrees to alarms there, refuses them for good, or stops them; no account is needed.
import { useMutation, useQuery } from '@tanstack/react-query';
import type { MailConsentQuestion } from '@vedette/contract/calls/mail-consent.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { isFailure } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { SignInFrame } from '../../features/sign-in/sign-in-frame.tsx';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { useCaller } from '../../services/services.ts';
import { useLinkSecrets } from '../../session/link-secrets.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SkeletonLines } from '../../ui/feedback/state-view.tsx';
import style from './alarm-mail-screen.module.css';

function useQuestion(token: string) {
  const caller = useCaller();
  return useQuery({
    queryKey: ['alarm/consent/open', token],
    queryFn: ({ signal }) => caller.ask('alarm/consent/open', { token }, { signal, showError: false }),
    enabled: token !== '',
    retry: false,
    refetchOnWindowFocus: false,
  });
}

type Answer = 'confirm' | 'refuse';

function useAnswer(token: string) {
  const caller = useCaller();
  return useMutation({
    mutationFn: (answer: Answer) => caller.ask('alarm/consent/answer', { token, answer }, { showError: false }),
  });
}

export function AlarmMailScreen() {
  const t = useT();
  const token = useLinkSecrets((secrets) => secrets.mail);
  const opened = useQuestion(token);
  const answered = useAnswer(token);
  const question = answered.data ?? opened.data;
  const failure = answered.error ?? opened.error;
  const isGone = token === '' || isFailure(failure, ERROR_CODES.notFound);
  if (isGone)
    return (
      <SignInFrame title={t('mailConsent.goneTitle')} lead={t('mailConsent.gone')}>
        {null}
      </SignInFrame>
    );
  if (question !== undefined) {
    return (
      <Question
        question={question}
        failure={answered.error}
        busy={answered.isPending ? answered.variables : null}
        onAnswer={(answer) => answered.mutate(answer)}
      />
    );
  }
  return (
    <SignInFrame title={t('mailConsent.title')} lead="">
      {failure === null && <SkeletonLines label={t('common.loading')} rows={4} rowHeight={40} />}
      {failure !== null && (
        <Notice tone="error" action={<Button onClick={() => void opened.refetch()}>{t('common.retry')}</Button>}>
          {failureText(t, failure)}
        </Notice>
      )}
    </SignInFrame>
  );
}

interface QuestionProps {
  readonly question: MailConsentQuestion;
  readonly failure: unknown;
  /** The answer on its way. */
  readonly busy: Answer | null;
  readonly onAnswer: (answer: Answer) => void;
}

function Question({ question, failure, busy, onAnswer }: QuestionProps) {
  const t = useT();
  const { byName: name, state, confirmUntil } = question;
  const press = (answer: Answer) => ({
    isBusy: busy === answer,
    disabled: busy !== null && busy !== answer,
    onClick: () => onAnswer(answer),
  });
  return (
    <SignInFrame {...wordsOf(t, question)}>
      <div className={style.parts} data-mail-consent={state}>
        {state === 'waiting' && <What mostPerHour={question.mostPerHour} />}
        {failure !== null && <Notice tone="error">{failureText(t, failure)}</Notice>}
        {state === 'waiting' && confirmUntil !== null && (
          <Button look="primary" size="large" isWide {...press('confirm')}>
            {t('mailConsent.confirm')}
          </Button>
        )}
        {state !== 'refused' && (
          <div className={style.never}>
            <Button size="large" isWide {...press('refuse')}>
              {t(isStop(question) ? 'mailConsent.stop' : 'mailConsent.refuse')}
            </Button>
            <p className={style.hint}>{t('mailConsent.refuseHint')}</p>
          </div>
        )}
        {state === 'refused' && confirmUntil !== null && (
          <Button isWide {...press('confirm')}>
            {t('mailConsent.changeMind', { name })}
          </Button>
        )}
        <Hint question={question} />
      </div>
    </SignInFrame>
  );
}

/** It was agreed to before, and only its end is asked for. */
function isStop({ state, confirmUntil }: MailConsentQuestion): boolean {
  return state === 'confirmed' && confirmUntil === null;
}

function wordsOf(t: ReturnType<typeof useT>, question: MailConsentQuestion) {
  const { byName: name, address, state } = question;
  if (state === 'waiting') return { title: t('mailConsent.title'), lead: t('mailConsent.question', { name, address }) };
  if (state === 'refused')
    return { title: t('mailConsent.refusedTitle'), lead: t('mailConsent.refusedText', { address }) };
  if (isStop(question))
    return { title: t('mailConsent.stopTitle'), lead: t('mailConsent.stopText', { name, address }) };
  return { title: t('mailConsent.confirmedTitle'), lead: t('mailConsent.confirmedText', { name, address }) };
}

function Hint({ question: { state, confirmUntil } }: Pick<QuestionProps, 'question'>) {
  const t = useT();
  const format = useTimeFormat();
  return (
    <p className={style.hint}>
      {state === 'waiting' && `${t('mailConsent.ignore')} `}
      {confirmUntil !== null && t('mailConsent.until', { time: formatDateTime(confirmUntil, format, false) })}
    </p>
  );
}

function What({ mostPerHour }: { readonly mostPerHour: number }) {
  const t = useT();
  return (
    <section className={style.what}>
      <h2 className={style.heading}>{t('mailConsent.what')}</h2>
      <ul className={style.list}>
        <li>{t('mailConsent.whatAlarm')}</li>
        <li>{t('mailConsent.whatPlace')}</li>
        <li>{t('mailConsent.whatLink')}</li>
      </ul>
      <p className={style.hint}>{t('mailConsent.most', { count: mostPerHour })}</p>
    </section>
  );
}
