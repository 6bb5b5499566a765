// Mail port for the notifiers, through the configured mail server.
import type { MailPort } from '../notifiers/kit/notifier.ts';
import type { Messenger } from './messenger.ts';

export function mailThrough(messenger: Messenger): MailPort {
  return {
    isReady: async () => (await messenger.kinds()).includes('email'),
    send: ({ to, subject, text }) => messenger.send({ kind: 'email', value: to }, { subject, text }),
  };
}
