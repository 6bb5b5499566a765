// What a tile without a picture knows of the server: a camera is blamed only while the server is heard.
import type { TileState } from '@vedette/player/live/tile-state.ts';
import { useEffect, useMemo, useRef } from 'react';
import { useConnection } from '../../../realtime/connection-store.ts';
import { useServices } from '../../../services/services.ts';

/** `unproven`: nothing was heard of the server since the picture stopped. */
export type ServerContact = 'heard' | 'unproven' | 'lost';

export function useServerContact(state: TileState): ServerContact {
  const { clock } = useServices();
  const since = state.kind === 'stalled' ? state.since : null;
  // By the clock of the connection: the player's own may differ from it.
  const stoppedAt = useMemo(() => (since === null ? null : clock.wallMs()), [since, clock]);
  const check = useConnection((connection) => connection.check);
  useEffect(() => {
    if (stoppedAt !== null) check();
  }, [stoppedAt, check]);
  return useConnection((connection) => {
    if (connection.state === 'reconnecting') return 'lost';
    // A guest's page has no event connection.
    if (connection.state === 'idle' || stoppedAt === null) return 'heard';
    return connection.lastMessageAt >= stoppedAt ? 'heard' : 'unproven';
  });
}

/** Calls back when the server is there again. */
export function useServerReturn(onReturn: () => void): void {
  const isOnline = useConnection(({ state }) => state === 'online');
  const latest = useRef(onReturn);
  useEffect(() => {
    latest.current = onReturn;
  });
  const hasBeenOnline = useRef(isOnline);
  useEffect(() => {
    if (!isOnline) return;
    if (hasBeenOnline.current) latest.current();
    hasBeenOnline.current = true;
  }, [isOnline]);
}
