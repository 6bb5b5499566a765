// Stands in place of the picture on a day without recordings, and leads to the nearest one that has some.
import { IconCalendarOff } from '@tabler/icons-react';
import { useState } from 'react';
import { nearestDay } from '../../features/playback/nearest-day.ts';
import type { PlaybackChannel } from '../../features/playback/playback-channel.ts';
import { askDays } from '../../features/playback/record-queries.ts';
import { useRecordSource } from '../../features/playback/record-source.ts';
import type { CalendarDay } from '../../features/calendar/zone-time.ts';
import { useT } from '../../language/use-t.ts';
import { useServices } from '../../services/services.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { StateView } from '../../ui/feedback/state-view.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';

export interface EmptyDayProps {
  readonly channel: PlaybackChannel;
  readonly day: CalendarDay;
  readonly zone: string;
  readonly onFound: (day: CalendarDay) => void;
}

export function EmptyDay({ channel, day, zone, onFound }: EmptyDayProps) {
  const t = useT();
  const { caller } = useServices();
  const source = useRecordSource();
  const [isLooking, setLooking] = useState(false);
  const look = async (): Promise<void> => {
    const found = await nearestDay(day, (year, month) => askDays(caller, channel, { year, month, zone, source }));
    if (found) onFound(found);
    else showToast('info', t('playback.noRecordings'));
  };
  const onClick = (): void => {
    setLooking(true);
    look()
      .catch(() => showToast('error', t('error.network')))
      .finally(() => setLooking(false));
  };
  return (
    <StateView
      icon={<IconCalendarOff size={22} stroke={1.5} />}
      title={t('playback.emptyDay')}
      action={
        <Button look="primary" isBusy={isLooking} onClick={onClick}>
          {t('playback.nearestDay')}
        </Button>
      }
    />
  );
}
