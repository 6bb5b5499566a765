// A Python program that answers one JSON command a line, for tests of what is written in Python.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { stopChild } from './gstreamer.ts';

/** Debian's own, which has the packages that npm test installs. */
export const PYTHON = '/usr/bin/python3';

export class PythonConversation {
  readonly #child: ChildProcess;
  readonly #answers: AsyncIterator<string>;
  readonly #errors: string[] = [];

  /** @param start the first line, which never stands on the command line: it may hold secrets */
  constructor(script: string, start: object) {
    this.#child = spawn(PYTHON, ['-B', script], { stdio: ['pipe', 'pipe', 'pipe'] });
    if (this.#child.stdout === null || this.#child.stderr === null) throw new Error('no pipes to Python');
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
    createInterface({ input: this.#child.stderr }).on('line', (line) => this.#errors.push(line));
    // One that has ended is reported by its next answer.
    this.#child.stdin?.on('error', () => undefined);
    this.#send(start);
  }

  /** What it wrote to its standard error. */
  get log(): string {
    return this.#errors.join('\n');
  }

  /** The answer, or `{error, text}` of a failure that the program names. */
  async ask<T>(command: string, more: object = {}): Promise<T> {
    this.#send({ do: command, ...more });
    const { value, done } = await this.#answers.next();
    if (done === true) throw new Error(`Python ended at ${command}:\n${this.log}`);
    const answer = JSON.parse(value) as { readonly answer?: T };
    return 'answer' in answer ? (answer.answer as T) : (answer as T);
  }

  async stop(): Promise<void> {
    await stopChild(this.#child);
  }

  #send(line: object): void {
    this.#child.stdin?.write(`${JSON.stringify(line)}\n`);
  }
}
