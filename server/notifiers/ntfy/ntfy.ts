// Notifier for ntfy topics, published as JSON so that titles may be of any language.
import { need, type Notifier, NotifyError, postJson, refuseStatus } from '../kit/notifier.ts';

const PRIORITY = { info: 2, minor: 3, major: 4, critical: 5 } as const;
const TAG = { info: 'information_source', minor: 'bell', major: 'warning', critical: 'rotating_light' } as const;

export const ntfy: Notifier = {
  kind: 'ntfy',
  send: async (message, settings, world) => {
    const address = need(settings, 'url');
    const url = URL.canParse(address) ? new URL(address) : null;
    // The topic is the last part of the address that ntfy itself shows.
    const topic = decodeURIComponent(url?.pathname.split('/').at(-1) ?? '');
    if (url === null || topic === '')
      throw new NotifyError('settings', 'the address names no topic', { isFinal: true });
    const base = new URL('./', url).href;
    const { title, facts, severity, link } = message;
    const body = {
      topic,
      title,
      message: facts.map(([name, value]) => `${name}: ${value}`).join('\n'),
      priority: PRIORITY[severity],
      tags: [TAG[severity]],
      ...(link === null ? {} : { click: link }),
    };
    const token = settings['token'] ?? '';
    refuseStatus(await world.http(postJson(base, body, token === '' ? {} : { authorization: `Bearer ${token}` })));
  },
};
