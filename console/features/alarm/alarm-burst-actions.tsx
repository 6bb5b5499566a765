// Actions on an alarm burst: snooze its type at its device, its detection settings, and the rules that report it.
import { IconAdjustments, IconBellOff, IconBellRinging } from '@tabler/icons-react';
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import { sectionDetecting } from '@vedette/rules/alarm/burst-tuning.ts';
import { formatClock } from '@vedette/rules/time-format.ts';
import { useNavigate } from 'react-router';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { channelAddress, PATHS } from '../../navigation/paths.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Section } from '../../ui/layout/facts.tsx';
import style from './alarm-details.module.css';
import { useSnooze } from './alarm-quiet.query.ts';
import { AlarmBurstRules } from './alarm-burst-rules.tsx';

const SNOOZE_MS = 3_600_000;

export function AlarmBurstActions({ alarm, count }: { readonly alarm: Alarm; readonly count: number }) {
  const t = useT();
  const format = useTimeFormat();
  const navigate = useNavigate();
  const { until, isReady, isBusy, snooze, wake } = useSnooze(alarm);
  const section = alarm.channelNo > 0 ? sectionDetecting(alarm.type) : null;
  const tune = (): void => {
    // The rule of the device's own that told it, where there are several.
    const asked = { section: section ?? '', flood: String(count), rule: alarm.source['Rule'] ?? '' };
    void navigate(`${channelAddress(PATHS.deviceConfig, alarm)}&${new URLSearchParams(asked)}`);
  };
  return (
    <Section title={t('alarms.flood', { count })}>
      <p className={style.flood}>
        {until === null ? t('alarms.floodLead') : t('alarms.snoozedUntil', { time: formatClock(until, format, false) })}
      </p>
      <div className={style.floodActions} data-flood-part>
        {until === null ? (
          <Button
            icon={<IconBellOff size={16} stroke={1.8} />}
            isBusy={isBusy}
            disabled={!isReady}
            onClick={() => snooze(SNOOZE_MS)}
          >
            {t('alarms.snooze')}
          </Button>
        ) : (
          <Button icon={<IconBellRinging size={16} stroke={1.8} />} isBusy={isBusy} onClick={wake}>
            {t('alarms.wake')}
          </Button>
        )}
        {section !== null && (
          <Button icon={<IconAdjustments size={16} stroke={1.8} />} onClick={tune}>
            {t('alarms.tune')}
          </Button>
        )}
      </div>
      <AlarmBurstRules alarm={alarm} count={count} />
    </Section>
  );
}
