// Notifier by webhook, signed as in Standard Webhooks 1.0.
import { createHmac } from 'node:crypto';
import { need, type Notifier, postJson, refuseStatus } from '../kit/notifier.ts';

const PREFIX = 'whsec_';

export const webhook: Notifier = {
  kind: 'webhook',
  send: async (message, settings, world) => {
    const url = need(settings, 'url');
    const { deliveryId: id, alarm, title, severity, link, foldedCount, isTest } = message;
    const timestamp = Math.floor(world.now() / 1000);
    const body = {
      type: isTest ? 'alarm.test' : 'alarm.raised',
      timestamp: new Date(timestamp * 1000).toISOString(),
      data: { ...alarm, title, severity, link, foldedCount },
    };
    const text = JSON.stringify(body);
    const secret = settings['secret'] ?? '';
    const signature = secret === '' ? {} : { 'webhook-signature': signWebhook(secret, { id, timestamp, text }) };
    const headers = { 'webhook-id': id, 'webhook-timestamp': String(timestamp), ...signature };
    refuseStatus(await world.http(postJson(url, body, headers)));
  },
};

/** The secret is base64 after `whsec_`; any other text is taken as its bytes. */
export function signWebhook(
  secret: string,
  { id, timestamp, text }: { readonly id: string; readonly timestamp: number; readonly text: string },
): string {
  const key = secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret);
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64')}`;
}
