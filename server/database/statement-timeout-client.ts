// PostgreSQL connection with a client-side statement timeout; after a timeout it is destroyed, since a late answer would meet the next statement.
import pg from 'pg';
import { DatabaseBusy, statementTimeoutMs } from './request-deadline.ts';

/** Errors of a database that shuts down, starts, is full, timed out, or takes no changes while it is upgraded (launcher/database-upgrade). */
const BUSY_STATES = new Set(['25006', '57P01', '57P02', '57P03', '57014', '53300']);

export class StatementTimeoutClient extends pg.Client {
  override readonly query = ((...given: Parameters<pg.Client['query']>) => {
    const [text] = given as unknown[];
    const limitMs = statementTimeoutMs(typeof text === 'string' ? text : '', performance.now());
    if (limitMs === null) return super.query(...given);
    if (limitMs <= 0) return Promise.reject(new DatabaseBusy('the time of the call is over'));
    const answer: unknown = super.query(...given);
    return answer instanceof Promise ? this.#queryWithTimeout(answer, limitMs) : answer;
  }) as pg.Client['query'];

  async #queryWithTimeout(answer: Promise<unknown>, limitMs: number): Promise<unknown> {
    const giveUp = setTimeout(() => this.connection.stream.destroy(), limitMs);
    try {
      return await answer;
    } catch (error) {
      throw this.#isDestroyed(error) ? new DatabaseBusy('the database does not answer', { cause: error }) : error;
    } finally {
      clearTimeout(giveUp);
    }
  }

  #isDestroyed(error: unknown): boolean {
    if (error instanceof pg.DatabaseError) return BUSY_STATES.has(error.code ?? '');
    const { stream } = this.connection;
    return stream.destroyed || !stream.writable;
  }
}
