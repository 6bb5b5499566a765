// The cursor of the log as text: where each process's log goes on. It names no file, so a made-up one reads nothing else.
import { LOG_PARTS } from '@vedette/contract/calls/system-log.ts';
import { z } from 'zod';
import type { LogCursor } from './log-search.ts';

const Positions = z
  .partialRecord(z.enum(LOG_PARTS), z.tuple([z.string().regex(/^\d{1,20}$/), z.number().int().min(0)]))
  .refine((parts) => Object.keys(parts).length > 0);

export function writeCursor(cursor: LogCursor): string {
  const parts = Object.entries(cursor).map(([part, { inode, offset }]) => [part, [inode, offset]] as const);
  return Buffer.from(JSON.stringify(Object.fromEntries(parts))).toString('base64url');
}

/** Null where it is none of ours. */
export function readCursor(text: string): LogCursor | null {
  try {
    const parsed = Positions.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    if (!parsed.success) return null;
    const parts = Object.entries(parsed.data).map(([part, [inode, offset]]) => [part, { inode, offset }] as const);
    return Object.fromEntries(parts);
  } catch {
    return null;
  }
}
