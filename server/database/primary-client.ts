// PostgreSQL connection to whichever of several servers is the primary when it connects.
import type pg from 'pg';
import { isInRecovery, NoPrimary, type Place, type PrimaryFinder } from './primary-finder.ts';
import { StatementTimeoutClient } from './statement-timeout-client.ts';

export interface PrimaryClientConfig extends pg.ClientConfig {
  readonly finder: PrimaryFinder;
}

export class PrimaryClient extends StatementTimeoutClient {
  readonly #finder: PrimaryFinder;

  constructor({ finder, ...config }: PrimaryClientConfig) {
    super(config);
    this.#finder = finder;
  }

  /** The pool gives a callback. */
  override readonly connect = ((whenDone?: (error: Error | null) => void) => {
    const connected = this.#connect();
    if (whenDone === undefined) return connected;
    connected.then(
      () => whenDone(null),
      (error: Error) => whenDone(error),
    );
    return undefined;
  }) as pg.Client['connect'];

  async #connect(): Promise<void> {
    const place = await this.#finder.find();
    Object.assign(this, place);
    try {
      await super.connect();
      if (await isInRecovery(this)) await this.#refuse(place);
      this.#watch(place);
    } catch (error) {
      this.#finder.forget(place);
      throw error;
    }
  }

  #watch(place: Place): void {
    const connection = { place, drop: () => this.connection.stream.destroy() };
    this.#finder.connected(connection);
    this.on('error', () => this.#finder.ended(connection, true));
    this.on('end', () => this.#finder.ended(connection, false));
  }

  async #refuse({ host, port }: Place): Promise<void> {
    await this.end();
    throw new NoPrimary(`${host}:${port} takes no writes any more`);
  }
}
