// The e-mail notifier against a receiver of its protocol.
import { overMail } from '../../../tests/peers/notifier-subjects.ts';
import { notifierConformance } from '../conformance/conformance-suite.ts';
import { email } from './email.ts';

notifierConformance({ notifier: email, start: () => overMail({ to: 'a@example.com' }) });
