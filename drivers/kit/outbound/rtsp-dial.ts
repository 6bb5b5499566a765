// Gives the RTSP client its connections through the outbound client, so that streams too obey the network policy.
import type { RtspDial } from '@vedette/protocols/rtsp/dial.ts';
import { RtspError, type RtspErrorCode } from '@vedette/protocols/rtsp/rtsp-error.ts';
import { DeviceFault, type DeviceFaultKind } from '../device-fault.ts';
import type { OutboundClient } from '../driver-context.ts';

const connectTimeoutMs = 10_000;

export function rtspDial(outbound: Pick<OutboundClient, 'dial'>): RtspDial {
  return async ({ host, port, isSecure, onread, signal }) => {
    try {
      return await outbound.dial({ host, port, tls: isSecure, onread, signal, timeoutMs: connectTimeoutMs });
    } catch (error) {
      if (!(error instanceof DeviceFault)) throw error;
      throw new RtspError(codes[error.kind] ?? 'unreachable', error.message, { cause: error });
    }
  };
}

const codes: Partial<Record<DeviceFaultKind, RtspErrorCode>> = {
  'address-refused': 'refused-address',
  'other-protocol': 'protocol',
  timeout: 'timeout',
  untrusted: 'untrusted',
};
