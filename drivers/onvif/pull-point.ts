// One pull-point subscription: created, pulled, renewed, unsubscribed (ONVIF Core 9.2).
import { type EndpointReference, addressingHeader } from '@vedette/protocols/onvif/endpoint-reference.ts';
import {
  createPullPointSubscription,
  pullMessages,
  renew,
  setEventSynchronizationPoint,
  unsubscribe,
} from '@vedette/protocols/onvif/event-operations.ts';
import type { Operation } from '@vedette/protocols/onvif/operation.ts';
import { DeviceFault } from '../kit/device-fault.ts';
import { serviceUrl } from './session/device-address.ts';
import type { Notification } from './event-message.ts';
import type { OnvifSession } from './session/onvif-session.ts';

const wantedLifeMs = 600_000;
/** Bounds of granted lifetimes: outside of them the device's clock is assumed to be wrong. */
const shortestLifeMs = 10_000;
const longestLifeMs = 3_600_000;
const longestPullMs = 60_000;
const shortestPullMs = 5_000;
/** Beyond the time the device was asked to wait. */
const answerGraceMs = 15_000;
const messageLimit = 100;
/** Timeout of unsubscribing. */
const goodbyeMs = 2_000;

interface Lease {
  readonly CurrentTime?: number | undefined;
  readonly TerminationTime?: number | undefined;
}

export class PullPoint {
  readonly #session: OnvifSession;
  readonly #reference: EndpointReference;
  readonly #signal: AbortSignal;
  #lifeMs: number;
  #renewedAt: number;
  #canRenew = true;

  private constructor(session: OnvifSession, reference: EndpointReference, lifeMs: number, signal: AbortSignal) {
    this.#session = session;
    this.#reference = reference;
    this.#signal = signal;
    this.#lifeMs = lifeMs;
    this.#renewedAt = session.context.clock.monotonicMs();
  }

  static async create(session: OnvifSession, signal: AbortSignal): Promise<PullPoint> {
    const url = await session.serviceUrl('events');
    const request = { InitialTerminationTime: duration(wantedLifeMs) };
    const header = headerFor(session, createPullPointSubscription, { Address: url.href });
    const made = await session.callAt(createPullPointSubscription, request, url, { header, signal });
    const lifeMs = lifeOf(made) ?? wantedLifeMs;
    return new PullPoint(session, made.SubscriptionReference, lifeMs, signal);
  }

  /** How long the device may hold a pull: well within the subscription's lifetime. */
  get #pullMs(): number {
    return Math.min(longestPullMs, Math.max(shortestPullMs, this.#lifeMs / 2));
  }

  /** Most devices send all property states to new subscribers; others only on request. */
  async synchronise(): Promise<void> {
    await this.#optional(() => this.#call(setEventSynchronizationPoint, {}, {}));
  }

  /** Messages in the device's order, null for unreadable ones; empty if nothing happened. */
  async pull(): Promise<readonly (Notification | null)[]> {
    if (this.#canRenew && this.#ageMs() > this.#lifeMs / 2) await this.#renew();
    const pullMs = this.#pullMs;
    const request = { Timeout: duration(pullMs), MessageLimit: messageLimit };
    const answer = await this.#call(pullMessages, request, { timeoutMs: pullMs + answerGraceMs });
    return answer.NotificationMessage;
  }

  /** Never rejects: an offline device drops the subscription by itself. */
  async close(): Promise<void> {
    try {
      await this.#call(unsubscribe, {}, { signal: AbortSignal.timeout(goodbyeMs), timeoutMs: goodbyeMs });
    } catch (error) {
      this.#session.context.log.debug({ err: error }, 'the device did not take its subscription back');
    }
  }

  async #renew(): Promise<void> {
    const isTaken = await this.#optional(async () => {
      const lease = await this.#call(renew, { TerminationTime: duration(wantedLifeMs) }, {});
      this.#lifeMs = lifeOf(lease) ?? this.#lifeMs;
    });
    // Some renew with each pull and support no Renew; otherwise the next pull fails and a new one is created.
    this.#canRenew = isTaken;
    this.#renewedAt = this.#session.context.clock.monotonicMs();
  }

  #ageMs(): number {
    return this.#session.context.clock.monotonicMs() - this.#renewedAt;
  }

  /** False if the device rejects it; other faults are thrown. */
  async #optional(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof DeviceFault) || !(error.kind === 'device' || error.kind === 'not-supported')) throw error;
      this.#session.context.log.debug({ fault: error.fault }, error.message);
      return false;
    }
  }

  async #call<Q, S>(
    op: Operation<Q, S>,
    request: Q,
    extras: { readonly signal?: AbortSignal; readonly timeoutMs?: number },
  ): Promise<S> {
    const url = serviceUrl(this.#session.device, this.#reference.Address);
    const header = headerFor(this.#session, op, this.#reference);
    return await this.#session.callAt(op, request, url, { signal: this.#signal, ...extras, header });
  }
}

function headerFor<Q, S>(session: OnvifSession, { action }: Operation<Q, S>, to: EndpointReference) {
  const hex = session.context.randomBytes(16).toString('hex');
  const messageId = `urn:uuid:${hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/u, '$1-$2-4$3-a$4-$5')}`;
  return addressingHeader({ action, messageId, to });
}

/** Lifetime by the device's own clock, or null if implausible: some return a past time. */
function lifeOf({ CurrentTime, TerminationTime }: Lease): number | null {
  if (CurrentTime === undefined || TerminationTime === undefined) return null;
  const lifeMs = TerminationTime - CurrentTime;
  return lifeMs <= 0 ? shortestLifeMs : Math.min(longestLifeMs, Math.max(shortestLifeMs, lifeMs));
}

/** xs:duration in seconds: some devices accept no other unit. */
function duration(ms: number): string {
  return `PT${Math.round(ms / 1000)}S`;
}
