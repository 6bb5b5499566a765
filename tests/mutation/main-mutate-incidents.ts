// `npm run mutate:incidents [-- word]`: takes out the guard of each incident in a copy of the sources and runs its test, which has to be red. Not part of CI: some take a started product, half a minute each.
import { IncidentMutation } from './incident-mutation.ts';

const [word = ''] = process.argv.slice(2);
process.exitCode = (await new IncidentMutation(word).run()) === 0 ? 0 : 1;
