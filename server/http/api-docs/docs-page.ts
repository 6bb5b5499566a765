// The page at /api/docs: how to begin, every call with its rule, codes, fields and an example, the error codes, and a search. Rendered from the contract.
import type { Call } from '@vedette/contract/call.ts';
import { scopeOfCall } from '@vedette/contract/calls/app-calls.ts';
import { type CallPath, calls } from '@vedette/contract/calls/calls.ts';
import { ERROR_CODES, errorName } from '@vedette/contract/errors.ts';
import { errors as sentences } from '@vedette/phrases/en/errors.ts';
import { exampleInput, exampleOf } from './example-value.ts';
import { fieldTable } from './field-table.ts';
import { escapeHtml } from './html.ts';
import { schemaOf } from './json-schema.ts';
import { SEARCH_SCRIPT, STYLE } from './page-assets.ts';
import { WEBHOOKS } from './webhook-section.ts';

export interface DocsPageOptions {
  readonly version: string;
  readonly nonce: string;
}

const BEGINNING = `<section id="begin"><h2>Begin</h2>
<p>Every call is <code>POST /api/v1/&lt;path&gt;</code> with a JSON body and answers HTTP 200 with <code>{ code, message, data }</code>; code 200 is success.
Calls marked ○ need no token; all others carry <code>Authorization: Bearer &lt;accessToken&gt;</code>. Times are milliseconds since 1970 UTC.
Within a major version calls only grow: ignore fields that you do not know.</p>
<p>Sign in, then list the devices:</p>
<pre>curl https://SERVER/api/v1/account/login -H 'content-type: application/json' \\
  -d '{"account":"operator","password":"…","browserId":"my-program","clientType":"web"}'
curl https://SERVER/api/v1/device/list -H 'content-type: application/json' \\
  -H 'authorization: Bearer ACCESS_TOKEN' -d '{}'</pre>
<p>Programs that act for other people's accounts sign in by OAuth 2 instead: everything is found at
<code>/oidc/.well-known/openid-configuration</code>. Each call names the scope that an app needs.
For JavaScript there are the packages <code>@vedette/client</code>, <code>@vedette/player</code> and <code>@vedette/bridge</code>.</p></section>`;

/** Everything but version and nonce, once somebody has asked for it. */
let body: string | null = null;

export function docsPage({ version, nonce }: DocsPageOptions): string {
  return wholePage(version, {
    style: `<style nonce="${nonce}">${STYLE}</style>`,
    links: '<a href="/api/openapi.json">OpenAPI 3.1</a>',
    script: `<script nonce="${nonce}">${SEARCH_SCRIPT}</script>`,
  });
}

/** The same for a folder of files, with its style and script beside it. */
export function callsPageFiles(version: string): Readonly<Record<'calls.html' | 'calls.css' | 'calls.js', string>> {
  const page = wholePage(version, {
    style: '<link rel="stylesheet" href="calls.css">',
    links: '<a href="openapi.json">OpenAPI 3.1</a> · <a href="index.html">Documentation</a>',
    script: '<script src="calls.js"></script>',
  });
  return { 'calls.html': page, 'calls.css': STYLE, 'calls.js': SEARCH_SCRIPT };
}

interface PageParts {
  readonly style: string;
  readonly links: string;
  readonly script: string;
}

function wholePage(version: string, { style, links, script }: PageParts): string {
  body ??= pageBody();
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Vedette calls</title>
<meta name="viewport" content="width=device-width, initial-scale=1">${style}</head><body>
<header><h1>Vedette calls</h1><p>Version ${escapeHtml(version)} · ${links}</p></header>
${body}${script}</body></html>`;
}

function pageBody(): string {
  const entries = Object.entries(calls) as [CallPath, Call][];
  const topics = [...Map.groupBy(entries, ([path]) => path.split('/')[0] ?? '')];
  const links = topics.map(([topic, list]) => `<li><a href="#${topic}">${topic}</a> ${list.length}</li>`);
  const sections = topics.map(
    ([topic, list]) =>
      `<section id="${topic}" data-topic><h2>${topic}</h2>${list.map(([path, one]) => callBlock(path, one)).join('')}</section>`,
  );
  return `${BEGINNING}
<search><label>Search ${entries.length} calls <input id="search" type="search" placeholder="ptz, record, 1021 …" accesskey="/"></label>
<output id="found" for="search"></output></search>
<nav aria-label="Topics"><ul>${links.join('')}<li><a href="#webhooks">webhooks</a></li><li><a href="#codes">error codes</a></li></ul></nav>
<main>${sections.join('')}${WEBHOOKS}${codesSection()}</main>`;
}

function callBlock(path: CallPath, one: Call): string {
  const [input, output] = [schemaOf(one.input, 'input'), schemaOf(one.output, 'output')];
  const isPublic = one.permission.kind === 'public';
  const codes = (one.errors ?? []).map((code) => `<a href="#code-${code}">${code} ${errorName(code)}</a>`);
  const example = JSON.stringify(exampleInput(one.input));
  const answer = JSON.stringify({ code: 200, message: 'success', data: exampleOf(output, true) }, null, 1);
  return `<details id="${path}"><summary><code>${isPublic ? '○ ' : ''}${path}</code> ${summaryText(one.summary)}</summary>
<dl><dt>Who</dt><dd>${escapeHtml(ruleText(one))}${scopeText(path)}</dd>
${codes.length === 0 ? '' : `<dt>Codes beside the common ones</dt><dd>${codes.join(', ')}</dd>`}
<dt>Takes</dt><dd>${fieldTable(input, 'input')}</dd><dt>Answers</dt><dd>${fieldTable(output, 'output')}</dd>
<dt>Example</dt><dd><pre>POST /api/v1/${path}\n${escapeHtml(example)}</pre><pre>${escapeHtml(answer)}</pre></dd></dl></details>`;
}

/** Words in backticks are code. */
function summaryText(summary: string): string {
  return escapeHtml(summary).replaceAll(/`([^`]+)`/gu, '<code>$1</code>');
}

function scopeText(path: CallPath): string {
  const scope = scopeOfCall(path);
  if (scope === null) return '; no app';
  return scope === 'any' ? '; any app' : `; apps with the scope <code>${scope}</code>`;
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

function codesSection(): string {
  const rows = Object.entries(ERROR_CODES).map(
    ([name, code]) =>
      `<tr id="code-${code}"><td>${code}</td><td><code>${name}</code></td><td>${escapeHtml(sentences[`errCode_${code}`])}</td></tr>`,
  );
  return `<section id="codes"><h2>Error codes</h2><p>Any call may answer 1000, 1003 (<code>data</code> names each field with what is wrong with it), 1005 and 1012;
with a token also 1001, 1002 and 1004. The sentences are those that the console shows.</p>
<table><thead><tr><th>Code</th><th>Name</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></section>`;
}
