// Receivers for the conformance of notifiers: an HTTP server, an MQTT broker and a mail server, each behind a relay.
import type { ChannelSettings } from '../../server/notifiers/kit/notifier.ts';
import type { ConformanceSubject } from '../../server/notifiers/conformance/conformance-suite.ts';
import { SmtpSink } from '../harness/smtp-sink.ts';
import { publishPacket } from './hostile-broker.ts';
import { HttpSink, startBroker } from './message-sink.ts';
import { ReceiverRelay } from './receiver-relay.ts';

const LONG = 'x'.repeat(65_536);
const CONNACK = Buffer.from([0x20, 2, 0, 0]);

/** `settingsOf`: of a channel whose messages go to this address. */
export async function overHttp(settingsOf: (url: string) => ChannelSettings): Promise<ConformanceSubject> {
  const sink = await new HttpSink().start();
  const relay = await ReceiverRelay.before(Number(new URL(sink.url).port));
  return {
    settings: settingsOf(`http://127.0.0.1:${relay.port}`),
    relay,
    endless: { head: 'HTTP/1.1 200 OK\r\n\r\n', part: LONG },
    received: () => sink.requests.length,
    refuseNext: (words) => void sink.answers.push({ status: 403, body: words, headers: { 'x-words': words } }),
    stop: async () => {
      await relay.close();
      await sink.stop();
    },
  };
}

/** The broker takes `user` with `pass` alone. */
export async function overMqtt(settingsOf: (url: string) => ChannelSettings): Promise<ConformanceSubject> {
  const broker = await startBroker();
  const relay = await ReceiverRelay.before(Number(new URL(broker.url).port));
  return {
    settings: settingsOf(`mqtt://127.0.0.1:${relay.port}`),
    relay,
    endless: { head: CONNACK, part: publishPacket({ topic: 'a', payload: LONG }) },
    received: () => broker.published.length,
    refuseNext: () => void (broker.refused += 1),
    stop: async () => {
      await relay.close();
      await broker.stop();
    },
  };
}

export async function overMail(settings: ChannelSettings): Promise<ConformanceSubject> {
  const sink = await SmtpSink.start();
  const relay = await ReceiverRelay.before(sink.port);
  return {
    settings,
    mailServer: { ...sink.settings, port: relay.port },
    relay,
    endless: { head: '220-', part: LONG },
    received: () => sink.mails.length,
    refuseNext: (words) => sink.refuseNext(words),
    stop: async () => {
      await relay.close();
      await sink.stop();
    },
  };
}
