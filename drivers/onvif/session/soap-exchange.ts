// Sends one SOAP call and gets it accepted: signs it with the device's time, and tries the other ways to sign when it is refused.
import { getSystemDateAndTime } from '@vedette/protocols/onvif/device-operations.ts';
import { onvifPrefixes } from '@vedette/protocols/onvif/namespaces.ts';
import { type Operation, decodeResponse, encodeRequest } from '@vedette/protocols/onvif/operation.ts';
import { SchemaError } from '@vedette/protocols/onvif/schema.ts';
import { soapContentType, writeEnvelope } from '@vedette/protocols/soap/envelope.ts';
import { writeMtom } from '@vedette/protocols/soap/mtom.ts';
import { XmlElement } from '@vedette/protocols/xml/xml.ts';
import type { XmlNode } from '@vedette/protocols/xml/xml-writer.ts';
import { DeviceFault } from '../../kit/device-fault.ts';
import type { DeviceCredentials } from '../../kit/driver.ts';
import type { BodySource, DriverContext, OutboundRequest } from '../../kit/driver-context.ts';
import { deviceClockMs } from './device-clock.ts';
import { type AuthMode, type AuthTrial, type SignedCall, SoapAuth, unsignedCall } from './soap-auth.ts';
import { type SoapOutcome, soapOutcome } from './soap-outcome.ts';

export interface SoapExchangeOptions {
  readonly context: DriverContext;
  readonly deviceUrl: URL;
  readonly credentials: DeviceCredentials | null;
  readonly authMode: AuthMode | null;
  readonly signal: AbortSignal;
}

/** A pull is held by the device for up to a minute. */
const requestTimeoutMs = { read: 5_000, cursor: 8_000, write: 15_000, pull: 75_000 } as const;
const maxAnswerBytes = 4 << 20;
const clockValidMs = 600_000;
/** A clock read this recently is not the reason for a refusal. */
const clockFreshMs = 5_000;
/** Two ways to sign, each perhaps after a challenge, a corrected clock and a weaker algorithm. */
const maxAttempts = 7;

/** What a call may need beyond its operation. */
export interface CallExtras {
  /** Header blocks besides that of WS-Security. */
  readonly header?: readonly XmlNode[];
  /** Instead of the one that ends everything. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Goes beside the envelope in an MTOM package, under the id that the request names. */
  readonly attached?: BodySource & { readonly contentId: string };
}

interface EncodedCall<Q, S> {
  readonly op: Operation<Q, S>;
  readonly node: XmlNode;
  readonly url: URL;
  readonly extras: CallExtras;
}

/** The wire form of one call. */
type Sent = Pick<OutboundRequest, 'body' | 'source'> & { readonly contentType: string };

export class SoapExchange {
  readonly #options: SoapExchangeOptions;
  readonly #auth: SoapAuth;
  /** False while nothing it said shows that a device speaks there. */
  #isDevice: boolean;
  #clock: { readonly offsetMs: number | null; readonly readAt: number } | null = null;

  constructor(options: SoapExchangeOptions) {
    const { context, credentials, authMode } = options;
    this.#options = options;
    this.#isDevice = authMode !== null;
    this.#auth = new SoapAuth({ credentials, randomBytes: context.randomBytes, mode: authMode });
  }

  /** Device time minus ours; null before it was asked, or where the device does not tell. */
  get clockOffsetMs(): number | null {
    return this.#clock?.offsetMs ?? null;
  }

  get authMode(): AuthMode | null {
    return this.#auth.provenMode;
  }

  forgetClock(): void {
    this.#clock = null;
  }

  async send<Q, S>(op: Operation<Q, S>, request: Q, url: URL, extras: CallExtras = {}): Promise<S> {
    const call: EncodedCall<Q, S> = { op, node: encodeRequest(op, request), url, extras };
    const trial: AuthTrial = { tried: new Set() };
    // By the specification the time is told to everyone, and it must be known before anything can be signed.
    let isUnsigned = op.name === getSystemDateAndTime.name;
    let fault: DeviceFault | null = null;
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const signed = isUnsigned ? unsignedCall : await this.#sign(call);
      const outcome = await this.#post(call, signed);
      this.#isDevice ||= outcome.kind !== 'refused' || outcome.isTelling;
      if (outcome.kind === 'answer') {
        this.#auth.succeeded(signed);
        return decode(op, outcome.body);
      }
      fault = outcome.fault;
      const isWorthTrying = isUnsigned
        ? this.#options.credentials !== null
        : await this.#mayRetry(op, signed, outcome, trial);
      if (!isWorthTrying) break;
      isUnsigned = false;
    }
    throw this.#failure(fault);
  }

  /** `last`: why the last attempt failed; null where no attempt was made. */
  #failure(last: DeviceFault | null): DeviceFault {
    if (last === null) return new DeviceFault('auth', 'the device keeps asking for credentials');
    if (this.#isDevice) return last;
    return new DeviceFault('other-protocol', `no sign of ONVIF: ${last.message}`, { fault: last.fault ?? '' });
  }

  async #mayRetry<Q, S>(
    op: Operation<Q, S>,
    signed: SignedCall,
    outcome: Exclude<SoapOutcome, { kind: 'answer' }>,
    trial: AuthTrial,
  ): Promise<boolean> {
    if (signed.mode === 'ws-security' && outcome.kind === 'refused' && (await this.#wasClockWrong(op))) return true;
    return this.#auth.refused(signed, outcome, trial);
  }

  /** A device that was set or restarted refuses tokens by the old offset. */
  async #wasClockWrong<Q, S>(op: Operation<Q, S>): Promise<boolean> {
    const before = this.#clock;
    const { clock } = this.#options.context;
    if (op.name === getSystemDateAndTime.name || before === null) return false;
    if (clock.monotonicMs() - before.readAt < clockFreshMs) return false;
    this.#clock = null;
    await this.#readClock();
    return Math.abs((this.clockOffsetMs ?? 0) - (before.offsetMs ?? 0)) > 2_000;
  }

  async #sign<Q, S>({ op, node, url, extras: { header = [] } }: EncodedCall<Q, S>): Promise<SignedCall> {
    if (this.#auth.needsClock && op.name !== getSystemDateAndTime.name) await this.#readClock();
    const plain = writeEnvelope({ header, body: node, prefixes: onvifPrefixes });
    const deviceNowMs = this.#options.context.clock.wallMs() + (this.clockOffsetMs ?? 0);
    return this.#auth.sign(`${url.pathname}${url.search}`, plain, deviceNowMs);
  }

  async #post<Q, S>({ op, node, url, extras }: EncodedCall<Q, S>, signed: SignedCall): Promise<SoapOutcome> {
    const { context } = this.#options;
    const security = signed.securityHeader === null ? [] : [signed.securityHeader];
    const header = [...security, ...(extras.header ?? [])];
    const envelope = writeEnvelope({ header, body: node, prefixes: onvifPrefixes });
    const { contentType, ...sent } = this.#wireForm(op.action, envelope, extras.attached);
    const response = await context.http({
      url: url.href,
      method: 'POST',
      headers: {
        'content-type': contentType,
        ...(signed.authorization === null ? {} : { authorization: signed.authorization }),
      },
      ...sent,
      timeoutMs: extras.timeoutMs ?? requestTimeoutMs[op.kind],
      maxBytes: maxAnswerBytes,
      signal: extras.signal ?? this.#options.signal,
    });
    return soapOutcome(response);
  }

  #wireForm(action: string, envelope: string, attached: CallExtras['attached']): Sent {
    if (attached === undefined) return { contentType: `${soapContentType}; action="${action}"`, body: envelope };
    const boundary = this.#options.context.randomBytes(16).toString('hex');
    const { contentType, head, tail } = writeMtom({ envelope, action, boundary, contentId: attached.contentId });
    const source: BodySource = {
      bytes: head.length + attached.bytes + tail.length,
      read: async function* () {
        yield head;
        yield* attached.read();
        yield tail;
      },
      onSent: (bytes) => attached.onSent?.(Math.min(attached.bytes, Math.max(0, bytes - head.length))),
    };
    return { contentType, source };
  }

  async #readClock(): Promise<void> {
    const { clock, log } = this.#options.context;
    if (this.#clock !== null && clock.monotonicMs() - this.#clock.readAt < clockValidMs) return;
    let offsetMs: number | null = null;
    try {
      const before = clock.wallMs();
      const answer = await this.send(getSystemDateAndTime, {}, this.#options.deviceUrl);
      const deviceMs = deviceClockMs(answer.SystemDateAndTime);
      if (deviceMs !== null) offsetMs = Math.round(deviceMs - (before + clock.wallMs()) / 2);
    } catch (error) {
      // The device answered, only not with its time; silence is another matter.
      const isAnswer = error instanceof DeviceFault && ['auth', 'not-supported', 'device'].includes(error.kind);
      if (!isAnswer) throw error;
      log.debug({ fault: error.fault }, 'the device does not tell its time');
    }
    this.#clock = { offsetMs, readAt: clock.monotonicMs() };
  }
}

function decode<Q, S>(op: Operation<Q, S>, body: XmlElement | null): S {
  const source = body ?? new XmlElement({ qualifiedName: `${op.name}Response`, attributes: {}, parent: null });
  try {
    return decodeResponse(op, source);
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    throw new DeviceFault('device', `${op.name}: ${error.message}`, { fault: 'unexpected answer', cause: error });
  }
}
