// The descriptions of the calls: examples that the calls would take, everything on the page, and samples of signatures that run.
import { execFileSync } from 'node:child_process';
import { calls } from '@vedette/contract/calls/calls.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { expect, it } from 'vitest';
import { signWebhook } from '../../notifiers/webhook/webhook.ts';
import { docsPage } from './docs-page.ts';
import { exampleInput, exampleOf } from './example-value.ts';
import { fieldTable } from './field-table.ts';
import { schemaOf } from './json-schema.ts';
import { openApi } from './openapi.ts';
import { SIGNATURE_IN_JAVASCRIPT, SIGNATURE_IN_PYTHON } from './webhook-section.ts';

const entries = Object.entries(calls);

it('every example is one that its call takes or answers', () => {
  const problems = entries.flatMap(([path, { input, output }]) => [
    [`${path} takes`, input.safeParse(exampleInput(input)).error?.message],
    [`${path} answers`, output.safeParse(exampleOf(schemaOf(output, 'output'), true)).error?.message],
  ]);
  expect(problems.filter(([, problem]) => problem !== undefined)).toEqual([]);
}, 60_000);

it('the page shows every call with its fields, and every code', () => {
  const page = docsPage({ version: '1.2.3<', nonce: 'abc' });
  for (const [path, { input }] of entries) {
    expect(page).toContain(`id="${path}"`);
    for (const name of Object.keys(schemaOf(input, 'input').properties ?? {}))
      expect(page).toContain(`<code>${name}</code>`);
  }
  for (const code of Object.values(ERROR_CODES)) expect(page).toContain(`id="code-${code}"`);
  expect(page).toContain('Version 1.2.3&lt;');
  expect(page).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)=/u);
  expect([...page.matchAll(/<(?:script|style)[^>]*>/gu)].map(([tag]) => tag)).toEqual([
    '<style nonce="abc">',
    '<script nonce="abc">',
  ]);
}, 60_000);

it('OpenAPI has an example of what each call takes and answers', () => {
  const { paths } = openApi('1.2.3') as { paths: Record<string, { post: { requestBody: object; responses: object } }> };
  for (const { post } of Object.values(paths))
    expect(post).toMatchObject({
      requestBody: { content: { 'application/json': { example: expect.any(Object) as object } } },
      responses: { 200: { content: { 'application/json': { example: { code: 200 } } } } },
    });
});

it('a table says where a field stands, and within which limits', () => {
  const { input } = calls['record/time'];
  const table = fieldTable(schemaOf(input, 'input'), 'input');
  expect(table).toContain('<tr><td><code>channelNo</code></td><td>integer</td><td>required</td><td>1–65535</td></tr>');
  expect(fieldTable({ type: 'object', properties: {} }, 'output')).toBe('<p>Nothing.</p>');
  const nested = { items: { properties: { a: { type: ['string', 'null'], maxLength: 3 } } }, type: 'array' };
  expect(fieldTable({ type: 'object', properties: { rows: nested } }, 'output')).toContain(
    '<code>rows[].a</code></td><td>string or null</td><td></td><td>length up to 3</td>',
  );
});

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const BODY = '{"type":"alarm.raised","data":{"deviceName":"Größe"}}';

function signed(timestamp = Math.floor(Date.now() / 1000)): Record<string, string> {
  const signature = signWebhook(SECRET, { id: 'd1', timestamp, text: BODY });
  // The key before a rotation may have signed too.
  return { 'webhook-id': 'd1', 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,AAAA ${signature}` };
}

const { 'webhook-signature': _signature, ...unsigned } = signed();
const MESSAGES = [
  [signed(), BODY, true],
  [signed(), `${BODY} `, false],
  [signed(1_700_000_000), BODY, false],
  [{ ...signed(), 'webhook-id': 'd2' }, BODY, false],
  [unsigned, BODY, false],
] as const;

it('the check of a signature in JavaScript takes what was signed, and nothing else', async () => {
  const address = `data:text/javascript,${encodeURIComponent(SIGNATURE_IN_JAVASCRIPT)}`;
  const { isSigned } = (await import(address)) as {
    isSigned: (secret: string, headers: object, body: string) => boolean;
  };
  for (const [headers, body, isRight] of MESSAGES) expect(isSigned(SECRET, headers, body)).toBe(isRight);
});

it('and so does the one in Python', () => {
  const given = JSON.stringify(MESSAGES.map(([headers, body]) => [headers, body]));
  const program = `${SIGNATURE_IN_PYTHON}
import json, sys
for headers, body in json.load(sys.stdin):
    print(is_signed("${SECRET}", headers, body.encode()))`;
  const answers = execFileSync('/usr/bin/python3', ['-c', program], { input: given, encoding: 'utf8' });
  expect(answers.trim().split('\n')).toEqual(MESSAGES.map(([, , isRight]) => (isRight ? 'True' : 'False')));
});
