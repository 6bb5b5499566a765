// Names the errors of the RTSP client as DeviceFaults.
import { RtspError, type RtspErrorCode } from '@vedette/protocols/rtsp/rtsp-error.ts';
import { DeviceFault, type DeviceFaultKind } from '../kit/device-fault.ts';

/** Anything that is no RtspError passes through. */
export function rtspFault(error: unknown): unknown {
  if (!(error instanceof RtspError)) return error;
  if (error.cause instanceof DeviceFault) return error.cause;
  const fault = faultOf(error);
  const details = { cause: error, ...(fault === null ? {} : { fault }) };
  return new DeviceFault(kindOf(error), error.message, details);
}

function faultOf({ code, status }: RtspError): string | null {
  if (code === 'untrusted') return 'weaker sign-in';
  return status === null ? null : `RTSP ${status}`;
}

/** Who answers in RTSP is a device, whatever it says. */
function kindOf({ code, status }: RtspError): DeviceFaultKind {
  if (code !== 'transport' && code !== 'protocol') return kinds[code];
  return status === null ? 'other-protocol' : 'device';
}

const kinds: Readonly<Record<Exclude<RtspErrorCode, 'transport' | 'protocol'>, DeviceFaultKind>> = {
  authentication: 'auth',
  untrusted: 'untrusted',
  'refused-address': 'address-refused',
  timeout: 'timeout',
  'not-found': 'not-found',
  'no-track': 'no-video',
  unreachable: 'unreachable',
  closed: 'unreachable',
};
