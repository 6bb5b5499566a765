// Name of a kind of channel: its own, or the word of the language.
import { ALARM_CHANNELS, type AlarmChannelKind } from '@vedette/contract/alarm-channels.ts';
import type { Translate } from '@vedette/phrases/translate.ts';

export function channelName(t: Translate, kind: AlarmChannelKind): string {
  return ALARM_CHANNELS[kind].name ?? t.find(`channelKind_${kind}`) ?? kind;
}
