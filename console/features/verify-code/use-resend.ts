// Counts down the seconds until another code can be sent.
import { useEffect, useState } from 'react';
import { useServices } from '../../services/services.ts';

const SECOND_MS = 1000;

/** `start` begins a countdown; `left` is 0 when another code can be sent. */
export function useResend(): { readonly left: number; readonly start: (seconds: number) => void } {
  const { clock } = useServices();
  const [until, setUntil] = useState(0);
  const [now, setNow] = useState(0);
  const leftMs = Math.max(0, until - now);
  useEffect(() => {
    if (leftMs <= 0) return;
    return clock.after(Math.min(SECOND_MS, leftMs), () => setNow(clock.wallMs()));
  }, [clock, leftMs]);
  const start = (seconds: number): void => {
    const at = clock.wallMs();
    setNow(at);
    setUntil(at + seconds * SECOND_MS);
  };
  return { left: Math.ceil(leftMs / SECOND_MS), start };
}
