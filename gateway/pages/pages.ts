// Pages that the gateway serves itself: busy, and how to trust the local authority.

const STYLE = `body{font:16px/1.6 system-ui,sans-serif;max-width:44rem;margin:8vh auto;padding:0 1.5rem;color:#1c2430;background:#f7f8fa}
h1{font-size:1.4rem}code{background:#e8ebf0;padding:.1em .35em;border-radius:4px;overflow-wrap:anywhere}li{margin:.4em 0}
@media (prefers-color-scheme:dark){body{color:#dfe5ee;background:#12161c}a{color:#8ab8ff}code{background:#232a34}}`;

const WORDS = {
  en: {
    busyTitle: 'One moment',
    busy: 'Vedette is starting. This page tries again by itself.',
    trustTitle: 'Trust this Vedette',
    trustWhy:
      'Vedette made its own certificate authority when it was first started. Once a device trusts it, the browser opens Vedette without a warning, and talk, notifications and low-latency video work.',
    trustOwn: 'This Vedette uses a certificate of its operator. There is nothing to install.',
    download: 'Download ca.pem',
    open: 'Then open Vedette',
    fingerprint: 'Compare the fingerprint with the one Vedette prints at its start:',
    steps: [
      [
        'Windows',
        'Open the file, choose <b>Install Certificate</b>, <b>Local Machine</b>, and the store <b>Trusted Root Certification Authorities</b>.',
      ],
      ['macOS', 'Open the file in Keychain Access, choose <b>System</b>, then set <b>Always Trust</b> in its details.'],
      [
        'iPhone and iPad',
        'Open the file in Safari and install the profile in Settings; then switch it on under <b>General → About → Certificate Trust Settings</b>.',
      ],
      ['Android', 'Settings → Security → Encryption and credentials → <b>Install a certificate → CA certificate</b>.'],
      [
        'Linux',
        'Chromium: Settings → Privacy and security → Security → Manage certificates → <b>Authorities</b>. Whole system on Debian: copy it to <code>/usr/local/share/ca-certificates/vedette.crt</code> and run <code>update-ca-certificates</code>.',
      ],
      [
        'Firefox',
        'Settings → Privacy &amp; Security → Certificates → View Certificates → <b>Authorities → Import</b>.',
      ],
    ],
  },
  'zh-CN': {
    busyTitle: '请稍候',
    busy: 'Vedette 正在启动，本页会自动重试。',
    trustTitle: '信任此 Vedette',
    trustWhy:
      'Vedette 在首次启动时创建了自己的证书颁发机构。设备信任它之后，浏览器打开 Vedette 不再警告，对讲、通知和低延迟视频即可使用。',
    trustOwn: '此 Vedette 使用管理员提供的证书，无需安装。',
    download: '下载 ca.pem',
    open: '然后打开 Vedette',
    fingerprint: '请与 Vedette 启动时显示的指纹核对：',
    steps: [
      ['Windows', '打开该文件，选择<b>安装证书</b>、<b>本地计算机</b>，存储选择<b>受信任的根证书颁发机构</b>。'],
      ['macOS', '在“钥匙串访问”中打开该文件，选择<b>系统</b>，再在详细信息中设为<b>始终信任</b>。'],
      [
        'iPhone 和 iPad',
        '用 Safari 打开该文件并在“设置”中安装描述文件，再到<b>通用 → 关于本机 → 证书信任设置</b>中启用。',
      ],
      ['Android', '设置 → 安全 → 加密与凭据 → <b>安装证书 → CA 证书</b>。'],
      [
        'Linux',
        'Chromium：设置 → 隐私和安全 → 安全 → 管理证书 → <b>授权机构</b>。Debian 全系统：复制到 <code>/usr/local/share/ca-certificates/vedette.crt</code> 并运行 <code>update-ca-certificates</code>。',
      ],
      ['Firefox', '设置 → 隐私与安全 → 证书 → 查看证书 → <b>证书颁发机构 → 导入</b>。'],
    ],
  },
};

function languageOf(acceptLanguage: string | undefined): keyof typeof WORDS {
  return /^\s*zh\b/i.test(acceptLanguage ?? '') ? 'zh-CN' : 'en';
}

/** Tries again by itself. */
export function busyPage(acceptLanguage: string | undefined): string {
  const language = languageOf(acceptLanguage);
  const text = WORDS[language];
  const body = `<h1>${text.busyTitle}</h1><p role="status">${text.busy}</p>`;
  return page(language, text.busyTitle, body, '<meta http-equiv="refresh" content="2">');
}

export interface TrustFacts {
  /** Null: the certificate is the operator's own. */
  readonly fingerprint: string | null;
  /** Already safe for HTML. */
  readonly address: string;
}

export function trustPage(acceptLanguage: string | undefined, { fingerprint, address }: TrustFacts): string {
  const language = languageOf(acceptLanguage);
  const text = WORDS[language];
  const open = `<p>${text.open}: <a href="${address}">${address}</a></p>`;
  if (fingerprint === null)
    return page(language, text.trustTitle, `<h1>${text.trustTitle}</h1><p>${text.trustOwn}</p>${open}`);
  const steps = text.steps.map(([system, how]) => `<li><b>${system}.</b> ${how}</li>`).join('');
  const body = `<h1>${text.trustTitle}</h1><p>${text.trustWhy}</p><p><a href="/ca.pem" download>${text.download}</a></p>
<p>${text.fingerprint}<br><code>${fingerprint}</code></p><ul>${steps}</ul>${open}`;
  return page(language, text.trustTitle, body);
}

function page(language: string, title: string, body: string, head = ''): string {
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${head}<title>Vedette · ${title}</title><style>${STYLE}</style></head><body>${body}</body></html>`;
}

/** Nothing of these pages runs a script or loads anything. */
export const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";
