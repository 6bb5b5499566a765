// The one truth about the connection to the server: the state of the event connection and when its last message came.
import { create } from 'zustand';
import type { ConnectionState } from '@vedette/sdk/client/connection-state.ts';

interface Connection {
  readonly state: ConnectionState;
  /** Milliseconds since 1970 UTC; 0 before the first message. */
  readonly lastMessageAt: number;
  /** Finds out soon whether the server still answers. */
  readonly check: () => void;
}
export const useConnection = create<Connection>(() => ({ state: 'idle', lastMessageAt: 0, check: () => undefined }));
