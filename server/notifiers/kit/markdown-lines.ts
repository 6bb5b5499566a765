// A message in the Markdown subset of DingTalk, Feishu and WeCom.
import type { AlarmMessage } from './notifier.ts';

export function markdownLines({ title, facts, link }: AlarmMessage): string {
  const lines = [`**${plain(title)}**`, ...facts.map(([name, value]) => `${plain(name)}: ${plain(value)}`)];
  if (link !== null) lines.push(`[${link}](${link})`);
  return lines.join('\n\n');
}

/** A name must not become a link, a mention or a mark. */
function plain(text: string): string {
  return text
    .replaceAll(/[\\`*_[\]()<>#~|]/g, ' ')
    .replaceAll('@', '＠')
    .replaceAll(/[\r\n]+/g, ' ');
}
