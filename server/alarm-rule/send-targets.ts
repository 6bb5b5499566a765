// Recipients of a notification channel as keys for the rate limits: one per mailbox, chat, browser or program.
import { ALARM_CHANNELS, type AlarmChannelKind } from '@vedette/contract/alarm-channels.ts';
import { mailAddresses } from '../notifiers/email/mail-addresses.ts';
import type { ChannelSettings } from '../notifiers/kit/notifier.ts';
import type { OutgoingMessages } from '../mail/message-budget.ts';

/** `isTest`: by the test button, which has its own limit. */
export function outgoingMessagesOf(
  accountId: string,
  kind: AlarmChannelKind,
  settings: ChannelSettings,
  isTest: boolean,
): OutgoingMessages[] {
  const sending = { accountId, ...kindAndTargets(accountId, kind, settings) };
  return isTest ? [sending, { ...sending, kind: 'test' }] : [sending];
}

function kindAndTargets(
  accountId: string,
  kind: AlarmChannelKind,
  settings: ChannelSettings,
): Pick<OutgoingMessages, 'kind' | 'targets'> {
  const { url = '', endpoint = '', chatId = '' } = settings;
  const { reaches } = ALARM_CHANNELS[kind];
  if (reaches === 'mail') return { kind: 'mail', targets: mailAddresses(settings['to'] ?? '') };
  // A machine serves many: nobody takes the place of another account there.
  if (reaches === 'program') return { kind: 'program', targets: [`${accountId} ${hostOf(url)}`] };
  return { kind: 'person', targets: [[kind, url, endpoint, chatId].join(' ')] };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
