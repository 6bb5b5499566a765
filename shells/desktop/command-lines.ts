// Whoever started the shell may drive it by standard input: one JSON object a line, and one on standard output for whatever happens.
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { BridgeOutcome } from '@vedette/bridge/messages/bridge-answer.ts';
import { WEB_TOPICS } from '@vedette/bridge/topics/web-topics.ts';
import { z } from 'zod';
import type { ShellPeer } from './window/shell-window.ts';

const topics = Object.keys(WEB_TOPICS) as [keyof typeof WEB_TOPICS, ...(keyof typeof WEB_TOPICS)[]];
const Command = z.discriminatedUnion('do', [
  /** A request to the page of a window, counted from 0; its outcome follows with the same `tag`. */
  z.object({
    do: z.literal('ask'),
    window: z.number().int().min(0).default(0),
    tag: z.union([z.string(), z.number()]).optional(),
    topic: z.enum(topics),
    data: z.record(z.string(), z.unknown()).default({}),
  }),
  /** `monitor`: by its name, for shells that place windows; the window fills it. */
  z.object({ do: z.literal('open'), address: z.string(), monitor: z.string().optional() }),
  /** For shells that play video: a window of the wall is played by the shell, or by the page again. */
  z.object({
    do: z.literal('play'),
    window: z.number().int().min(0).default(0),
    tile: z.number().int().min(1).max(64),
    isNative: z.boolean(),
    tag: z.union([z.string(), z.number()]).optional(),
  }),
  z.object({ do: z.literal('end') }),
]);
type Command = z.output<typeof Command>;

export interface DrivenWindow {
  readonly peer: ShellPeer;
  /** The outcome of the page's answer. */
  play?(tile: number, isNative: boolean): Promise<BridgeOutcome>;
}

export interface DrivenShell {
  readonly windows: readonly DrivenWindow[];
  /** False where the address is not of the shell's own server. */
  open(address: string, monitor?: string): boolean;
  end(): void;
}

export function takeCommands(
  input: Readable,
  shell: DrivenShell,
  say: (event: string, details?: object) => void,
): void {
  createInterface({ input }).on('line', (line) => {
    const command = Command.safeParse(parse(line));
    if (command.success) void run(command.data, shell, say);
    else say('badCommand');
  });
}

async function run(command: Command, shell: DrivenShell, say: (event: string, details?: object) => void) {
  if (command.do === 'end') return shell.end();
  if (command.do === 'open') {
    if (!shell.open(command.address, command.monitor)) say('refused', { what: 'document', of: command.address });
    return;
  }
  const { tag } = command;
  const window = shell.windows[command.window];
  const outcome =
    command.do === 'play'
      ? await window?.play?.(command.tile, command.isNative)
      : await window?.peer.ask(command.topic, command.data as never);
  say('outcome', { tag, ...(outcome ?? { missing: 'window' }) });
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
