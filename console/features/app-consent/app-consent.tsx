// The question whether an app may act for the account: who asks, what for, on which devices, how long.
import { DEVICE_SCOPES } from '@vedette/contract/app-scopes.ts';
import type { AppQuestion } from '@vedette/contract/calls/oauth.ts';
import type { RoleResource } from '@vedette/contract/calls/role.ts';
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import type { PlainKey } from '@vedette/phrases/pack.ts';
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { useServices } from '../../services/services.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { PlaceTree } from '../place-tree/place-tree.tsx';
import style from './app-consent.module.css';

export interface AppChoice {
  readonly deviceSerialList: string[];
  readonly organizationIdList: string[];
  readonly endTime: number | null;
}

export interface AppConsentProps {
  readonly question: AppQuestion;
  readonly isBusy: boolean;
  readonly failure: unknown;
  readonly onAllow: (choice: AppChoice) => void;
  readonly onRefuse: () => void;
}

const SPANS: readonly { readonly value: string; readonly label: PlainKey; readonly days: number | null }[] = [
  { value: 'day', label: 'apps.forDay', days: 1 },
  { value: 'month', label: 'apps.forMonth', days: 30 },
  { value: 'year', label: 'apps.forYear', days: 365 },
  { value: 'revoked', label: 'apps.untilRevoked', days: null },
];

export function AppConsent({ question, isBusy, failure, onAllow, onRefuse }: AppConsentProps) {
  const t = useT();
  const { clock } = useServices();
  const [places, setPlaces] = useState<RoleResource[]>([]);
  const [span, setSpan] = useState('month');
  const [isTried, setTried] = useState(false);
  const needsPlaces = question.scopeList.some((scope) => DEVICE_SCOPES.has(scope));
  const lacksPlaces = needsPlaces && places.length === 0;
  const allow = (): void => {
    setTried(true);
    if (lacksPlaces) return;
    const days = SPANS.find(({ value }) => value === span)?.days ?? null;
    onAllow({ ...listsOf(places), endTime: days === null ? null : clock.wallMs() + days * DAY_MS });
  };
  return (
    <div className={style.parts} data-app-consent={question.appId}>
      <Asked question={question} />
      {needsPlaces && (
        <section className={style.part}>
          <h2 className={style.heading}>{t('apps.where')}</h2>
          <PlaceTree label={t('apps.placesLabel')} hasChannels={false} places={places} onPlaces={setPlaces} />
          {isTried && lacksPlaces && <Notice tone="error">{t('apps.choosePlaces')}</Notice>}
        </section>
      )}
      <SelectField
        label={t('apps.until')}
        value={span}
        onValue={setSpan}
        options={SPANS.map(({ value, label }) => ({ value, label: t(label) }))}
      />
      {failure !== null && <Notice tone="error">{failureText(t, failure)}</Notice>}
      <div className={style.answers}>
        <Button size="large" disabled={isBusy} onClick={onRefuse}>
          {t('apps.refuse')}
        </Button>
        <Button look="primary" size="large" isBusy={isBusy} onClick={allow}>
          {t('apps.allow')}
        </Button>
      </div>
      <p className={style.hint}>
        {question.redirectUri === ''
          ? t('apps.revokeHint')
          : t('apps.goesTo', { host: shownTarget(question.redirectUri) })}
      </p>
    </div>
  );
}

function Asked({ question: { appName, logo, scopeList, address, agent } }: Pick<AppConsentProps, 'question'>) {
  const t = useT();
  return (
    <section className={style.part}>
      <div className={style.who}>
        {logo !== '' && <img className={style.logo} src={logo} alt="" />}
        <h2 className={style.name}>{appName}</h2>
      </div>
      {address !== '' && (
        <p className={style.hint}>
          {agent === '' ? t('apps.askedFromAddress', { address }) : t('apps.askedFrom', { address, agent })}
        </p>
      )}
      <h3 className={style.heading}>{t('apps.what')}</h3>
      <ul className={style.list}>
        {scopeList.map((scope) => (
          <li key={scope}>{t(`scope.${scope}`)}</li>
        ))}
      </ul>
    </section>
  );
}

function listsOf(places: readonly RoleResource[]): Omit<AppChoice, 'endTime'> {
  return {
    deviceSerialList: places.flatMap((place) => ('deviceSerial' in place ? [place.deviceSerial] : [])),
    organizationIdList: places.flatMap((place) => ('organizationId' in place ? [place.organizationId] : [])),
  };
}

/** The host alone of what is on the web: it is what its user knows; else the whole private address. */
function shownTarget(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return protocol === 'https:' || protocol === 'http:' ? host : redirectUri;
}
