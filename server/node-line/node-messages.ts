// Messages between two servers, over a line that one of them dialled: it asks, the other one answers and says which sites it has.
import { z } from 'zod';

/** A server of another version of these messages is refused. */
export const NODE_PROTOCOL_VERSION = 1;
/** An assignment of a site with a thousand devices is 2 MB; a part of firmware less. */
export const NODE_MESSAGE_MAX_BYTES = 16 * 1024 * 1024;

/** Its input is of its name, as the other server wrote it. */
export interface SiteCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const id = z.number().int().nonnegative();
const text = z.string().max(128);
const change = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('device'), deviceId: text, deviceSerial: text }),
  z.object({ kind: z.literal('settings') }),
  z.object({ kind: z.literal('moved'), siteIds: z.array(text) }),
  z.object({ kind: z.literal('everything') }),
]);
const call = z.object({
  // A server of the next release may know more of them.
  name: z.string().max(64),
  input: z.record(z.string(), z.unknown()),
});
const offers = z.object({ rtspPort: z.number().int().nullable(), canTranscode: z.boolean() });
const siteHere = z.object({ siteId: text, epoch: id, offers });

const fromAsking = z.discriminatedUnion('type', [
  /** First. `run` names this run of the process, `changes` counts what it told of in it. */
  z.object({ type: z.literal('hello'), protocol: z.literal(NODE_PROTOCOL_VERSION), run: text, changes: id }),
  /** `withinMs`: as long as somebody waits for the answer. */
  z.object({ type: z.literal('call'), id, siteId: text, call, withinMs: z.number().nonnegative() }),
  z.object({ type: z.literal('change'), id, number: id, change }),
]);
const fromAnswering = z.discriminatedUnion('type', [
  /** All that it has: first, and after each change. */
  z.object({ type: z.literal('sites'), sites: z.array(siteHere) }),
  z.object({ type: z.literal('site'), site: siteHere }),
  z.object({ type: z.literal('siteGone'), siteId: text }),
  z.object({ type: z.literal('answer'), id, code: z.number().int(), data: z.unknown() }),
]);

export type SiteHere = z.infer<typeof siteHere>;
export type AskingMessage = z.infer<typeof fromAsking>;
export type AnsweringMessage = z.infer<typeof fromAnswering>;

/** Null for what is none, or what a server of the next release says. */
export function readAskingMessage(raw: Buffer): AskingMessage | null {
  return fromAsking.safeParse(jsonOf(raw)).data ?? null;
}

/** Null for what is none, or what a server of the next release says. */
export function readAnsweringMessage(raw: Buffer): AnsweringMessage | null {
  return fromAnswering.safeParse(jsonOf(raw)).data ?? null;
}

function jsonOf(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
