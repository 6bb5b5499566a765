// Simplified Chinese: what the desktop shell shows while it has no page of the console.
import type { desktopShell as english } from '../en/desktop-shell.ts';
import type { Topic } from '../pack.ts';

export const desktopShell: Topic<typeof english> = {
  'desktopShell.connecting': '正在连接 {server} …',
  'desktopShell.untrusted':
    '{server} 的证书不受信任。请将此指纹与服务器的指纹进行核对，然后使用 --trust {pin} 启动一次',
  'desktopShell.changed': '{server} 的证书已更改。请将此指纹与服务器的指纹进行核对，然后使用 --trust {pin} 启动一次',
};
