// Relay before PostgreSQL: cuts connections, also at COMMIT before or after it arrived, and delays answers.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

const SOCKET_NAME = '.s.PGSQL.5432';
/** A statement of that word alone, as the driver sends it. */
const COMMIT = /\bcommit\b\0/i;

export class PostgresRelay {
  readonly #folder: string;
  readonly #behind: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Of the next one alone. `after`: it took hold, and nobody hears of it. */
  cutAtCommit: 'before' | 'after' | null = null;
  cuts = 0;
  /** Before each answer goes on. */
  delayMs = 0;

  private constructor(folder: string, behind: string) {
    this.#folder = folder;
    this.#behind = behind;
    this.#server = createServer((front) => this.#relay(front));
  }

  /** `databaseFolder`: where the database's own socket is. */
  static async open(databaseFolder: string): Promise<PostgresRelay> {
    const relay = new PostgresRelay(mkdtempSync('/tmp/vdr-'), join(databaseFolder, SOCKET_NAME));
    relay.#server.listen(join(relay.#folder, SOCKET_NAME));
    await once(relay.#server, 'listening');
    return relay;
  }

  get url(): string {
    return `postgres:///vedette?host=${encodeURIComponent(this.#folder)}&user=vedette`;
  }

  /** Whatever is under way. */
  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cutAll();
    this.#server.close();
    await once(this.#server, 'close');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #relay(front: Socket): void {
    const back = connect(this.#behind);
    /** Nothing more is passed to the client; the database is heard to its end. */
    let isCut = false;
    for (const [one, other] of [
      [front, back],
      [back, front],
    ] as const) {
      this.#sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
    front.on('data', (bytes: Buffer) => {
      if (isCut) return;
      const cut = COMMIT.test(bytes.toString('latin1')) ? this.cutAtCommit : null;
      if (cut === null) return void back.write(bytes);
      this.cutAtCommit = null;
      isCut = true;
      if (cut === 'after') back.write(bytes);
      else this.#cut(front);
    });
    back.on('data', (bytes: Buffer) => {
      // Its answer: the commit is done.
      if (isCut) this.#cut(front);
      else if (this.delayMs === 0) front.write(bytes);
      else setTimeout(() => front.writable && front.write(bytes), this.delayMs);
    });
  }

  #cut(front: Socket): void {
    this.cuts += 1;
    front.destroy();
  }
}
