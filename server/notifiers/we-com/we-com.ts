// Notifier for WeCom groups by a group robot.
import { need, type Notifier, postJson, refuseCode } from '../kit/notifier.ts';
import { markdownLines } from '../kit/markdown-lines.ts';

/** The robot is told too much at once; the system is busy. */
const BUSY = [-1, 45009];
/** Bytes of one markdown message. */
const LONGEST = 4096;

export const weCom: Notifier = {
  kind: 'weCom',
  send: async (message, settings, world) => {
    // As a stream: a character that is cut at the end is left out.
    const content = new TextDecoder().decode(Buffer.from(markdownLines(message)).subarray(0, LONGEST), {
      stream: true,
    });
    const body = { msgtype: 'markdown', markdown: { content } };
    refuseCode(await world.http(postJson(need(settings, 'url'), body)), 'errcode', BUSY);
  },
};
