// The streams of a channel as its device sends them, each with a way to ask for a keyframe now, and whether media come straight from its site.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { Quality } from '@vedette/contract/enumerations.ts';
import { IconKeyframe } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { failureCode } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import type { ChannelPlace } from '../../navigation/paths.ts';
import { useCaller } from '../../services/services.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { SkeletonLines } from '../../ui/feedback/state-view.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import style from './channel-list.module.css';

const CODECS: Readonly<Record<string, string>> = { h264: 'H.264', h265: 'H.265', mjpeg: 'Motion JPEG' };
const QUALITIES = ['live.quality0', 'live.quality1', 'live.quality2'] as const;

export function StreamList({ deviceSerial, channelNo }: ChannelPlace) {
  const t = useT();
  const caller = useCaller();
  // A camera that cannot make keyframes on request says so once.
  const [isRefused, setRefused] = useState(false);
  const streams = useQuery({
    queryKey: ['stream/list', deviceSerial, channelNo],
    queryFn: ({ signal }) => caller.ask('stream/list', { deviceSerial, channelNo }, { signal, showError: false }),
  });
  const nat = useQuery({
    queryKey: ['nat/factor', deviceSerial],
    queryFn: ({ signal }) => caller.ask('nat/factor', { deviceSerial }, { signal, showError: false }),
  });
  if (streams.isPending) return <SkeletonLines label={t('common.loading')} rows={2} rowHeight={24} />;
  if (streams.data === undefined) return <p className={style.stream}>{failureText(t, streams.error)}</p>;
  const refresh = async (quality: Quality): Promise<void> => {
    try {
      await caller.ask('keyframe/invoke', { deviceSerial, channelNo, quality }, { showError: false });
      showToast('success', t('streams.asked'));
    } catch (failure) {
      if (failureCode(failure) === ERROR_CODES.functionNotSupported) setRefused(true);
      showToast('error', failureText(t, failure));
    }
  };
  return (
    <ul className={style.streams}>
      {streams.data.streamList.map(({ quality, codec, width, height, fps, kbps }) => {
        const name = t(QUALITIES[quality] ?? 'live.quality0');
        const parts = [
          CODECS[codec] ?? codec.toUpperCase(),
          width > 0 && `${width} × ${height}`,
          fps && `${fps} fps`,
          kbps && `${kbps} kbit/s`,
        ];
        return (
          <li key={quality} className={style.stream}>
            <span className={style.name}>
              {name} · <span className="digits">{parts.filter(Boolean).join(' · ')}</span>
            </span>
            {!isRefused && (
              <IconButton
                label={t('streams.key', { name })}
                size="small"
                tipSide="left"
                onClick={() => void refresh(quality as Quality)}
              >
                <IconKeyframe size={15} stroke={1.7} />
              </IconButton>
            )}
          </li>
        );
      })}
      {nat.data !== undefined && (
        <li className={style.stream}>{t(nat.data.factor > 0 ? 'streams.direct' : 'streams.relayed')}</li>
      )}
    </ul>
  );
}
