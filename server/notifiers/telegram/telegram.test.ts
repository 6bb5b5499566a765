// The Telegram notifier against a receiver of its protocol.
import { overHttp } from '../../../tests/peers/notifier-subjects.ts';
import { notifierConformance } from '../conformance/conformance-suite.ts';
import { telegram } from './telegram.ts';

notifierConformance({
  notifier: telegram,
  start: () => overHttp((url) => ({ url, chatId: '42', token: '123:canary-1' })),
});
