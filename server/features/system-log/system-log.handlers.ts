// Handlers of system/log/*: a page of the log, and all of it as one compressed file.
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { systemLogCalls } from '@vedette/contract/calls/system-log.ts';
import { SYSTEM_LOG_LIMITS } from '@vedette/contract/limits.ts';
import { fieldError } from '../../core/call-error.ts';
import type { Handlers } from '../../http/handler.ts';
import { readCursor, writeCursor } from './log-cursor.ts';
import { searchLog } from './log-search.ts';

const compress = promisify(gzip);

export function systemLogHandlers({
  dataFolder,
}: {
  readonly dataFolder: string;
}): Handlers<keyof typeof systemLogCalls> {
  const folder = join(dataFolder, 'logs');
  return {
    'system/log/list': async ({ input: { cursor: given, pageSize, ...filter } }) => {
      const cursor = given === undefined ? null : readCursor(given);
      if (given !== undefined && cursor === null) throw fieldError({ cursor: 'format' });
      const bytes = SYSTEM_LOG_LIMITS.pageBytes;
      const page = await searchLog(folder, { filter, cursor, lines: pageSize, bytes });
      return {
        lineList: [...page.lineList],
        nextCursor: page.nextCursor === null ? null : writeCursor(page.nextCursor),
        searchedTo: page.searchedTo,
      };
    },
    'system/log/download': async ({ input: filter, now }) => {
      const { downloadLines: lines, downloadBytes: bytes } = SYSTEM_LOG_LIMITS;
      const { lineList, nextCursor } = await searchLog(folder, { filter, cursor: null, lines, bytes });
      const text = lineList
        .toReversed()
        .map(({ time, level, part, text: said, detail }) =>
          JSON.stringify({ time: new Date(time).toISOString(), level, part, text: said, detail }),
        );
      const packed = await compress(text.length === 0 ? '' : `${text.join('\n')}\n`);
      const stamp = new Date(now).toISOString().slice(0, 19).replaceAll(':', '');
      return {
        name: `vedette-log-${stamp}.ndjson.gz`,
        gzip: packed.toString('base64'),
        lineTotal: lineList.length,
        isCut: nextCursor !== null,
      };
    },
  };
}
