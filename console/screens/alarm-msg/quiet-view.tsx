// Quiet hours: muted for a while, or by a weekly plan; stored at once, for messages and for the sound of this console.
import { MINUTE_MS } from '@vedette/foundation/units/durations.ts';
import type { AlarmSuppression } from '@vedette/contract/calls/alarm-rule.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import type { ReactNode } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useAlarmQuiet } from '../../features/alarm/alarm-quiet.query.ts';
import { HoursField } from '../../features/alarm-rule/hours-field.tsx';
import { sourceKey } from '../../features/alarm-rule/rule-draft.ts';
import { useSourceOptions } from '../../features/alarm-rule/source-options.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { useServices } from '../../services/services.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import layout from '../../ui/layout/side-layout.module.css';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { SwitchField } from '../../ui/fields/switch-field.tsx';
import style from './centre-view.module.css';

export function QuietView({ views }: { readonly views: ReactNode }) {
  const t = useT();
  const { query, save } = useAlarmQuiet();
  return (
    <div className={layout.middle}>
      <PageHeader title={t('screen.alarms')} />
      {views}
      <div className={style.page}>
        <p className={style.lead}>{t('alarmQuiet.lead')}</p>
        {query.data !== undefined ? (
          <QuietForm quiet={query.data} onQuiet={(quiet) => save.mutate(quiet)} />
        ) : query.isPending ? (
          <SkeletonLines label={t('common.loading')} rows={5} rowHeight={40} />
        ) : (
          <StateView
            role="alert"
            title={t('alarmQuiet.error')}
            detail={failureText(t, query.error)}
            action={<Button onClick={() => void query.refetch()}>{t('common.retry')}</Button>}
          />
        )}
      </div>
    </div>
  );
}

const SPANS = [
  ['alarmQuiet.minutes30', 30 * MINUTE_MS],
  ['alarmQuiet.hours2', 120 * MINUTE_MS],
  ['alarmQuiet.hours8', 480 * MINUTE_MS],
] as const;

interface QuietFormProps {
  readonly quiet: AlarmSuppression;
  readonly onQuiet: (quiet: AlarmSuppression) => void;
}

function QuietForm({ quiet, onQuiet }: QuietFormProps) {
  const t = useT();
  const format = useTimeFormat();
  const { clock } = useServices();
  const change = (part: Partial<AlarmSuppression>): void => onQuiet({ ...quiet, ...part });
  const now = clock.wallMs();
  return (
    <>
      <section className={style.block} aria-label={t('alarmQuiet.mute')}>
        <h2 className={style.subheading}>{t('alarmQuiet.mute')}</h2>
        {quiet.mutedUntil !== null && quiet.mutedUntil > now ? (
          <div className={style.buttons}>
            <span className={style.state}>
              {t('alarmQuiet.mutedUntil', { time: formatDateTime(quiet.mutedUntil, format, false) })}
            </span>
            <Button onClick={() => change({ mutedUntil: null })}>{t('alarmQuiet.unmute')}</Button>
          </div>
        ) : (
          <div className={style.buttons}>
            {SPANS.map(([label, span]) => (
              <Button key={label} onClick={() => change({ mutedUntil: clock.wallMs() + span })}>
                {t(label)}
              </Button>
            ))}
          </div>
        )}
      </section>
      <Snoozed quiet={quiet} onQuiet={onQuiet} />
      <section className={style.block} aria-label={t('alarmQuiet.hours')}>
        <h2 className={style.subheading}>{t('alarmQuiet.hours')}</h2>
        <HoursField
          label={t('alarmQuiet.hours')}
          plan={quiet.plan}
          timeZone={quiet.timeZone}
          titleOfPlan={t('alarmQuiet.hours')}
          nameOfType={t('alarmQuiet.type')}
          nameOfNone={t('alarmQuiet.none')}
          onPlan={(plan) => change({ plan })}
        />
      </section>
      <SwitchField
        label={t('alarmQuiet.exceptCritical')}
        isOn={quiet.exceptCritical}
        onToggle={(exceptCritical) => change({ exceptCritical })}
      />
    </>
  );
}

/** What was snoozed at a flood; nothing is shown while there is none. */
function Snoozed({ quiet, onQuiet }: QuietFormProps) {
  const t = useT();
  const format = useTimeFormat();
  const { clock } = useServices();
  const sources = useSourceOptions();
  const now = clock.wallMs();
  const lasting = quiet.snoozed.filter(({ until }) => until > now);
  if (lasting.length === 0) return null;
  return (
    <section className={style.block} aria-label={t('alarmQuiet.snoozed')}>
      <h2 className={style.subheading}>{t('alarmQuiet.snoozed')}</h2>
      {lasting.map((one) => (
        <div key={`${one.deviceSerial} ${one.type}`} className={style.buttons} data-snoozed={one.type}>
          <span className={style.state}>
            {t('alarmQuiet.snoozedOne', {
              type: t(`alarmType_${one.type}`),
              device: sources.find(({ value }) => value === sourceKey(one))?.label ?? one.deviceSerial,
              time: formatDateTime(one.until, format, false),
            })}
          </span>
          <Button onClick={() => onQuiet({ ...quiet, snoozed: lasting.filter((other) => other !== one) })}>
            {t('alarms.wake')}
          </Button>
        </div>
      ))}
    </section>
  );
}
