// Checks what a message carries against the shapes of its topic.
import type { z } from 'zod';
import { SUCCESS } from '@vedette/contract/errors.ts';
import {
  badPayload,
  BUSY,
  type BridgeCode,
  type BridgeOutcome,
  DENIED,
  NOT_SUPPORTED,
  succeeded,
} from '../messages/bridge-answer.ts';
import type { BridgeReply } from '../messages/bridge-message.ts';
import type { Topic } from '../topics/topic.ts';

export type ReadRequest = { readonly input: unknown } | BridgeOutcome;

/** 1003 names each field with what is wrong with it. */
export function readRequest(topic: Topic, data: unknown): ReadRequest {
  const parsed = topic.request.safeParse(data, { reportInput: true });
  return parsed.success ? { input: parsed.data } : badPayload(reasonsOf(parsed.error.issues));
}

const REFUSALS: ReadonlyMap<number, BridgeCode> = new Map(
  [DENIED, NOT_SUPPORTED, BUSY, badPayload({})].map(({ code }) => [code, code]),
);

/** An answer of another shape than the topic's is 1003; a code that the bridge does not know is 1012. */
export function readAnswer(topic: Topic, { code, data }: BridgeReply): BridgeOutcome {
  const refusal = REFUSALS.get(code);
  if (refusal !== undefined) return { code: refusal, data };
  if (code !== SUCCESS) return BUSY;
  const parsed = topic.answer.safeParse(data, { reportInput: true });
  return parsed.success ? succeeded(parsed.data) : badPayload(reasonsOf(parsed.error.issues));
}

/** The words of the server's 1003. */
function reasonsOf(issues: readonly z.core.$ZodIssue[]): Record<string, string> {
  return Object.fromEntries(issues.map((issue) => [issue.path.join('.') || 'data', reasonOf(issue)]));
}

function reasonOf({ code, input }: z.core.$ZodIssue): string {
  if (code === 'invalid_type') return input === undefined ? 'required' : 'wrongType';
  if (code === 'too_small') return typeof input === 'string' ? 'tooShort' : 'tooSmall';
  if (code === 'too_big') return typeof input === 'string' ? 'tooLong' : 'tooBig';
  return code === 'invalid_value' || code === 'invalid_union' ? 'notAllowed' : 'format';
}
