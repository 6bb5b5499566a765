// Messages that fail: retried a few times, then reported as failed.
import { AccountConfig, USUAL_ENVIRONMENT } from '@vedette/contract/calls/account-settings.ts';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { SmtpSink } from '../../tests/harness/smtp-sink.ts';
import { waitFor } from '../../tests/harness/wait-for.ts';
import type { MessageBudget } from './message-budget.ts';
import { OutboundClient } from '../outbound/outbound-client.ts';
import { Messenger } from './messenger.ts';

const TO = { kind: 'email', value: 'ann@example.org' } as const;
const MESSAGE = { subject: 'Subject', text: 'Text' };

/** With a mail server at this port; `failed` waits for a failure, and answers what ends the wait before the next try. */
function messengerTo(port: number) {
  const waiting: (() => void)[] = [];
  const config = AccountConfig.parse({
    mail: { host: '127.0.0.1', port, security: 'none', user: '', from: 'v@example.org' },
    sms: null,
    canRegister: false,
    captcha: { kind: 'none', scriptUrl: '', appId: '', verifyUrl: '' },
    maintenance: null,
    documentList: [],
    privacyUpdateTime: 0,
    environment: USUAL_ENVIRONMENT,
  });
  const messenger = new Messenger({
    settings: { read: async () => ({ config, secrets: {}, version: 1 }) },
    clock: {
      wallMs: () => 0,
      monotonicMs: () => 0,
      after: (_ms, callback) => {
        waiting.push(callback);
        return () => undefined;
      },
    },
    log: pino({ level: 'silent' }),
    outbound: new OutboundClient({
      policy: async () => ({ isOperator: true, openNetworks: ['127.0.0.0/8'], ownPorts: new Set() }),
    }),
    budget: { spend: async () => 0 } as unknown as MessageBudget,
  });
  const failed = () => waitFor('a failure', () => waiting.shift());
  return { messenger, failed };
}

it('gives up after the fourth failure, and reports it once', async () => {
  const sink = await SmtpSink.start();
  const { port } = sink;
  await sink.stop();
  const { messenger, failed } = messengerTo(port);
  let given = 0;
  messenger.post(TO, MESSAGE, () => {
    given += 1;
  });
  for (let tries = 0; tries < 3; tries += 1) {
    (await failed())();
    expect(given).toBe(0);
  }
  await waitFor('the end', () => given > 0);
  expect(given).toBe(1);
  expect(messenger.lastFailure?.reason).toBe('connection refused');
});

it('does not give up when a later attempt succeeds', async () => {
  const sink = await SmtpSink.start();
  const { port } = sink;
  await sink.stop();
  const { messenger, failed } = messengerTo(port);
  let given = 0;
  messenger.post(TO, MESSAGE, () => {
    given += 1;
  });
  const again = await failed();
  const later = await SmtpSink.start({ port });
  again();
  expect((await later.mail(TO.value)).text).toContain('Text');
  expect(given).toBe(0);
  await later.stop();
});
