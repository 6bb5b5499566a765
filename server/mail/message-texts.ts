// Texts of mails and text messages, in both languages.
import { CODE_LIMITS, MAIL_CONSENT } from '@vedette/contract/limits.ts';
import { isOfCdn, type MonthQuota, QUOTAS } from '@vedette/contract/quotas.ts';
import type { CodePurpose } from '@vedette/contract/calls/account-access.ts';
import type { Message } from './messenger.ts';

/** 0 simplified Chinese, 1 English. */
export type MessageLanguage = 0 | 1;

const CONSENT_DAYS = MAIL_CONSENT.lifeMs / (24 * 3_600_000);
const MINUTES = CODE_LIMITS.lifeMs / 60_000;

const FOR: Record<CodePurpose, readonly [chinese: string, english: string]> = {
  register: ['注册账号', 'register'],
  retrieve: ['重置密码', 'set a new password'],
  login: ['登录', 'sign in'],
  bind: ['绑定联系方式', 'confirm this address'],
};

export function codeMessage(language: MessageLanguage, purpose: CodePurpose, code: string): Message {
  const [chinese, english] = FOR[purpose];
  return language === 0
    ? {
        subject: `Vedette 验证码：${code}`,
        text: `您的验证码是 ${code}，用于${chinese}，${MINUTES} 分钟内有效，只能使用一次。\n\n如果不是您本人操作，请忽略此消息，切勿将验证码告诉他人。`,
      }
    : {
        subject: `Your Vedette code is ${code}`,
        text: `Your code is ${code}. Use it to ${english}. It is good for ${MINUTES} minutes and works once.\n\nIf you did not ask for it, ignore this message. Never tell the code to anybody.`,
      };
}

/** To a contact that already has an account: the page does not reveal that, the mail does. */
export function alreadyRegisteredMessage(language: MessageLanguage): Message {
  return language === 0
    ? {
        subject: 'Vedette：您已有账号',
        text: '有人用此联系方式注册，但它已属于一个账号。如果是您本人，请直接登录或重置密码。',
      }
    : {
        subject: 'You already have a Vedette account',
        text: 'Somebody registered with this contact, but it belongs to an account already. If it was you, sign in or set a new password.',
      };
}

export function passwordChangedMessage(language: MessageLanguage): Message {
  return language === 0
    ? {
        subject: 'Vedette：密码已修改',
        text: '您的账号密码刚刚修改，其他登录会话已结束。如果不是您本人操作，请立即重置密码。',
      }
    : {
        subject: 'Your Vedette password was changed',
        text: 'The password of your account was just changed, and its other sessions have ended. If it was not you, set a new password at once.',
      };
}

export function contactChangedMessage(language: MessageLanguage): Message {
  return language === 0
    ? { subject: 'Vedette：联系方式已更换', text: '您的账号已改用其他联系方式。如果不是您本人操作，请联系管理员。' }
    : {
        subject: 'Your Vedette contact was changed',
        text: 'Your account now uses another contact. If it was not you, tell the operator.',
      };
}

export function testMessage(language: MessageLanguage): Message {
  return language === 0
    ? { subject: 'Vedette 测试消息', text: '这是一条测试消息：发送设置可用。' }
    : { subject: 'Vedette test message', text: 'This is a test: messages can be sent.' };
}

/** An account above set this account's password, directly or by a link. */
export function passwordResetMessage(language: MessageLanguage, byName: string): Message {
  return language === 0
    ? {
        subject: 'Vedette：密码已被重置',
        text: `${byName} 重置了您账号的密码。该账号的所有登录和受信任的浏览器均已失效。如果您未要求重置，请查看审计日志并联系对方。`,
      }
    : {
        subject: 'Your Vedette password was reset',
        text: `${byName} reset the password of your account. Its sessions and trusted browsers have ended. If you did not ask for this, look at the audit log and get in touch with them.`,
      };
}

export function resetLinkMessage(language: MessageLanguage, byName: string, url: string): Message {
  return language === 0
    ? {
        subject: 'Vedette：设置新密码',
        text: `${byName} 为您的账号发起了密码重置，该账号的所有登录和受信任的浏览器均已失效。请在 24 小时内打开以下链接设置新密码，链接只能使用一次：\n\n${url}\n\n如果您未要求重置，请忽略此链接，原密码仍然有效。`,
      }
    : {
        subject: 'Set a new Vedette password',
        text: `${byName} began a reset of your password. Sessions and trusted browsers of your account have ended. Set a new password with this link. It works once, within 24 hours:\n\n${url}\n\nIf you did not ask for this, leave the link alone: your password stays what it was.`,
      };
}

export function factorResetMessage(language: MessageLanguage, byName: string): Message {
  return language === 0
    ? {
        subject: 'Vedette：双重验证已被关闭',
        text: `${byName} 关闭了您账号的双重验证，所有登录和受信任的浏览器均已失效。如果您未要求这样做，请立即修改密码并重新开启双重验证。`,
      }
    : {
        subject: 'Your Vedette second factor was switched off',
        text: `${byName} switched off the second factor of your account. Its sessions and trusted browsers have ended. If you did not ask for this, change your password at once and switch the second factor on again.`,
      };
}

/**
 * Consent request in both languages, since the recipient's is unknown. The account chooses nothing in it but its user
 * name, which is letters and digits.
 */
export function mailConsentMessage(
  language: MessageLanguage,
  { byName, url }: { readonly byName: string; readonly url: string },
): Message {
  const english = `The Vedette user "${byName}" wants to send alarm messages of a video surveillance system to this address. Nothing is sent unless you agree. Look at it, agree or refuse for good here, within ${CONSENT_DAYS} days:\n\n${url}\n\nIf you do not know who this is, do nothing.`;
  const chinese = `Vedette 用户“${byName}”希望将视频监控系统的报警消息发送到此地址。未经您同意不会发送任何消息。请在 ${CONSENT_DAYS} 天内打开以下链接查看，并选择同意或永久拒绝：\n\n${url}\n\n如果您不认识此用户，请忽略此邮件。`;
  return language === 0
    ? { subject: 'Vedette：是否同意接收报警邮件？', text: `${chinese}\n\n---\n\n${english}` }
    : { subject: 'Do you want alarm messages by mail?', text: `${english}\n\n---\n\n${chinese}` };
}

/** Footer of alarms to recipients other than the account itself. */
export function unsubscribeLine(language: 'en' | 'zh-CN', byName: string, url: string): string {
  return language === 'zh-CN'
    ? `您已同意接收用户“${byName}”的报警邮件。退订：${url}`
    : `You agreed to alarm messages of the user "${byName}". Stop them: ${url}`;
}

/** What an account may consume in a month, and how much of it is used. */
export interface Budget {
  readonly quota: MonthQuota;
  /** Reached just now: 80 or 100. */
  readonly percent: number;
  readonly used: number;
  readonly limit: number;
}

const BUDGETS: Record<MonthQuota, readonly [chinese: string, english: string]> = {
  monthEgressBytes: ['发送给观看者的流量', 'What may be sent to viewers this month'],
  monthStreamMinutes: ['观看时长', 'The viewing time of this month'],
  monthCdnBytes: ['发送到 CDN 的流量', 'What may be sent to CDNs this month'],
  monthCdnMinutes: ['CDN 直播时长', 'The time of streams to CDNs of this month'],
};

export function budgetMessage(language: MessageLanguage, { quota, percent, used, limit }: Budget): Message {
  const [chinese, english] = BUDGETS[quota];
  const [chineseWhat, englishWhat] = isOfCdn(quota) ? ['向 CDN 直播', 'sent to CDNs'] : ['观看', 'watched'];
  const amount = (value: number): string =>
    QUOTAS[quota].unit === 'bytes' ? `${Math.round(value / 1e8) / 10} GB` : `${value} min`;
  const isOver = percent >= 100;
  return language === 0
    ? {
        subject: isOver ? 'Vedette：本月配额已用完' : `Vedette：本月配额已用 ${percent}%`,
        text: `本月${chinese}已使用 ${amount(used)}，上限为 ${amount(limit)}。${isOver ? `下个月之前不能再开始新的${chineseWhat}。` : `用完后将不能再开始新的${chineseWhat}。`}录像不受影响。详情见“用量与费用”。`,
      }
    : {
        subject: isOver ? 'Your Vedette quota of this month is used up' : `${percent} % of your Vedette quota is used`,
        text: `${english}: ${amount(used)} of ${amount(limit)} are used. ${isOver ? `Nothing new can be ${englishWhat} before the next month.` : `Once they are used up, nothing new can be ${englishWhat} this month.`} Recording goes on. See "Consumption" in the console.`,
      };
}
