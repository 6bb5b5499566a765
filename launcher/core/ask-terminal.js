// Asks a question at the terminal itself: standard input tells whether the parent lives (bootstrap.js).

import fs from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { ReadStream } from 'node:tty';
import { LaunchError } from './launch-error.js';

/**
 * @param {string} question
 * @param {{ code: string, message: string, hint: string }} refusal where there is no terminal
 */
export async function askTerminal(question, refusal) {
  const terminal = openTerminal(refusal);
  const lines = createInterface({ input: terminal, output: process.stderr });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
    terminal.destroy();
  }
}

/** @param {{ code: string, message: string, hint: string }} refusal */
function openTerminal({ code, message, hint }) {
  try {
    return new ReadStream(fs.openSync('/dev/tty', 'r'));
  } catch {
    throw new LaunchError(code, message, { hint });
  }
}
