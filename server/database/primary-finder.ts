// Finds the one server of several that takes writes: the primary, as PostgreSQL itself says.
import pg from 'pg';

/** A machine that is gone does not answer: the others are waited for no longer than this. */
const ANSWERS_WITHIN_MS = 2000;

/** Nobody takes writes, or two do: then none is used, since one of them would lose what it is told. */
export class NoPrimary extends Error {
  override readonly name = 'NoPrimary';
}

export interface Place {
  readonly host: string;
  readonly port: number;
}

export interface Connected {
  readonly place: Place;
  readonly drop: () => void;
}

export interface PrimaryFinderOptions {
  /** Each of one server. */
  readonly addresses: readonly string[];
  /** A server that was not the primary at the last look. */
  readonly onFound: (place: Place) => void;
}

/** `postgres://user@a:5432,b:5432/name` names two servers of one database; each gets an address of its own. */
export function databaseAddresses(url: string): string[] {
  const [, before = '', hosts, after = ''] = /^(\w+:\/\/(?:[^@/?]*@)?)([^@/?]*)((?:[/?].*)?)$/.exec(url) ?? [];
  return hosts === undefined ? [url] : hosts.split(',').map((host) => `${before}${host}${after}`);
}

export class PrimaryFinder {
  readonly #options: PrimaryFinderOptions;
  #known: Place | null = null;
  #last: Place | null = null;
  #asking: Promise<Place> | null = null;
  readonly #connected = new Set<Connected>();

  constructor(options: PrimaryFinderOptions) {
    this.#options = options;
  }

  /** As it was found last, unless it was forgotten since. Throws NoPrimary. */
  async find(): Promise<Place> {
    if (this.#known !== null) return this.#known;
    this.#asking ??= this.#askAll().finally(() => {
      this.#asking = null;
    });
    return await this.#asking;
  }

  /** It does not answer, or takes no writes. */
  forget(place: Place): void {
    if (this.#known === place) this.#known = null;
  }

  /** `drop` is called when another server has become the primary: this one may stand still, or be cut off and know nothing of it. */
  connected(connection: Connected): void {
    this.#connected.add(connection);
  }

  /** `isCut`: nobody here ended it, so that its server may be gone. */
  ended(connection: Connected, isCut: boolean): void {
    this.#connected.delete(connection);
    if (!isCut || connection.place !== this.#known) return;
    this.forget(connection.place);
    // Whoever connects next is told of a failure.
    this.find().catch(() => undefined);
  }

  async #askAll(): Promise<Place> {
    const answers = await Promise.all(this.#options.addresses.map(ask));
    const primaries = answers.flatMap(({ place, isPrimary }) => (isPrimary ? [place] : []));
    const [primary] = primaries;
    if (primary === undefined || primaries.length > 1) {
      const said = answers.map(({ place, says }) => `${place.host}:${place.port} ${says}`).join(', ');
      throw new NoPrimary(`${primary === undefined ? 'no' : 'more than one'} database server takes writes: ${said}`);
    }
    if (!isSame(primary, this.#last)) this.#options.onFound(primary);
    this.#last = primary;
    this.#known = primary;
    for (const { place, drop } of this.#connected) if (!isSame(place, primary)) drop();
    return primary;
  }
}

interface Answer {
  readonly place: Place;
  readonly isPrimary: boolean;
  /** For people; never with a password. */
  readonly says: string;
}

async function ask(address: string): Promise<Answer> {
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: ANSWERS_WITHIN_MS,
    query_timeout: ANSWERS_WITHIN_MS,
  });
  client.on('error', () => undefined);
  const place = { host: client.host, port: client.port };
  try {
    await client.connect();
    const isPrimary = !(await isInRecovery(client));
    return { place, isPrimary, says: isPrimary ? 'takes writes' : 'is a standby' };
  } catch (error) {
    return { place, isPrimary: false, says: `does not answer (${reasonOf(error)})` };
  } finally {
    void client.end().catch(() => undefined);
  }
}

export async function isInRecovery(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ recovers: boolean }>('select pg_is_in_recovery() as recovers');
  return rows[0]?.recovers !== false;
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? code : String(message);
}

function isSame(one: Place, other: Place | null): boolean {
  return other !== null && one.host === other.host && one.port === other.port;
}
