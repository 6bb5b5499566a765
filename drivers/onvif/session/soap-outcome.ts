// Reads the HTTP answer to a SOAP call: the body element, a refusal of credentials, or a DeviceFault; the body counts more than the status.
import { type Envelope, type SoapFault, SoapError, readEnvelope } from '@vedette/protocols/soap/envelope.ts';
import { type XmlElement, XmlError } from '@vedette/protocols/xml/xml.ts';
import { errorNamespace } from '@vedette/protocols/onvif/namespaces.ts';
import { DeviceFault } from '../../kit/device-fault.ts';
import type { OutboundResponse } from '../../kit/driver-context.ts';

export type SoapOutcome =
  | { readonly kind: 'answer'; readonly body: XmlElement | null }
  /** Credentials are missing, wrong, or came in a form the device does not take. `isTelling`: said in SOAP or with a challenge, as a device says it; any web server may forbid. */
  | {
      readonly kind: 'refused';
      readonly challenges: readonly string[];
      readonly isTelling: boolean;
      readonly fault: DeviceFault;
    }
  /** The device does not know WS-Security. */
  | { readonly kind: 'must-understand'; readonly fault: DeviceFault };

export function soapOutcome(response: OutboundResponse): SoapOutcome {
  const { status } = response;
  const challenges = response.headers.get('www-authenticate') ?? [];
  const envelope = envelopeOf(response);
  if (envelope?.fault) return faultOutcome(envelope.fault, status, challenges);
  if (status === 401 || status === 403 || status === 407) {
    const fault = new DeviceFault('auth', `the device refuses the credentials: HTTP ${status}`, {
      fault: `HTTP ${status}`,
    });
    return { kind: 'refused', challenges, isTelling: challenges.length > 0, fault };
  }
  if (status >= 200 && status < 300 && envelope !== null) return { kind: 'answer', body: envelope.body };
  throw statusFault(status);
}

/** Null for an empty body, and for a page where the status says all there is to say. */
function envelopeOf({ status, body }: OutboundResponse): Envelope | null {
  if (body.length === 0) return null;
  try {
    return readEnvelope(body);
  } catch (error) {
    if (!(error instanceof XmlError) && !(error instanceof SoapError)) throw error;
    if (status < 200 || status >= 300) return null;
    const head = body.subarray(0, 2000).toString('latin1');
    const isOurs = /^\s*</u.test(head) && /Envelope/u.test(head);
    const kind = isOurs ? 'device' : 'other-protocol';
    throw new DeviceFault(kind, `the answer is no SOAP: ${error.message}`, { fault: 'broken XML', cause: error });
  }
}

function statusFault(status: number): DeviceFault {
  const details = { fault: status >= 200 && status < 300 ? 'empty answer' : `HTTP ${status}` };
  if (status === 404 || status === 405 || status === 501) {
    return new DeviceFault('not-supported', `the device has no such service: HTTP ${status}`, details);
  }
  if (status >= 300 && status < 400) {
    return new DeviceFault('other-protocol', `the device sends us elsewhere: HTTP ${status}`, details);
  }
  return new DeviceFault('device', `the device answered ${details.fault}`, details);
}

function faultOutcome(fault: SoapFault, status: number, challenges: readonly string[]): SoapOutcome {
  const names = fault.subcodes.map(({ name }) => name);
  const words = [fault.code, ...names, fault.reason, fault.detail].join(' ').slice(0, 300);
  const make = (kind: DeviceFault['kind']) =>
    new DeviceFault(kind, `SOAP fault, HTTP ${status}: ${words}`, { fault: subcodeText(fault) });
  if (fault.code === 'MustUnderstand') return { kind: 'must-understand', fault: make('not-supported') };
  if (names.some((name) => lockedNames.test(name))) throw make('locked');
  const isRefusal = status === 401 || names.some((name) => authNames.test(name));
  if (isRefusal || (names.length === 0 && authWords.test(fault.reason))) {
    return { kind: 'refused', challenges, isTelling: true, fault: make('auth') };
  }
  throw make(names.some((name) => unsupportedNames.test(name)) ? 'not-supported' : 'device');
}

const authNames = /^(?:(?:Sender)?Not ?Authori[sz]ed|FailedAuthentication|NotAuthenticated|Unauthori[sz]ed)$/iu;
const authWords = /not authori[sz]ed|unauthori[sz]ed|authentication fail|authority failure/iu;
const lockedNames = /locked$/iu;
const unsupportedNames = /(?:NotSupported|NotImplemented)$|^(?:UnknownAction|NoSuchService|MethodNotFound)$/iu;

/** `ter:InvalidArgVal/ter:NoProfile`: what support needs, and nothing a device could smuggle into a page. */
function subcodeText(fault: SoapFault): string {
  const steps = fault.subcodes.map(({ namespace, name }) => (namespace === errorNamespace ? `ter:${name}` : name));
  const text = steps.length > 0 ? steps.join('/') : fault.code;
  return text.replace(/[^\w:/. -]/gu, '').slice(0, 100);
}
