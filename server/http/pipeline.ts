// Runs one call: authenticate, parse, authorize, handle, check the output, audit, wrap in the envelope.
import type { Call } from '@vedette/contract/call.ts';
import { type CallPath, calls, type Envelope } from '@vedette/contract/calls/calls.ts';
import { ERROR_CODES, errorName } from '@vedette/contract/errors.ts';
import type { Logger } from 'pino';
import { CallError, fieldError } from '../core/call-error.ts';
import { finishesWithin } from '@vedette/foundation/time/finishes-within.ts';
import type { Credentials } from '../auth/sessions.ts';
import type { AuditWriter } from '../audit/audit-writer.ts';
import { readBefore } from '../audit/audited-change.ts';
import { DatabaseBusy, withRequestDeadline, withoutRequestDeadline } from '../database/request-deadline.ts';
import { isForeignKeyViolation } from '../database/unique-violation.ts';
import { type AuditTrail, auditLines, emptyTrail, noteCaller, auditObjectOf, auditOwnersOf } from './audit-trail.ts';
import { invalidTextsIn } from './invalid-text.ts';
import { fieldErrors } from './field-errors.ts';
import type { AllHandlers } from './handler.ts';
import type { CallCounters } from '../metrics/call-counters.ts';
import { enforceRule, type RuleDeps, signInToCall } from './permission-rule.ts';
import type { PublicOrigin } from './public-origin.ts';
import { enforceSessionRestrictions } from './session-restrictions.ts';

export interface IncomingCall extends Credentials {
  readonly body: unknown;
  readonly address: string;
  readonly agent: string;
  readonly origin: PublicOrigin;
  /** Origin of the page that calls where that is another than ours; null otherwise. */
  readonly page: string | null;
  /** The `Cookie` header; empty for none. */
  readonly cookies: string;
  /** Adds a `Set-Cookie` header to the answer. */
  readonly setCookie: (header: string) => void;
}

/** An answer waits no longer for its line: before a database that stands still the line is written when it goes on. */
const AUDIT_WITHIN_MS = 2000;

type AnyHandler = (request: object) => Promise<unknown>;

export class Pipeline {
  readonly #deps: RuleDeps;
  readonly #auditWriter: AuditWriter;
  readonly #handlers: AllHandlers;
  readonly #log: Logger;
  readonly #counters: CallCounters;
  readonly #checksAnswers: boolean;

  constructor(options: {
    parts: RuleDeps;
    auditWriter: AuditWriter;
    handlers: AllHandlers;
    log: Logger;
    counters: CallCounters;
    checksAnswers: boolean;
  }) {
    this.#deps = options.parts;
    this.#auditWriter = options.auditWriter;
    this.#handlers = options.handlers;
    this.#log = options.log;
    this.#counters = options.counters;
    this.#checksAnswers = options.checksAnswers;
  }

  async run(path: CallPath, incoming: IncomingCall): Promise<Envelope> {
    const startedAt = this.#deps.clock.monotonicMs();
    const trail = emptyTrail();
    const envelope = await withRequestDeadline(() => this.#answer(path, incoming, trail), startedAt);
    this.#counters.count(path, envelope.code, this.#deps.clock.monotonicMs() - startedAt);
    await this.#audit(path, incoming, trail, envelope);
    return envelope;
  }

  async #answer(path: CallPath, incoming: IncomingCall, trail: AuditTrail): Promise<Envelope> {
    try {
      const data = await this.#handle(path, incoming, trail);
      return { code: ERROR_CODES.success, message: 'success', data };
    } catch (error) {
      if (error instanceof CallError) return refusal(error.code, error.data);
      if (error instanceof DatabaseBusy) return refusal(ERROR_CODES.serviceBusy, null);
      // What the input names was there when it was looked up, and went before it was written.
      if (isForeignKeyViolation(error)) return refusal(ERROR_CODES.notFound, null);
      this.#log.error({ err: error, call: path }, 'a call failed');
      return refusal(ERROR_CODES.serverInternalError, null);
    }
  }

  async #handle(path: CallPath, incoming: IncomingCall, trail: AuditTrail): Promise<unknown> {
    const declaration: Call = calls[path];
    const isPublic = declaration.permission.kind === 'public';
    // Without a token of the app nothing says whose page it is.
    if (isPublic && incoming.page !== null) throw new CallError('permissionDenied');
    const signedIn = isPublic ? null : await signInToCall(this.#deps, path, incoming);
    if (signedIn !== null) noteCaller(trail, signedIn.principal);
    const input = parseInput(declaration, incoming.body);
    trail.object = auditObjectOf(input);
    const checked = signedIn === null ? {} : await enforceRule(this.#deps, declaration.permission, signedIn, input);
    trail.ownerIds.push(...auditOwnersOf(checked));
    trail.device = checked.device ?? null;
    trail.channelNo = typeof input['channelNo'] === 'number' ? input['channelNo'] : undefined;
    if (signedIn !== null) await enforceSessionRestrictions(this.#deps, declaration, signedIn);
    if (declaration.audit === 'write') trail.before = await readBefore(this.#deps.database, { path, input, ...trail });
    const handler = this.#handlers[path] as AnyHandler;
    const data = await handler({ ...this.#common(incoming, input, trail), ...signedIn, ...checked });
    if (this.#checksAnswers) checkAnswer(path, declaration, data);
    return data;
  }

  #common(incoming: IncomingCall, input: object, trail: AuditTrail) {
    const { address, agent, token, proof, origin, cookies, setCookie } = incoming;
    return {
      input,
      now: this.#deps.clock.wallMs(),
      address,
      agent,
      token,
      proof,
      origin,
      cookies,
      setCookie,
      audit: trail,
    };
  }

  /** A line that can't be written fails the call's audit loudly but not the call: what was done, was done. */
  async #audit(path: CallPath, incoming: IncomingCall, trail: AuditTrail, { code, data }: Envelope): Promise<void> {
    const kind = calls[path].audit;
    if (kind !== 'write' && kind !== 'watch' && trail.parts.length === 0) return;
    const { database, clock } = this.#deps;
    const common = { at: clock.wallMs(), address: incoming.address, code, data };
    const written = withoutRequestDeadline(async () => {
      for (const line of await auditLines(database, path, trail, common)) await this.#auditWriter.append(line);
    }).catch((error: unknown) =>
      this.#log.error({ err: error, call: path, code }, 'the audit log did not take a line'),
    );
    await finishesWithin(clock, AUDIT_WITHIN_MS, written);
  }
}

export function refusal(code: number, data: unknown): Envelope {
  return { code, message: errorName(code) ?? 'serverInternalError', data };
}

function parseInput(declaration: Call, body: unknown): Readonly<Record<string, unknown>> {
  const parsed = declaration.input.safeParse(body);
  if (!parsed.success) throw new CallError('paramInvalid', fieldErrors(parsed.error.issues, body));
  const brokenTexts = invalidTextsIn(parsed.data);
  if (brokenTexts.length > 0) throw fieldError(Object.fromEntries(brokenTexts.map((field) => [field, 'format'])));
  return parsed.data as Record<string, unknown>;
}

/** Tests and development: an answer holds what the contract says and nothing more. */
function checkAnswer(path: CallPath, declaration: Call, data: unknown): void {
  const parsed = declaration.output.safeParse(data);
  if (!parsed.success) throw new Error(`the answer of ${path} breaks the contract: ${parsed.error.message}`);
  const sent = JSON.stringify(sortKeys(data));
  const declared = JSON.stringify(sortKeys(parsed.data));
  if (sent !== declared) throw new Error(`the answer of ${path} holds more than the contract says: ${sent}`);
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, held]) => [key, sortKeys(held)]));
}
