// `npm run mutate:guards [-- word]`: mutation test of the server's guards by the contract tests; prints surviving mutants. Not part of CI: in two lanes it takes twelve minutes on two cores.
import { readFileSync } from 'node:fs';
import { Mutation } from './mutation.ts';

const words = process.argv.slice(2);
const optionOf = (name: string): string | undefined =>
  words.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3);

function missedIn(file: string | undefined): ReadonlySet<string> {
  const text = file === undefined ? '' : readFileSync(file, 'utf8');
  return new Set([...text.matchAll(/^missed +(\S+)/gm)].map(([, id = '']) => id));
}

const mutation = new Mutation({
  word: words.find((one) => !one.startsWith('--')) ?? '',
  /**
   * Each guard by itself, which takes hours. Without it each test of a run is to miss another guard, which is out while that test runs:
   * one that fails because of what an earlier test's guard let happen counts for its own.
   */
  isAlone: words.includes('--alone'),
  /** `--lanes=2`: so many runs at the same time. */
  lanes: Number(optionOf('lanes') ?? 1),
  /** `--tests=corners,sharing`: these files alone. */
  tests: (optionOf('tests') ?? '').split(',').filter((one) => one !== ''),
  /** `--last=FILE`: what this printed before; guards that were missed then are tried last. */
  last: missedIn(optionOf('last')),
  /** `--under="nice -n 10"`: a command that starts each run. */
  under: (optionOf('under') ?? '').split(' ').filter((one) => one !== ''),
});
process.exitCode = (await mutation.run()) === 0 ? 0 : 1;
