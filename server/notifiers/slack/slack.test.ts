// The Slack notifier against a receiver of its protocol.
import { overHttp } from '../../../tests/peers/notifier-subjects.ts';
import { notifierConformance } from '../conformance/conformance-suite.ts';
import { slack } from './slack.ts';

notifierConformance({ notifier: slack, start: () => overHttp((url) => ({ url: `${url}/services/T0/B0/canary-1` })) });
