// Whoever started the shell may drive it by standard input: one JSON object a line, and one on standard output for whatever happens.
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { WEB_TOPICS } from '@vedette/bridge/topics/web-topics.ts';
import { z } from 'zod';
import type { DesktopShell } from './desktop-shell.ts';

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
  z.object({ do: z.literal('open'), address: z.string() }),
  z.object({ do: z.literal('end') }),
]);
type Command = z.output<typeof Command>;

export function takeCommands(
  input: Readable,
  shell: DesktopShell,
  say: (event: string, details?: object) => void,
): void {
  createInterface({ input }).on('line', (line) => {
    const command = Command.safeParse(parse(line));
    if (command.success) void run(command.data, shell, say);
    else say('badCommand');
  });
}

async function run(command: Command, shell: DesktopShell, say: (event: string, details?: object) => void) {
  if (command.do === 'end') return shell.end();
  if (command.do === 'open') {
    if (!shell.open(command.address)) say('refused', { what: 'document', of: command.address });
    return;
  }
  const { window, topic, data, tag } = command;
  const outcome = await shell.windows[window]?.peer.ask(topic, data as never);
  say('outcome', { tag, ...(outcome ?? { missing: 'window' }) });
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
