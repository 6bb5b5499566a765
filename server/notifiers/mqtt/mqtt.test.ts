// The MQTT notifier against a receiver of its protocol.
import { overMqtt } from '../../../tests/peers/notifier-subjects.ts';
import { notifierConformance } from '../conformance/conformance-suite.ts';
import { mqtt } from './mqtt.ts';

notifierConformance({
  notifier: mqtt,
  start: () => overMqtt((url) => ({ url, user: 'user', password: 'pass', topic: 'canary' })),
});
