// Registry of notifiers by kind: a new one is one folder and one row.
import type { AlarmChannelKind } from '@vedette/contract/alarm-channels.ts';
import { dingTalk } from './ding-talk/ding-talk.ts';
import { email } from './email/email.ts';
import { feishu } from './feishu/feishu.ts';
import { mqtt } from './mqtt/mqtt.ts';
import type { Notifier } from './kit/notifier.ts';
import { ntfy } from './ntfy/ntfy.ts';
import { slack } from './slack/slack.ts';
import { telegram } from './telegram/telegram.ts';
import { weCom } from './we-com/we-com.ts';
import { webPush } from './web-push/web-push.ts';
import { webhook } from './webhook/webhook.ts';

export const NOTIFIERS: Readonly<Record<AlarmChannelKind, Notifier>> = {
  email,
  webPush,
  webhook,
  mqtt,
  ntfy,
  telegram,
  slack,
  dingTalk,
  feishu,
  weCom,
};
