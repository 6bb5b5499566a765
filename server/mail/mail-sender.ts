// Sends one mail through the configured SMTP server.
import type { AccountConfig } from '@vedette/contract/calls/account-settings.ts';
import { createTransport } from 'nodemailer';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

const WITHIN_MS = 10_000;

/** Rejects with what the server said. */
export async function sendMail(
  settings: NonNullable<AccountConfig['mail']>,
  password: string,
  mail: Mail,
): Promise<void> {
  const { host, port, security, user, from } = settings;
  const transport = createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    connectionTimeout: WITHIN_MS,
    greetingTimeout: WITHIN_MS,
    socketTimeout: WITHIN_MS,
    // A text is never taken for a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(user === '' ? {} : { auth: { user, pass: password } }),
  });
  try {
    await transport.sendMail({ from, to: { name: '', address: mail.to }, subject: mail.subject, text: mail.text });
  } finally {
    transport.close();
  }
}
