// Notifier for DingTalk groups by a custom robot, signed where required.
import { createHmac } from 'node:crypto';
import { need, type Notifier, NotifyError, postJson, refuseCode } from '../kit/notifier.ts';
import { markdownLines } from '../kit/markdown-lines.ts';

/** The robot is told too much at once; the system is busy. */
const BUSY = [-1, 130101, 410100];

export const dingTalk: Notifier = {
  kind: 'dingTalk',
  send: async (message, settings, world) => {
    const address = need(settings, 'url');
    if (!URL.canParse(address)) throw new NotifyError('settings', 'not an address', { isFinal: true });
    const url = new URL(address);
    const secret = settings['secret'] ?? '';
    if (secret !== '') {
      const timestamp = world.now();
      url.searchParams.set('timestamp', String(timestamp));
      url.searchParams.set('sign', signDingTalk(secret, timestamp));
    }
    const body = { msgtype: 'markdown', markdown: { title: message.title, text: markdownLines(message) } };
    refuseCode(await world.http(postJson(url.href, body)), 'errcode', BUSY);
  },
};

/** Base64 of HMAC-SHA-256 with the secret over `timestamp\nsecret`; the address encodes it. */
export function signDingTalk(secret: string, timestamp: number): string {
  return createHmac('sha256', secret).update(`${timestamp}\n${secret}`).digest('base64');
}
