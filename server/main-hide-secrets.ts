// Filter of log lines: what is read from standard input is written without anything that looks like a secret.
import { createInterface } from 'node:readline';
import { withoutSecrets } from './features/system-log/log-redaction.ts';

for await (const line of createInterface({ input: process.stdin })) process.stdout.write(`${withoutSecrets(line)}\n`);
