// Simplified Chinese: what the GTK shell says of its web engine before the first page of a server.
import type { gtkShell as english } from '../en/gtk-shell.ts';
import type { Topic } from '../pack.ts';

export const gtkShell: Topic<typeof english> = {
  'gtkShell.title': '网页引擎的安全性',
  'gtkShell.says': '本客户端使用 WebKitGTK {webKit} 显示控制台。{system} 对其安全支持的说明如下：',
  'gtkShell.means':
    '该引擎今后公开的漏洞可能得不到修复。本客户端只显示 {server}，并拒绝其他所有网站：请仅在您信任该服务器及其内容时使用。',
  'gtkShell.unknown':
    '本客户端使用 WebKitGTK {webKit} 显示控制台。Vedette 不清楚 {system} 是否仍为其提供安全更新，请查阅您的系统的安全公告。本客户端只显示 {server}，并拒绝其他所有网站。',
  'gtkShell.other': '桌面客户端（npm run shell）使用由您的系统保持更新的浏览器。',
  'gtkShell.goOn': '继续前往 {server}',
};
