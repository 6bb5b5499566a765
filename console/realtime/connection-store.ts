// What the shell shows of the event connection: its state and when the last message came.
import { create } from 'zustand';
import type { ConnectionState } from './realtime-client.ts';

interface Connection {
  readonly state: ConnectionState;
  /** Milliseconds since 1970 UTC; 0 before the first message. */
  readonly lastMessageAt: number;
}
export const useConnection = create<Connection>(() => ({ state: 'idle', lastMessageAt: 0 }));
