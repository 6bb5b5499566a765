// Factory of live transports: the one place that knows all of them.
import { makeRelayedTransport } from './make-relayed-transport.ts';
import type { LiveTransport, TransportKind, TransportOptions } from './transport.ts';
import { WebRtcTransport } from './webrtc-transport.ts';

export function makeTransport(kind: TransportKind, options: TransportOptions): LiveTransport {
  return kind === 'webrtc' ? new WebRtcTransport(options) : makeRelayedTransport(kind, options);
}
