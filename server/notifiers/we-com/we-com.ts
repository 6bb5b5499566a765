// Tells alarms to a WeCom group by a group robot.
import { need, type Notifier, postJson, refuseCode } from '../notifier.ts';
import { markdownLines } from '../markdown-lines.ts';

/** The robot is told too much at once; the system is busy. */
const BUSY = [-1, 45009];
/** Bytes of one markdown message. */
const LONGEST = 4096;

export const weCom: Notifier = {
  kind: 'weCom',
  send: async (message, settings, world) => {
    const content = Buffer.from(markdownLines(message))
      .subarray(0, LONGEST)
      .toString('utf8')
      .replace(/\uFFFD+$/u, '');
    const body = { msgtype: 'markdown', markdown: { content } };
    refuseCode(await world.http(postJson(need(settings, 'url'), body)), 'errcode', BUSY);
  },
};
