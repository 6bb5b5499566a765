// Loaded into a site under test: a name server of its own, whose answers for *.turning.test live for one question and lead elsewhere each time.
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
