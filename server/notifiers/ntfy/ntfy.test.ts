// The ntfy notifier against a receiver of its protocol.
import { overHttp } from '../../../tests/peers/notifier-subjects.ts';
import { notifierConformance } from '../conformance/conformance-suite.ts';
import { ntfy } from './ntfy.ts';

notifierConformance({
  notifier: ntfy,
  start: () => overHttp((url) => ({ url: `${url}/alarms`, token: 'tk_canary-1' })),
});
