// How alarms reach programs of others by webhook: the message, and the check of its signature in two languages.
import { escapeHtml } from './html.ts';

const MESSAGE = `POST /hook HTTP/1.1
content-type: application/json
webhook-id: k3x9
webhook-timestamp: 1795766400
webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=

{"type":"alarm.raised","timestamp":"2026-11-27T08:00:00.000Z","data":{"type":"FireAlarm","deviceName":"Gate", …}}`;

/** Standard Webhooks 1.0, with the modules of Node.js alone. */
export const SIGNATURE_IN_JAVASCRIPT = `import { createHmac, timingSafeEqual } from 'node:crypto';

export function isSigned(secret, headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': given = '' } = headers;
  if (Math.abs(Date.now() / 1000 - Number(at)) > 300) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const right = createHmac('sha256', key).update(\`\${id}.\${at}.\${body}\`).digest();
  return given.split(' ').some((one) => {
    const bytes = Buffer.from(one.replace(/^v1,/, ''), 'base64');
    return bytes.length === right.length && timingSafeEqual(bytes, right);
  });
}`;

/** The same with Python's own library. */
export const SIGNATURE_IN_PYTHON = `import base64, hashlib, hmac, time

def is_signed(secret, headers, body):
    at = headers["webhook-timestamp"]
    if abs(time.time() - int(at)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{at}.".encode() + body
    right = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    given = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(one, right) for one in given)`;

export const WEBHOOKS = `<section id="webhooks"><h2>Webhooks</h2>
<p>A notification of the kind webhook sends each alarm as JSON. With a secret it is signed as Standard Webhooks 1.0: <code>webhook-signature</code> is
<code>v1,</code> and the base64 of HMAC-SHA-256 over <code>id.timestamp.body</code>, with the secret's base64 after <code>whsec_</code> as key.
Any 2xx answer is a success. After 408, 429, 5xx and time-outs the message comes again with the same id, after 5 s, 15 s, 1 min, 5 min, 15 min and 1 h:
take each id once. The body must be checked as it came, before it is read as JSON.</p>
<pre>${escapeHtml(MESSAGE)}</pre>
<h3>JavaScript</h3><pre>${escapeHtml(SIGNATURE_IN_JAVASCRIPT)}</pre>
<h3>Python</h3><pre>${escapeHtml(SIGNATURE_IN_PYTHON)}</pre></section>`;
