// The webhook notifier against a receiver of its protocol.
import { overHttp } from '../../../tests/peers/notifier-subjects.ts';
import { notifierConformance } from '../conformance/conformance-suite.ts';
import { webhook } from './webhook.ts';

notifierConformance({
  notifier: webhook,
  start: () => overHttp((url) => ({ url: `${url}/hook`, secret: 'whsec_canary1=' })),
});
