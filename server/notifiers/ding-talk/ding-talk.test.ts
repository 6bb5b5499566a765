// The DingTalk notifier against a receiver of its protocol.
import { overHttp } from '../../../tests/peers/notifier-subjects.ts';
import { notifierConformance } from '../conformance/conformance-suite.ts';
import { dingTalk } from './ding-talk.ts';

notifierConformance({
  notifier: dingTalk,
  start: () => overHttp((url) => ({ url: `${url}/robot/send?access_token=canary-1`, secret: 'SEC-canary-2' })),
});
