// Searches the logs of all processes at once, newest line first, as far as a page or its budget of bytes goes.
import {
  LOG_LEVELS,
  LOG_PARTS,
  type LogLevel,
  type LogLine,
  type LogPart,
} from '@vedette/contract/calls/system-log.ts';
import { LogFiles, type LogPosition, type RawLogLine } from './log-files.ts';
import { type ReadLine, readLogLine } from './log-line.ts';

export interface LogFilter {
  readonly level: LogLevel;
  readonly partList?: readonly LogPart[] | undefined;
  readonly keyWord?: string | undefined;
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

/** Where each log goes on; null: at its end. A log that is not named is done. */
export type LogCursor = Readonly<Partial<Record<LogPart, LogPosition>>>;

export interface LogSearch {
  readonly filter: LogFilter;
  readonly cursor: LogCursor | null;
  readonly lines: number;
  readonly bytes: number;
}

export interface LogPage {
  readonly lineList: readonly LogLine[];
  readonly nextCursor: LogCursor | null;
  readonly searchedTo: number | null;
}

export async function searchLog(folder: string, search: LogSearch): Promise<LogPage> {
  const { filter, cursor } = search;
  const wanted = LOG_PARTS.filter((part) => filter.partList?.includes(part) ?? true);
  const parts = wanted.filter((part) => cursor === null || cursor[part] !== undefined);
  const opened = await Promise.all(parts.map((part) => PartReader.open(folder, part, cursor?.[part] ?? null)));
  try {
    return await mergeNewestFirst(opened, search);
  } finally {
    await Promise.all(opened.map((reader) => reader.close()));
  }
}

async function mergeNewestFirst(readers: readonly PartReader[], search: LogSearch): Promise<LogPage> {
  const { filter, lines, bytes } = search;
  const lineList: LogLine[] = [];
  let searchedTo: number | null = null;
  const isOver = (): boolean =>
    lineList.length >= lines || readers.reduce((sum, reader) => sum + reader.bytesRead, 0) > bytes;
  await Promise.all(readers.map((reader) => reader.advance()));
  for (let next = newestOf(readers); next !== null; next = newestOf(readers)) {
    const { reader, line } = next;
    if (line.time < (filter.startTime ?? 0)) {
      reader.finish();
      continue;
    }
    if (isOver()) return { lineList, nextCursor: cursorOf(readers), searchedTo };
    searchedTo = line.time;
    if (isWanted(line, filter)) lineList.push(line);
    await reader.advance();
  }
  return { lineList, nextCursor: null, searchedTo };
}

function newestOf(readers: readonly PartReader[]): { reader: PartReader; line: LogLine } | null {
  let newest: { reader: PartReader; line: LogLine } | null = null;
  for (const reader of readers) {
    const { line } = reader;
    if (line !== null && (newest === null || line.time > newest.line.time)) newest = { reader, line };
  }
  return newest;
}

function cursorOf(readers: readonly PartReader[]): LogCursor {
  return Object.fromEntries(
    readers.flatMap(({ part, position }) => (position === null ? [] : [[part, position] as const])),
  );
}

function isWanted(line: LogLine, { level, keyWord = '', endTime }: LogFilter): boolean {
  if (endTime !== undefined && line.time >= endTime) return false;
  if (LOG_LEVELS.indexOf(line.level) < LOG_LEVELS.indexOf(level)) return false;
  const word = keyWord.trim().toLowerCase();
  return word === '' || line.text.toLowerCase().includes(word) || line.detail.toLowerCase().includes(word);
}

/** One log with its newest line that was not taken yet. */
class PartReader {
  readonly part: LogPart;
  readonly #files: LogFiles;
  readonly #lines: AsyncGenerator<RawLogLine, undefined>;
  #raw: RawLogLine | null = null;
  #read: ReadLine | null = null;
  /** Of the line after it, for lines that name no time: a stack trace lies between two that do. */
  #newerTime: number;

  private constructor(part: LogPart, files: LogFiles, from: LogPosition | null) {
    this.part = part;
    this.#files = files;
    this.#lines = files.backwards(from);
    this.#newerTime = files.changedAt;
  }

  static async open(folder: string, part: LogPart, from: LogPosition | null): Promise<PartReader> {
    return new PartReader(part, await LogFiles.open(folder, part), from);
  }

  get bytesRead(): number {
    return this.#files.bytesRead;
  }

  get line(): LogLine | null {
    if (this.#raw === null || this.#read === null) return null;
    const { inode, start } = this.#raw;
    const { level, text, detail } = this.#read;
    return { lineId: `${this.part}-${inode}-${start}`, time: this.#newerTime, level, part: this.part, text, detail };
  }

  /** Behind the line that was not taken; null at the end. */
  get position(): LogPosition | null {
    return this.#raw === null ? null : { inode: this.#raw.inode, offset: this.#raw.end };
  }

  async advance(): Promise<void> {
    const { value } = await this.#lines.next();
    this.#raw = value ?? null;
    this.#read = this.#raw === null ? null : readLogLine(this.#raw.text);
    this.#newerTime = this.#read?.time ?? this.#newerTime;
  }

  finish(): void {
    this.#raw = null;
    this.#read = null;
  }

  async close(): Promise<void> {
    await this.#lines.return(undefined);
    await this.#files.close();
  }
}
