// Notifier for Telegram bots (Bot API, sendMessage).
import { need, type Notifier, NotifyError, parsed, plainText, postJson, refuseStatus } from '../kit/notifier.ts';

const API = 'https://api.telegram.org';
/** Characters of one message. */
const LONGEST = 4096;

export const telegram: Notifier = {
  kind: 'telegram',
  send: async (message, settings, world) => {
    const token = need(settings, 'token');
    if (!/^\d+:[\w-]+$/.test(token)) throw new NotifyError('settings', 'not a bot token', { isFinal: true });
    const base = (settings['url'] ?? '') || API;
    const body = {
      chat_id: need(settings, 'chatId'),
      text: plainText(message).slice(0, LONGEST),
      disable_notification: message.severity === 'info',
      link_preview_options: { is_disabled: true },
    };
    const answer = await world.http(postJson(`${base.replace(/\/$/, '')}/bot${token}/sendMessage`, body));
    if (answer.status === 429)
      throw new NotifyError('refused', 'too many messages', { retryAfterMs: pauseOf(answer.text) });
    refuseStatus(answer);
  },
};

function pauseOf(text: string): number | null {
  const parameters = parsed(text)['parameters'];
  const seconds =
    typeof parameters === 'object' && parameters !== null && 'retry_after' in parameters
      ? parameters.retry_after
      : null;
  return typeof seconds === 'number' ? seconds * 1000 : null;
}
