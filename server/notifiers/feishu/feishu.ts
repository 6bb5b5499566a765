// Notifier for Feishu (Lark) groups by a custom bot, signed where required.
import { createHmac } from 'node:crypto';
import { need, type AlarmMessage, type Notifier, postJson, refuseCode } from '../kit/notifier.ts';
import { markdownLines } from '../kit/markdown-lines.ts';

/** An inner error; too many at once. */
const BUSY = [2200, 11232];
/** Of a request that is wrong, and of one that comes too soon: the words beside it tell which. */
const WRONG_OR_BUSY = 9499;
const COLOUR = { info: 'blue', minor: 'turquoise', major: 'orange', critical: 'red' } as const;

export const feishu: Notifier = {
  kind: 'feishu',
  send: async (message, settings, world) => {
    const secret = settings['secret'] ?? '';
    const timestamp = String(Math.floor(world.now() / 1000));
    const signed = secret === '' ? {} : { timestamp, sign: signFeishu(secret, timestamp) };
    const answer = await world.http(postJson(need(settings, 'url'), { ...signed, ...feishuCard(message) }));
    refuseCode(answer, 'code', /too many request/i.test(answer.text) ? [...BUSY, WRONG_OR_BUSY] : BUSY);
  },
};

function feishuCard(message: AlarmMessage) {
  return {
    msg_type: 'interactive',
    card: {
      header: { title: { tag: 'plain_text', content: message.title }, template: COLOUR[message.severity] },
      elements: [{ tag: 'markdown', content: markdownLines(message) }],
    },
  };
}

/** Base64 of HMAC-SHA-256 over nothing, with `timestamp\nsecret` as the key. */
export function signFeishu(secret: string, timestamp: string): string {
  return createHmac('sha256', `${timestamp}\n${secret}`).update('').digest('base64');
}
