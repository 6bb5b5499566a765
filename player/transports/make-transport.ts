// Factory of live transports: the one place that knows all of them.
import { HlsTransport } from './hls-transport.ts';
import { JpegTransport } from './jpeg-transport.ts';
import { MseTransport } from './mse-transport.ts';
import type { LiveTransport, TransportKind, TransportOptions } from './transport.ts';
import { WebCodecsTransport } from './webcodecs-transport.ts';
import { WebRtcTransport } from './webrtc-transport.ts';

export function makeTransport(kind: TransportKind, options: TransportOptions): LiveTransport {
  switch (kind) {
    case 'webcodecs':
      return new WebCodecsTransport(options);
    case 'mse':
      return new MseTransport(options);
    case 'hls':
      return new HlsTransport(options);
    case 'webrtc':
      return new WebRtcTransport(options);
    case 'jpeg':
      return new JpegTransport(options);
  }
}
