// Factory of the live transports that get their video through the server.
import { HlsTransport } from './hls-transport.ts';
import { JpegTransport } from './jpeg-transport.ts';
import { MseTransport } from './mse-transport.ts';
import type { LiveTransport, TransportKind, TransportOptions } from './transport.ts';
import { WebCodecsTransport } from './webcodecs-transport.ts';

/** For pages that never give a direct address, which need not load what it takes; they get a TypeError where they do. */
export function makeRelayedTransport(kind: TransportKind, options: TransportOptions): LiveTransport {
  switch (kind) {
    case 'webcodecs':
      return new WebCodecsTransport(options);
    case 'mse':
      return new MseTransport(options);
    case 'hls':
      return new HlsTransport(options);
    case 'jpeg':
      return new JpegTransport(options);
    case 'webrtc':
      throw new TypeError('direct video needs `makeTransport`');
  }
}
