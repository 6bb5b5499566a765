// Writes the lines of the audit log that this server tells, each with the next number of its run; a line that the database cannot take now is stored later.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Logger } from 'pino';
import { type AuditLine, insertAuditLine, type LineNumber } from '../database/account/audit.queries.ts';
import type { Database } from '../database/connection.ts';
import { DatabaseBusy, withoutRequestDeadline } from '../database/request-deadline.ts';

/** While the database is away. More are dropped, which shows as a gap in the numbers. */
const MOST_WAITING = 5000;
const AGAIN_AFTER_MS = 1000;

export interface AuditWriterOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Of this start of the server, unlike any other. */
  readonly runId: string;
}

export class AuditWriter {
  readonly #options: AuditWriterOptions;
  #runNo = 0;
  readonly #waiting: (AuditLine & LineNumber)[] = [];
  #cancel: (() => void) | null = null;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: AuditWriterOptions) {
    this.#options = options;
  }

  /** Resolves when it is stored, or waits for the database to be back. Throws where the database refuses the line itself. */
  async append(line: AuditLine): Promise<void> {
    this.#runNo += 1;
    const numbered = { ...line, runId: this.#options.runId, runNo: this.#runNo };
    if (!(await this.#isStored(numbered))) this.#keep(numbered);
  }

  /** What still waits is tried once more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel?.();
    await this.#running;
    await this.#storeWaiting();
    const lost = this.#waiting.length;
    if (lost > 0) this.#options.log.error({ lost }, 'the audit log did not take lines before the end of the server');
  }

  /** False: the database may or may not have it; stored again, it is still there once. */
  async #isStored(line: AuditLine & LineNumber): Promise<boolean> {
    try {
      await withoutRequestDeadline(() => insertAuditLine(this.#options.database, line));
      return true;
    } catch (error) {
      if (error instanceof DatabaseBusy) return false;
      throw error;
    }
  }

  #keep(line: AuditLine & LineNumber): void {
    if (this.#waiting.length >= MOST_WAITING) {
      this.#options.log.error({ call: line.call, code: line.code }, 'the audit log did not take a line');
      return;
    }
    this.#waiting.push(line);
    this.#storeLater();
  }

  #storeLater(): void {
    if (this.#isClosed || this.#cancel !== null || this.#waiting.length === 0) return;
    this.#cancel = this.#options.clock.after(AGAIN_AFTER_MS, () => {
      this.#running = this.#storeWaiting().finally(() => {
        this.#cancel = null;
        this.#storeLater();
      });
    });
  }

  /** One after the other, until the database is away again. */
  async #storeWaiting(): Promise<void> {
    for (let line = this.#waiting[0]; line !== undefined; line = this.#waiting[0]) {
      try {
        if (!(await this.#isStored(line))) return;
      } catch (error) {
        this.#options.log.error({ err: error, call: line.call }, 'the audit log did not take a line');
      }
      this.#waiting.shift();
    }
  }
}
