// Names the errors of the RTSP client as DeviceFaults.
import { RtspError } from '@vedette/protocols/rtsp/rtsp-error.ts';
import { DeviceFault } from '../kit/device-fault.ts';

/** Anything that is no RtspError passes through. */
export function rtspFault(error: unknown): unknown {
  if (!(error instanceof RtspError)) return error;
  if (error.cause instanceof DeviceFault) return error.cause;
  const details = { cause: error, ...(error.status === null ? {} : { fault: `RTSP ${error.status}` }) };
  switch (error.code) {
    case 'authentication':
      return new DeviceFault('auth', error.message, details);
    case 'untrusted':
      return new DeviceFault('untrusted', error.message, { ...details, fault: 'weaker sign-in' });
    case 'refused-address':
      return new DeviceFault('address-refused', error.message, details);
    case 'timeout':
      return new DeviceFault('timeout', error.message, details);
    case 'not-found':
      return new DeviceFault('not-found', error.message, details);
    case 'no-track':
      return new DeviceFault('no-video', error.message, details);
    case 'transport':
    case 'protocol':
      return new DeviceFault(error.status === null ? 'other-protocol' : 'device', error.message, details);
    case 'unreachable':
    case 'closed':
      return new DeviceFault('unreachable', error.message, details);
  }
}
