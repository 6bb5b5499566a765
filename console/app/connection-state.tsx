// Shows the connection to the server and the age of its last message.
import { useEffect, useState } from 'react';
import type { Translate } from '@vedette/phrases/translate.ts';
import { useT } from '../language/use-t.ts';
import { useConnection } from '../realtime/connection-store.ts';
import { useServices } from '../services/services.ts';
import { StatusDot, type StatusTone } from '../ui/feedback/status-dot.tsx';
import { Tip } from '../ui/buttons/tip.tsx';
import style from './connection-state.module.css';

const TICK_MS = 1000;

export function ageText(t: Translate, ageMs: number): string {
  const seconds = Math.max(0, Math.floor(ageMs / 1000));
  if (seconds < 60) return t('age.seconds', { value: seconds });
  if (seconds < 3600) return t('age.minutes', { value: Math.floor(seconds / 60) });
  return t('age.hours', { value: Math.floor(seconds / 3600) });
}

function useNow(): number {
  const { clock } = useServices();
  const [now, setNow] = useState(() => clock.wallMs());
  useEffect(() => {
    const timer = setInterval(() => setNow(clock.wallMs()), TICK_MS);
    return () => clearInterval(timer);
  }, [clock]);
  return now;
}

const TONES: Record<string, StatusTone> = {
  online: 'online',
  connecting: 'unknown',
  reconnecting: 'offline',
  idle: 'unknown',
};
const LABELS = {
  online: 'connection.online',
  connecting: 'connection.connecting',
  reconnecting: 'connection.reconnecting',
  idle: 'connection.connecting',
} as const;

export function ConnectionState({ isNarrow }: { readonly isNarrow: boolean }) {
  const t = useT();
  const now = useNow();
  const { state, lastMessageAt } = useConnection();
  if (state === 'idle') return null;
  const age = lastMessageAt === 0 ? null : ageText(t, now - lastMessageAt);
  const detail = age === null ? t(LABELS[state]) : t('connection.age', { age });
  return (
    <Tip label={`${t(LABELS[state])} · ${detail}`} side="right">
      <div className={style.root} data-narrow={isNarrow || undefined} data-connection>
        <StatusDot tone={TONES[state] ?? 'unknown'} />
        <span className={style.label}>{t(LABELS[state])}</span>
        {age !== null && <span className={style.age}>{age}</span>}
      </div>
    </Tip>
  );
}
