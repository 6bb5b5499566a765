// The WeCom notifier against a receiver of its protocol.
import { overHttp } from '../../../tests/peers/notifier-subjects.ts';
import { notifierConformance } from '../conformance/conformance-suite.ts';
import { weCom } from './we-com.ts';

notifierConformance({ notifier: weCom, start: () => overHttp((url) => ({ url: `${url}/webhook/send?key=canary-1` })) });
