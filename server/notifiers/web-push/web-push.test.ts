// The browser notifier against a receiver of its protocol.
import { overHttp } from '../../../tests/peers/notifier-subjects.ts';
import { PushBrowser } from '../../../tests/peers/push-browser.ts';
import { notifierConformance } from '../conformance/conformance-suite.ts';
import { webPush } from './web-push.ts';

notifierConformance({
  notifier: webPush,
  start: () => overHttp((url) => new PushBrowser().subscription(`${url}/push/canary-1`)),
});
