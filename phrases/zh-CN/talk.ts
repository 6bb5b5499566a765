// Simplified Chinese: talking to a device.
import type { talk as english } from '../en/talk.ts';
import type { Topic } from '../pack.ts';

export const talk: Topic<typeof english> = {
  'talk.button': '对讲（按住说话，轻点保持通话）',
  'talk.start': '对讲',
  'talk.stop': '结束对讲',
  'talk.group': '对讲',
  'talk.microphone': '请在浏览器中允许使用麦克风',
  'talk.connecting': '正在连接扬声器',
  'talk.talking': '请讲话',
  'talk.level': '麦克风音量',
  'talk.holdHint': '松开即结束',
  'talk.latchHint': '按 T 键或按钮结束',
  'talk.lost': '与摄像机扬声器的连接已中断。',
  'talk.noLoudspeaker': '该摄像机没有扬声器。',
  'talk.taken': '您正在另一个窗口中对讲。',
  'talk.obstacle_insecure':
    '浏览器只允许安全地址使用麦克风。请通过 HTTPS 打开本页面，或在运行 Vedette 的计算机上打开。',
  'talk.obstacle_denied': '本页面的麦克风已被禁用。请在浏览器地址栏旁允许使用，然后重试。',
  'talk.obstacle_none': '未找到麦克风。',
  'talk.obstacle_busy': '麦克风正被其他程序占用。请关闭该程序后重试。',
  'talk.obstacle_failed': '无法启动麦克风。',
  'talk.dismiss': '关闭此消息',
};
