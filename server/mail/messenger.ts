// Sends mails and text messages in the background with retries; callers never wait for the result.
import type { Logger } from 'pino';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Contact } from '../database/account/account.queries.ts';
import type { MessageBudget } from './message-budget.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import type { AccountSettings } from '../settings/account-settings.ts';
import { sendMail } from './mail-sender.ts';
import { sendText } from './sms-gateway.ts';
import { redactAddresses } from './redact-addresses.ts';

export interface Message {
  readonly subject: string;
  readonly text: string;
}

export interface MessengerDeps {
  readonly settings: Pick<AccountSettings, 'read'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly outbound: OutboundClient;
  readonly budget: MessageBudget;
}

interface Post {
  readonly contact: Contact;
  readonly message: Message;
  readonly onGivenUp: () => void;
}

/** Retry delays; a code is valid for ten minutes. */
const AGAIN_AFTER_MS = [2000, 15_000, 60_000];
/** Limit of parallel messages: more are dropped and logged. */
const PENDING_MAX = 200;

export class Messenger {
  readonly #deps: MessengerDeps;
  readonly #cancels = new Set<() => void>();
  #pending = 0;
  lastFailure: { readonly at: number; readonly reason: string } | null = null;

  constructor(deps: MessengerDeps) {
    this.#deps = deps;
  }

  /** Kinds of contacts that codes can be sent to. */
  async kinds(): Promise<Contact['kind'][]> {
    const { config } = await this.#deps.settings.read();
    return [...(config.mail === null ? [] : ['email' as const]), ...(config.sms === null ? [] : ['phone' as const])];
  }

  /** A notice: sent like `post`, within the limits of its target and the installation; beyond them it is dropped and logged. */
  notify(contact: Contact, message: Message): void {
    const sending = { kind: 'notice', accountId: null, targets: [`${contact.kind} ${contact.value}`] } as const;
    this.#deps.budget.spend([sending]).then(
      (waitMs) => {
        if (waitMs === 0) this.post(contact, message);
        else this.#noteFailure(new Error('too many notices to one address, or of this installation, in an hour'));
      },
      (error: unknown) => this.#noteFailure(error),
    );
  }

  /** Sends in the background, with retries. For messages with a limit of their own, such as codes. `onGivenUp`: it was not sent. */
  post(contact: Contact, message: Message, onGivenUp: () => void = () => undefined): void {
    if (this.#pending >= PENDING_MAX) {
      this.#noteFailure(new Error('too many messages at once'));
      onGivenUp();
      return;
    }
    this.#pending += 1;
    this.#try({ contact, message, onGivenUp }, 0);
  }

  /** Waits for the result. */
  async send(contact: Contact, message: Message): Promise<void> {
    const { settings, outbound } = this.#deps;
    const { config, secrets } = await settings.read();
    if (contact.kind === 'email') {
      if (config.mail === null) throw new Error('no mail server is configured');
      const server = { outbound, settings: config.mail, password: secrets.mailPassword ?? '' };
      await sendMail(server, { to: contact.value, ...message });
    } else {
      if (config.sms === null) throw new Error('no gateway is configured');
      const gateway = { url: config.sms.url, token: secrets.smsToken ?? '' };
      await sendText(outbound, gateway, { to: contact.value, text: message.text });
    }
  }

  close(): void {
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
  }

  #try(post: Post, count: number): void {
    this.send(post.contact, post.message).then(
      () => {
        this.#pending -= 1;
      },
      (error: unknown) => {
        this.#noteFailure(error);
        const waitMs = AGAIN_AFTER_MS[count];
        if (waitMs === undefined) {
          this.#pending -= 1;
          post.onGivenUp();
          return;
        }
        const cancel = this.#deps.clock.after(waitMs, () => {
          this.#cancels.delete(cancel);
          this.#try(post, count + 1);
        });
        this.#cancels.add(cancel);
      },
    );
  }

  #noteFailure(error: unknown): void {
    const reason = reasonOf(error);
    this.lastFailure = { at: this.#deps.clock.wallMs(), reason };
    // Neither address nor text, which may contain a code.
    this.#deps.log.warn({ reason }, 'a message could not be sent');
  }
}

/** The error without addresses, which servers often repeat. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : 'unknown';
  return redactAddresses(text).slice(0, 300);
}
