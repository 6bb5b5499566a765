// The page at /api/docs: every call with its rule, codes, input and output, rendered from OpenAPI without scripts.
import type { Call } from '@vedette/contract/call.ts';
import { calls } from '@vedette/contract/calls/calls.ts';
import { errorName } from '@vedette/contract/errors.ts';
import { z } from 'zod';

export function docsPage(version: string, nonce: string): string {
  const entries = Object.entries(calls);
  const topics = Map.groupBy(entries, ([path]) => path.split('/')[0] ?? '');
  const links = [...topics].map(([topic, list]) => `<li><a href="#${topic}">${topic}</a> ${list.length}</li>`);
  const sections = [...topics].map(
    ([topic, list]) =>
      `<section id="${topic}"><h2>${topic}</h2>${list.map(([path, one]) => callBlock(path, one)).join('')}</section>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Vedette calls</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style nonce="${nonce}">${STYLE}</style></head><body>
<header><h1>Vedette calls</h1><p>Version ${escape(version)} · ${entries.length} calls · <a href="/api/openapi.json">OpenAPI 3.1</a></p>
<p>Every call is <code>POST /api/v1/&lt;path&gt;</code> with a JSON body and answers HTTP 200 with
<code>{code, message, data}</code>; code 200 is success. Calls marked ○ need no session; all others carry
<code>Authorization: Bearer &lt;accessToken&gt;</code>. Times are milliseconds since 1970 UTC.</p></header>
<nav aria-label="Topics"><ul>${links.join('')}</ul></nav><main>${sections.join('')}</main></body></html>`;
}

function callBlock(path: string, one: Call): string {
  const codes = (one.errors ?? []).map((code) => `${code} ${errorName(code)}`).join(', ');
  return `<details id="${path}"><summary><code>${one.permission.kind === 'public' ? '○ ' : ''}${path}</code> ${escape(one.summary)}</summary>
<dl><dt>Who</dt><dd>${escape(ruleText(one))}</dd>${codes === '' ? '' : `<dt>Codes</dt><dd>${escape(codes)}</dd>`}
<dt>Takes</dt><dd>${schemaText(one.input, 'input')}</dd><dt>Answers</dt><dd>${schemaText(one.output, 'output')}</dd></dl></details>`;
}

function ruleText(one: Call): string {
  const rule = one.permission;
  switch (rule.kind) {
    case 'public':
      return 'anyone';
    case 'session':
      return 'any signed-in account, over what it may see';
    case 'userType':
      return `user types ${rule.userTypes.join(', ')}`;
    case 'account':
      return `${rule.action} on the account`;
    case 'device':
      return `${rule.action} on the device or channel`;
    case 'organization':
      return `${rule.action} on the organisation`;
  }
}

function schemaText(schema: z.ZodType, io: 'input' | 'output'): string {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return `<pre>${escape(JSON.stringify(json['properties'] ?? json, null, 1))}</pre>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

const STYLE = `:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}body{max-width:62rem;margin:0 auto;padding:1.5rem}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none;padding:0}details{border-top:1px solid #8884;padding:.4rem 0}
summary{cursor:pointer}dt{font-weight:600;margin-top:.4rem}dd{margin:0}pre{overflow:auto;padding:.5rem;background:#8881;border-radius:4px;font-size:13px}`;
