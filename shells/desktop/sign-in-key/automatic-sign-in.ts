// Signs pages in by the key of the shell: one after the other, since a key opens one session at a time.
import { SerialQueue } from '@vedette/foundation/concurrency/serial-queue.ts';
import type { ShellPeer } from '../window/shell-window.ts';
import type { SignInKey } from './sign-in-key.ts';

export class AutomaticSignIn {
  readonly #signInKey: SignInKey;
  readonly #onOutcome: (code: number) => void;
  readonly #queue = new SerialQueue();

  constructor(signInKey: SignInKey, onOutcome: (code: number) => void) {
    this.#signInKey = signInKey;
    this.#onOutcome = onOutcome;
  }

  /** Does nothing where no key is kept. Rejects where the server cannot be asked. */
  async begin(peer: ShellPeer): Promise<void> {
    await this.#queue.run(async () => {
      const order = await this.#signInKey.ticket();
      if (order === null) return;
      const { code } = await peer.ask('autoLogin', order);
      this.#onOutcome(code);
    });
  }
}
