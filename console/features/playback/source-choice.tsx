// The choice between server and edge recordings; shown only where the device has some.
import { useQuery } from '@tanstack/react-query';
import { RECORD_SOURCE } from '@vedette/contract/enumerations.ts';
import { useT } from '../../language/use-t.ts';
import { useCaller } from '../../services/services.ts';
import { Segmented } from '../../ui/fields/segmented.tsx';
import type { PlaybackChannel } from './playback-channel.ts';
import type { RecordSource } from './record-source.ts';
import style from './source-choice.module.css';

export interface SourceChoiceProps {
  readonly channel: PlaybackChannel | null;
  readonly source: RecordSource;
  readonly onSource: (source: RecordSource) => void;
}

export function SourceChoice({ channel, source, onSource }: SourceChoiceProps) {
  const t = useT();
  const keepsFootage = useHasEdgeRecordings(channel);
  // Once chosen it can be taken back, whatever the device says now.
  if (!keepsFootage && source === RECORD_SOURCE.auto) return null;
  const options = [
    { value: String(RECORD_SOURCE.auto), label: t('playback.sourceAuto') },
    { value: String(RECORD_SOURCE.cloud), label: t('playback.sourceServer') },
    { value: String(RECORD_SOURCE.local), label: t('playback.sourceDevice') },
  ];
  return (
    <div className={style.root}>
      <p className={style.label} aria-hidden="true">
        {t('playback.source')}
      </p>
      <Segmented
        label={t('playback.source')}
        value={String(source)}
        options={options}
        onValue={(value) => onSource(Number(value) as RecordSource)}
        isWide
      />
    </div>
  );
}

function useHasEdgeRecordings(channel: PlaybackChannel | null): boolean {
  const caller = useCaller();
  const { data } = useQuery({
    queryKey: ['channel/capacity', channel?.deviceSerial, channel?.channelNo],
    queryFn: async ({ signal }) => {
      if (!channel) return null;
      const { deviceSerial, channelNo } = channel;
      return await caller.ask('channel/capacity', { deviceSerial, channelNo }, { signal, showError: false });
    },
    enabled: channel !== null,
    staleTime: 5 * 60_000,
    retry: false,
  });
  return data?.capabilities.includes('replay') ?? false;
}
