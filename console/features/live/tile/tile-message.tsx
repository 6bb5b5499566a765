// The state of a tile in words over its video, with the age of the last frame.
import type { TileState } from '@vedette/player/live/tile-state.ts';
import {
  IconCloudOff,
  IconEyeOff,
  IconLock,
  IconPlayerPause,
  IconPlug,
  IconPlugConnectedX,
  IconRefresh,
  IconServerOff,
  IconVideoOff,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { useT } from '../../../language/use-t.ts';
import { useTimeFormat } from '../../../language/use-time-format.ts';
import { isConnectionReason } from '../../device-connection/connection-target.ts';
import { useServices } from '../../../services/services.ts';
import style from './tile-message.module.css';
import { ageText, isServerAway, tileSentence } from './tile-sentence.ts';
import { useSecondTick } from './use-second-tick.ts';
import { useServerContact } from './use-server-contact.ts';

export interface TileMessageProps {
  readonly state: TileState;
  readonly lastFrameAt: number | null;
  readonly onRetry: () => void;
  /** Absent where the viewer may not change how the device is reached. */
  readonly onConnection?: (() => void) | undefined;
}

const ICON: Readonly<Partial<Record<TileState['kind'], ReactNode>>> = {
  stalled: <IconCloudOff size={18} stroke={1.7} />,
  offline: <IconPlugConnectedX size={18} stroke={1.7} />,
  denied: <IconLock size={18} stroke={1.7} />,
  ended: <IconEyeOff size={18} stroke={1.7} />,
  unsupported: <IconVideoOff size={18} stroke={1.7} />,
  paused: <IconPlayerPause size={18} stroke={1.7} />,
};

const SERVER_AWAY_ICON = <IconServerOff size={18} stroke={1.7} />;

export function TileMessage({ state, lastFrameAt, onRetry, onConnection }: TileMessageProps) {
  const t = useT();
  const contact = useServerContact(state);
  const sentence = tileSentence(t, state, contact);
  if (sentence === null) return null;
  const isAway = isServerAway(state, contact);
  const isConnecting = state.kind === 'connecting' && !isAway;
  return (
    <div
      className={style.message}
      data-quiet={isConnecting || undefined}
      data-over={lastFrameAt !== null || undefined}
      title={sentence.detail ?? undefined}
    >
      <StateSign {...{ state, isAway, isConnecting }} />
      <p className={style.title}>{sentence.title}</p>
      {sentence.detail !== null && <p className={style.detail}>{sentence.detail}</p>}
      {lastFrameAt !== null && !isConnecting && <LastFrameAge at={lastFrameAt} />}
      <MessageActions
        onRetry={sentence.canRetry ? onRetry : undefined}
        onConnection={isConnectionState(state) ? onConnection : undefined}
      />
    </div>
  );
}

interface StateSignProps {
  readonly state: TileState;
  readonly isAway: boolean;
  readonly isConnecting: boolean;
}

function StateSign({ state, isAway, isConnecting }: StateSignProps) {
  if (isConnecting) return <span className={style.spinner} aria-hidden="true" />;
  return (
    <span className={style.icon} aria-hidden="true">
      {isAway ? SERVER_AWAY_ICON : ICON[state.kind]}
    </span>
  );
}

function isConnectionState(state: TileState): boolean {
  return state.kind === 'offline' && isConnectionReason(state.reason);
}

interface MessageActionsProps {
  readonly onRetry: (() => void) | undefined;
  readonly onConnection: (() => void) | undefined;
}

function MessageActions({ onRetry, onConnection }: MessageActionsProps) {
  const t = useT();
  return (
    <div className={style.actions}>
      {onRetry !== undefined && (
        <button type="button" className={style.retry} onClick={onRetry}>
          <IconRefresh size={14} stroke={1.8} aria-hidden="true" />
          {t('common.retry')}
        </button>
      )}
      {onConnection !== undefined && (
        <button type="button" className={style.retry} onClick={onConnection}>
          <IconPlug size={14} stroke={1.8} aria-hidden="true" />
          {t('connect.edit')}
        </button>
      )}
    </div>
  );
}

function LastFrameAge({ at }: { readonly at: number }) {
  const t = useT();
  const { clock } = useServices();
  const format = useTimeFormat();
  useSecondTick(true);
  const age = ageText(t, clock.wallMs() - at);
  return (
    <p className={style.age}>
      <span className={style.long}>{t('live.stillAge', { age, time: formatDateTime(at, format) })}</span>
      <span className={style.short} aria-hidden="true">
        {t('live.stillAgeShort', { age })}
      </span>
    </p>
  );
}
