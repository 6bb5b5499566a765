// A real SMTP server that keeps received mails.
import { type AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { waitFor } from './wait-for.ts';

export interface ReceivedMail {
  readonly to: string;
  /** Headers and body as they came, decoded. */
  readonly text: string;
}

export interface SinkOptions {
  /** A free one where it is left out. */
  readonly port?: number;
  /** This machine alone where it is left out. */
  readonly host?: string;
  /** Asks for this name and password. */
  readonly account?: { readonly user: string; readonly password: string };
}

export class SmtpSink {
  readonly mails: readonly ReceivedMail[];
  readonly port: number;
  readonly #server: SMTPServer;
  readonly #refusals: string[];

  private constructor(server: SMTPServer, port: number, kept: Pick<SmtpSink, 'mails'> & { refusals: string[] }) {
    this.#server = server;
    this.port = port;
    this.mails = kept.mails;
    this.#refusals = kept.refusals;
  }

  static async start(options: SinkOptions = {}): Promise<SmtpSink> {
    const mails: ReceivedMail[] = [];
    const refusals: string[] = [];
    const { account } = options;
    const server = new SMTPServer({
      disabledCommands: account === undefined ? ['STARTTLS', 'AUTH'] : ['STARTTLS'],
      allowInsecureAuth: true,
      authOptional: account === undefined,
      onAuth: (given, _session, done) => {
        const isRight = given.username === account?.user && given.password === account?.password;
        done(
          isRight ? null : new Error('535 wrong name or password'),
          isRight ? { user: given.username ?? '' } : undefined,
        );
      },
      onRcptTo: (_address, _session, done) => {
        const words = refusals.shift();
        done(words === undefined ? null : Object.assign(new Error(words), { responseCode: 550 }));
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const to = session.envelope.rcptTo.map(({ address }) => address).join(',');
          mails.push({ to, text: decoded(Buffer.concat(chunks).toString('utf8')) });
          done();
        });
      },
    });
    // Whoever ends a connection without a goodbye, as a sender that is stopped does, has not broken the sink.
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') throw error;
    });
    await new Promise<void>((resolve) =>
      server.listen(options.port ?? 0, options.host ?? '127.0.0.1', () => resolve()),
    );
    return new SmtpSink(server, (server.server.address() as AddressInfo).port, { mails, refusals });
  }

  /** The next addressee is refused in these words. */
  refuseNext(words: string): void {
    this.#refusals.push(words);
  }

  /** The settings under which a product sends its mail here. */
  get settings() {
    const from = 'Vedette <vedette@example.org>';
    return { host: '127.0.0.1', port: this.port, security: 'none' as const, user: '', from };
  }

  /** The code in the newest mail to this address that has one, of those after the first `seen`. */
  async code(to: string, seen = 0): Promise<string> {
    return await waitFor(`a code to ${to}`, () =>
      this.mails
        .slice(seen)
        .flatMap((mail) => (mail.to === to ? (/\b(\d{6})\b/.exec(mail.text)?.[1] ?? []) : []))
        .at(-1),
    );
  }

  async mail(to: string, seen = 0): Promise<ReceivedMail> {
    return await waitFor(`a mail to ${to}`, () => this.mails.slice(seen).findLast((mail) => mail.to === to));
  }

  /** The word in the link of the newest mail that asks this address whether it wants alarms, of those after the first `seen`. */
  async consentToken(to: string, seen = 0): Promise<string> {
    return await waitFor(`a question to ${to}`, () =>
      this.mails
        .slice(seen)
        .flatMap((mail) => (mail.to === to ? (/\/alarmMail#mail=([\w-]+)/.exec(mail.text)?.[1] ?? []) : []))
        .at(-1),
    );
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

/** Quoted-printable and base64 bodies as text; enough for the mails of ours. */
function decoded(raw: string): string {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  if (/content-transfer-encoding: base64/i.test(head)) {
    return `${head}\n\n${Buffer.from(body, 'base64').toString('utf8')}`;
  }
  if (!/content-transfer-encoding: quoted-printable/i.test(head)) return raw;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return `${head}\n\n${Buffer.from(bytes, 'latin1').toString('utf8')}`;
}
