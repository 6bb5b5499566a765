// Sends one text message through the configured gateway: `POST {to, text}` as JSON with a bearer token, any 2xx takes it.
import { INSTALLATION, type OutboundClient } from '../outbound/outbound-client.ts';

export interface TextMessage {
  readonly to: string;
  readonly text: string;
}

export async function sendText(
  outbound: OutboundClient,
  gateway: { readonly url: string; readonly token: string },
  message: TextMessage,
): Promise<void> {
  const { url, token } = gateway;
  const answer = await outbound.http(
    {
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ to: message.to, text: message.text }),
    },
    INSTALLATION,
  );
  if (answer.status < 200 || answer.status > 299) throw new Error(`the gateway answered ${answer.status}`);
}
