// `npm run mutate:guards [-- word]`: takes the guards of the server out and runs the contract tests that see them at work; a guard that none misses is printed. Not part of CI: it takes most of an hour.
import { Mutation } from './mutation.ts';

const words = process.argv.slice(2);
const optionOf = (name: string): string | undefined =>
  words.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3);

const mutation = new Mutation({
  word: words.find((one) => !one.startsWith('--')) ?? '',
  /**
   * Each guard by itself, which takes hours. Without it those that different tests see are taken out together, and told apart by
   * the tests that fail: one that fails because of what another guard's want spoilt counts for its own.
   */
  isAlone: words.includes('--alone'),
  /** `--lanes=2`: so many runs at the same time. */
  lanes: Number(optionOf('lanes') ?? 1),
  /** `--under="nice -n 10"`: a command that starts each run. */
  under: (optionOf('under') ?? '').split(' ').filter((one) => one !== ''),
});
process.exitCode = (await mutation.run()) === 0 ? 0 : 1;
