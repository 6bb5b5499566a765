// Notifier by e-mail through the installation's mail server: one mail per recipient.
import { mailAddresses } from './mail-addresses.ts';
import { type AlarmMessage, need, type Notifier, NotifyError, plainText } from '../kit/notifier.ts';

export const email: Notifier = {
  kind: 'email',
  send: async (message, settings, { mail }) => {
    const all = mailAddresses(need(settings, 'to'));
    if (!(await mail.isReady())) throw new NotifyError('settings', 'no mail server is set', { isFinal: true });
    const letter = { subject: subjectOf(message), text: plainText(message) };
    const sent = await Promise.allSettled(all.map((to) => mail.send({ to, ...letter })));
    const failed = sent.filter((one) => one.status === 'rejected');
    const [first] = failed;
    if (first === undefined) return;
    const said = `${failed.length}/${all.length} ${replyOf(first.reason)}`.trim();
    // Those who have it must not get it again.
    throw new NotifyError('refused', said, { isFinal: failed.length < all.length });
  },
};

/** A line break in a subject would begin another header. */
function subjectOf({ title }: AlarmMessage): string {
  return title.replaceAll(/[\r\n]+/g, ' ');
}

/** The code of a server that refused; its words would tell every account where the installation's mail goes. */
function replyOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'responseCode' in error ? error.responseCode : null;
  return typeof code === 'number' ? `SMTP ${code}` : '';
}
