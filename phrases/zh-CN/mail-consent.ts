// Simplified Chinese: whether the addresses of e-mail channels agreed, in the list of channels and on the page of whoever is asked.
import type { mailConsent as english } from '../en/mail-consent.ts';
import type { Topic } from '../pack.ts';

export const mailConsent: Topic<typeof english> = {
  'mailConsent.addresses': '收件地址',
  'mailConsent.lead':
    '系统会向每个地址发送一封询问邮件。对方同意之前，不会发送其他任何邮件。您自己已验证的邮箱无需确认。',
  mailConsent_own: '{address} 是您自己的邮箱。',
  mailConsent_confirmed: '{address} 已确认。',
  mailConsent_waiting: '等待 {address} 确认（{time} 已发送）。',
  mailConsent_ended: '{address} 七天内未答复（{time} 已发送）。',
  mailConsent_unasked: '尚未询问 {address}。',
  mailConsent_refused: '{address} 不接收报警邮件。',
  'mailConsent.askFrom': '{time} 后可再次询问。',
  'mailConsent.ask': '询问',
  'mailConsent.askAgain': '再次询问',
  'mailConsent.asked': '已向 {address} 发送询问邮件。',
  'mailConsent.testOff': '测试 {name}：需有收件人确认后才能使用',
  'mailConsent.title': '报警邮件',
  'mailConsent.question': '用户 {name} 希望向 {address} 发送报警邮件。',
  'mailConsent.what': '每封邮件包含',
  'mailConsent.whatAlarm': '检测到的事件及其级别',
  'mailConsent.whatPlace': '摄像机名称和发生时间',
  'mailConsent.whatLink': '查看报警的链接（需要本系统账号）和停止接收的链接',
  'mailConsent.most': '每小时最多 {count} 封邮件，不含图片。',
  'mailConsent.confirm': '同意接收报警',
  'mailConsent.refuse': '永久拒绝',
  'mailConsent.refuseHint': '对本系统的所有用户有效，任何人都不能再次询问此地址。',
  'mailConsent.ignore': '如果您不认识此用户，关闭此页面即可，不会发送任何邮件。',
  'mailConsent.until': '链接在 {time} 前有效。',
  'mailConsent.confirmedTitle': '已同意接收报警',
  'mailConsent.confirmedText': '{address} 将收到 {name} 的报警邮件，每封邮件都带有停止接收的链接。',
  'mailConsent.refusedTitle': '不会发送邮件',
  'mailConsent.refusedText': '本系统的任何用户都不能向 {address} 发送报警，也不能再次询问。',
  'mailConsent.stopTitle': '停止接收这些邮件？',
  'mailConsent.stopText': '{address} 正在接收 {name} 的报警邮件。',
  'mailConsent.stop': '停止接收',
  'mailConsent.changeMind': '仍然接收 {name} 的报警',
  'mailConsent.goneTitle': '链接无效',
  'mailConsent.gone':
    '链接已过期，或已被新的邮件取代。未经您答复不会发送任何邮件；您已同意接收的报警邮件中另有停止接收的链接。',
};
