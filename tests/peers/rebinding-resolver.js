// DNS rebinding resolver loaded into a site under test: *.turning.test resolves to another address at each look-up.
import { promises } from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

const lookup = promises.lookup;
const answers = (process.env['TURNING_NAMES'] ?? '').split(',');
let asked = 0;

// @ts-expect-error: one form of several stands in for all of them
promises.lookup = async (host, options) => {
  if (!host.endsWith('.turning.test')) return await lookup(host, options);
  const address = answers[asked % answers.length] ?? '';
  asked += 1;
  return [{ address, family: 4 }];
};
syncBuiltinESMExports();
