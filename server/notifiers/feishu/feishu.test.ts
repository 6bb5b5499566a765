// The Feishu notifier against a receiver of its protocol.
import { overHttp } from '../../../tests/peers/notifier-subjects.ts';
import { notifierConformance } from '../conformance/conformance-suite.ts';
import { feishu } from './feishu.ts';

notifierConformance({
  notifier: feishu,
  start: () => overHttp((url) => ({ url: `${url}/bot/v2/hook/canary-1`, secret: 'canary-2' })),
});
