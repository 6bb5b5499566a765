// Messages of alarms: signed as Standard Webhooks 1.0 says, with the secret of the channel in the console.
import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_S = 300;

/** The message; null where the secret did not sign it, or too long ago. `secret` begins with `whsec_`. */
export function readWebhook(secret, headers, body) {
  const [id, at, signature = ''] = ['id', 'timestamp', 'signature'].map((name) => headers[`webhook-${name}`]);
  if (Math.abs(Date.now() / 1000 - Number(at)) > TOLERANCE_S) return null;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = Buffer.from(createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64'));
  const isRight = signature.split(' ').some((one) => {
    const given = Buffer.from(one.replace(/^v1,/, ''));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isRight ? JSON.parse(body) : null;
}
