// Set-up of each browser spec: prints the content of its pages when a test fails.
import { afterEach } from 'vitest';
import { pagesInWords } from '../harness/browser.ts';

const DUMP_CHARACTERS_MAX = 1500;

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const page of await pagesInWords()) {
    process.stdout.write(
      `── when "${task.name}" failed: ${page.replaceAll(/\n+/g, ' | ').slice(0, DUMP_CHARACTERS_MAX)}\n`,
    );
  }
});
