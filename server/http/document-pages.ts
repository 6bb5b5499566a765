// The built-in documents as plain pages: `/documents/<kind>/<language>`, and `/plain` behind it for the variant without a brand (LM-04).
import type { DocumentTexts } from '@vedette/phrases/en/document-texts.ts';
import { documents as english } from '@vedette/phrases/en/documents.ts';
import { documents as chinese } from '@vedette/phrases/zh-CN/documents.ts';
import type { FastifyInstance } from 'fastify';
import { newNonce } from './security-headers.ts';

/** The manual is a part of the console. */
const KINDS = ['privacy', 'agreement'] as const;
const BRAND = 'Vedette';
const TEXTS: Readonly<Record<string, DocumentTexts>> = { en: english, 'zh-CN': chinese };
const STYLE = `body{max-width:680px;margin:0 auto;padding:48px 24px 96px;font:15px/1.7 system-ui,"PingFang SC","Microsoft YaHei",sans-serif;color:#141a28;background:#fff}
h1{font-size:26px;letter-spacing:-.02em}h2{margin:32px 0 4px;font-size:16px}p{margin:0;color:#3b4459}
@media(prefers-color-scheme:dark){body{color:#e8ecf5;background:#0c1019}p{color:#a0abc0}}`;

export function registerDocuments(app: FastifyInstance): void {
  for (const kind of KINDS) {
    for (const [language, texts] of Object.entries(TEXTS)) {
      for (const isPlain of [false, true]) {
        const name = isPlain ? texts.plainName : BRAND;
        app.get(`/documents/${kind}/${language}${isPlain ? '/plain' : ''}`, (_request, reply) => {
          const nonce = newNonce();
          const policy = `default-src 'none'; style-src 'nonce-${nonce}'; frame-ancestors 'none'; base-uri 'none'`;
          return reply
            .type('text/html; charset=utf-8')
            .header('cache-control', 'no-cache')
            .header('content-security-policy', policy)
            .send(page({ kind, language, texts, name, nonce }));
        });
      }
    }
  }
}

interface PageOptions {
  readonly kind: (typeof KINDS)[number];
  readonly language: string;
  readonly texts: DocumentTexts;
  readonly name: string;
  readonly nonce: string;
}

/** Every word is ours: nothing here needs escaping. */
function page({ kind, language, texts, name, nonce }: PageOptions): string {
  const { title, parts } = texts[kind];
  const said = parts.map(
    ({ heading, text }) => `<h2>${heading}</h2><p>${capital(text.replaceAll('{product}', name))}</p>`,
  );
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style nonce="${nonce}">${STYLE}</style></head><body><main><h1>${title}</h1>${said.join('')}</main></body></html>`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
