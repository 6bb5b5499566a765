// Notifier for Slack channels by an incoming webhook, with blocks and a plain text.
import { need, type AlarmMessage, type Notifier, postJson, refuseStatus } from '../kit/notifier.ts';

/** Characters of one field, and fields of one section. */
const LONGEST = 2000;
const MOST_FIELDS = 10;

export const slack: Notifier = {
  kind: 'slack',
  send: async (message, settings, world) => {
    refuseStatus(await world.http(postJson(need(settings, 'url'), slackBody(message))));
  },
};

function slackBody({ title, facts, link }: AlarmMessage) {
  const fields = facts.slice(0, MOST_FIELDS).map(([name, value]) => ({
    type: 'mrkdwn',
    text: `*${escapeMarks(name)}*\n${escapeMarks(value)}`.slice(0, LONGEST),
  }));
  const blocks: object[] = [
    { type: 'header', text: { type: 'plain_text', text: title.slice(0, 150), emoji: false } },
    { type: 'section', fields },
  ];
  if (link !== null) {
    blocks.push({ type: 'section', text: { type: 'mrkdwn', text: `<${encodeURI(decodeURI(link))}>` } });
  }
  return { text: escapeMarks(title), blocks };
}

/** The three characters that Slack reads as marks. */
function escapeMarks(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
