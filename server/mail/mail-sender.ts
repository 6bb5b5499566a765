// Sends one mail through the configured SMTP server, over a connection that was dialled under the network policy.
import type { AccountConfig } from '@vedette/contract/calls/account-settings.ts';
import { INSTALLATION, type OutboundClient } from '../outbound/outbound-client.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface MailServer {
  readonly outbound: OutboundClient;
  readonly settings: NonNullable<AccountConfig['mail']>;
  readonly password: string;
  /** Of each step, and of all of them however slowly a server answers. */
  readonly within?: { readonly stepMs: number; readonly allMs: number };
}

const WITHIN = { stepMs: 10_000, allMs: 30_000 } as const;

/** Rejects with what the server said. */
export async function sendMail(
  { outbound, settings, password, within = WITHIN }: MailServer,
  mail: Mail,
): Promise<void> {
  const { host, port, security, user, from } = settings;
  const signal = AbortSignal.timeout(within.allMs);
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    tls: { minVersion: 'TLSv1.2' },
    ignoreTLS: security === 'none',
    // The library never resolves a name itself.
    getSocket: (_options, done) => {
      outbound.dial(host, port, INSTALLATION).then((connection) => done(null, { connection }), done);
    },
    connectionTimeout: within.stepMs,
    greetingTimeout: within.stepMs,
    socketTimeout: within.stepMs,
    // A text is never taken for a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(user === '' ? {} : { auth: { user, pass: password } }),
  });
  try {
    const to = { name: '', address: mail.to };
    await transport.sendMail({ from, to, subject: mail.subject, text: mail.text, signal });
  } finally {
    transport.close();
  }
}
