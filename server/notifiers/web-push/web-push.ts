// Notifier by web push (RFC 8030, 8291, 8292): encrypted and signed by the library, sent by our outbound client.
import library from 'web-push';
import { need, type Notifier, NotifyError, refuseStatus } from '../kit/notifier.ts';

const KEPT_S = 3600;
const GONE = [404, 410];

export const webPush: Notifier = {
  kind: 'webPush',
  send: async (message, settings, world) => {
    const subscription = {
      endpoint: need(settings, 'endpoint'),
      keys: { p256dh: need(settings, 'p256dh'), auth: need(settings, 'auth') },
    };
    const { title, facts, link, severity, deliveryId } = message;
    const body = facts
      .slice(0, 3)
      .map(([, value]) => value)
      .join(' · ');
    const payload = JSON.stringify({ title, body, link, severity, tag: deliveryId, alarmId: message.alarm.alarmId });
    const request = library.generateRequestDetails(subscription, payload, {
      vapidDetails: await world.vapid(),
      TTL: KEPT_S,
      urgency: severity === 'critical' || severity === 'major' ? 'high' : 'normal',
      contentEncoding: 'aes128gcm',
    });
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const answer = await world.http({ method: 'POST', url: request.endpoint, headers, body: request.body ?? '' });
    if (GONE.includes(answer.status))
      throw new NotifyError('gone', 'the browser is not subscribed any more', { isFinal: true });
    refuseStatus(answer);
  },
};
