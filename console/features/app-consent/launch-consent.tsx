// The question whether the console opens for an app: who launched it, for which account, and what it will show.
import type { LaunchQuestion } from '@vedette/contract/calls/launch.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import style from './app-consent.module.css';

export interface LaunchConsentProps {
  readonly question: LaunchQuestion;
  /** Of the account that is signed in on this page; empty: nobody. */
  readonly signedInName: string;
  readonly isBusy: boolean;
  readonly failure: unknown;
  readonly onOpen: () => void;
  readonly onRefuse: () => void;
}

export function LaunchConsent({ question, signedInName, isBusy, failure, onOpen, onRefuse }: LaunchConsentProps) {
  const t = useT();
  const { appId, appName, logo, scopeList, isEverything, itemList, accountName } = question;
  return (
    <div className={style.parts} data-app-launch={appId}>
      {signedInName !== '' && (
        <Notice tone="warning">{t('apps.launchReplaces', { account: signedInName, app: appName })}</Notice>
      )}
      <section className={style.part}>
        <div className={style.who}>
          {logo !== '' && <img className={style.logo} src={logo} alt="" />}
          <h2 className={style.name}>{appName}</h2>
        </div>
        <h3 className={style.heading}>{t('apps.launchMay')}</h3>
        <ul className={style.list}>
          {scopeList.map((scope) => (
            <li key={scope}>{t(`scope.${scope}`)}</li>
          ))}
        </ul>
      </section>
      <section className={style.part}>
        <h3 className={style.heading}>{t('apps.where')}</h3>
        <ul className={style.list}>
          {isEverything && <li>{t('apps.launchEverything', { account: accountName })}</li>}
          {itemList.map(({ kind, id, name }) => (
            <li key={`${kind} ${id}`}>{name}</li>
          ))}
        </ul>
        <LaunchEnd question={question} />
      </section>
      {failure !== null && <Notice tone="error">{failureText(t, failure)}</Notice>}
      <div className={style.answers}>
        <Button size="large" disabled={isBusy} onClick={onRefuse}>
          {t('apps.refuse')}
        </Button>
        <Button look="primary" size="large" isBusy={isBusy} onClick={onOpen}>
          {t('apps.launchOpen')}
        </Button>
      </div>
    </div>
  );
}

function LaunchEnd({ question: { endTime } }: Pick<LaunchConsentProps, 'question'>) {
  const t = useT();
  const format = useTimeFormat();
  if (endTime === null) return null;
  return <p className={style.hint}>{t('apps.launchUntil', { time: formatDateTime(endTime, format, false) })}</p>;
}
