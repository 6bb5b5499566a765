// Calls over a `fetch` of the test's own: what is sent, and what becomes of answers, silence and strangers' pages.
import { calls } from '@vedette/contract/calls/calls.ts';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { CallError, NoAnswerError } from './call-error.ts';
import { type PagedPath, pageWordOf } from './paged-lists.ts';
import { VedetteClient } from './vedette-client.ts';

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

function clientOver(answer: (sent: Sent) => Response | Promise<Response>, timeoutMs = 1000) {
  const sent: Sent[] = [];
  const client = new VedetteClient({
    url: 'http://vedette.test/',
    accessToken: () => 'token',
    timeoutMs,
    fetch: async (url, init = {}) => {
      sent.push({ url: String(url), init });
      return await answer({ url: String(url), init });
    },
  });
  return { client, sent };
}

const success = (data: unknown): Response => Response.json({ code: 200, message: 'success', data });

it('sends a call with its token, and gives what was answered', async () => {
  const { client, sent } = clientOver(() => success({ groupList: [], total: 0 }));
  expect(await client.call('group/list', { pageSize: 5 })).toEqual({ groupList: [], total: 0 });
  expect(sent[0]?.url).toBe('http://vedette.test/api/v1/group/list');
  expect(sent[0]?.init).toMatchObject({ method: 'POST', body: '{"pageSize":5}', redirect: 'error' });
  expect(new Headers(sent[0]?.init.headers).get('authorization')).toBe('Bearer token');
});

it('throws the code of the server with its name and data', async () => {
  const { client } = clientOver(() => Response.json({ code: 1018, message: 'talkBusy', data: { userName: 'eve' } }));
  const failure = await client.call('group/list', {}).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(CallError);
  expect(failure).toMatchObject({ code: 1018, reason: 'talkBusy', data: { userName: 'eve' }, path: 'group/list' });
});

it.each([
  ['a page of a proxy', () => new Response('<html>502</html>', { status: 502 })],
  ['JSON of somebody else', () => Response.json({ ok: true })],
  ['no connection', () => Promise.reject(new TypeError('refused'))],
])('%s is no answer', async (_what, answer) => {
  const { client } = clientOver(answer);
  await expect(client.call('group/list', {})).rejects.toBeInstanceOf(NoAnswerError);
});

const never = ({ init }: Sent): Promise<Response> =>
  new Promise((_, reject) => {
    init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
  });

it('gives up a call that nothing comes to in time, and one that its caller gives up', async () => {
  const { client } = clientOver(never, 20);
  await expect(client.call('group/list', {})).rejects.toBeInstanceOf(NoAnswerError);
  const aborting = new AbortController();
  const call = clientOver(never).client.call('group/list', {}, { signal: aborting.signal });
  aborting.abort(new Error('not wanted any more'));
  await expect(call).rejects.toThrow('not wanted any more');
});

async function allOf<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

it('takes a list page by page until its total, and ends where a page is empty', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const paged = clientOver(({ init }) => {
    const { pageStart, pageSize } = JSON.parse(String(init.body)) as { pageStart: number; pageSize: number };
    const groupList = names.slice(pageStart * pageSize, (pageStart + 1) * pageSize).map((groupName) => ({ groupName }));
    return success({ groupList, total: names.length });
  });
  const rows = await allOf(paged.client.rows('group/list', { pageSize: 2 }));
  expect(rows.map(({ groupName }) => groupName)).toEqual(names);
  expect(paged.sent).toHaveLength(3);
  const shrunk = clientOver(() => success({ groupList: [], total: 7 }));
  expect(await allOf(shrunk.client.rows('group/list', {}))).toEqual([]);
  expect(shrunk.sent).toHaveLength(1);
});

it('counts the pages of each list of the contract as that list does', () => {
  const answersTotal = Object.entries(calls).filter(([, { output }]) => 'total' in propertiesOf(output));
  const paged = answersTotal.filter(([, { input }]) => /"page(No|Start)"/u.test(JSON.stringify(propertiesOf(input))));
  expect(paged.length).toBeGreaterThan(15);
  for (const [path, { input }] of paged)
    expect(propertiesOf(input), path).toHaveProperty(pageWordOf(path as PagedPath));
});

function propertiesOf(schema: z.ZodType): object {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).properties ?? {};
}

it('listens to nothing before there is a token', () => {
  const client = new VedetteClient({ url: 'http://vedette.test', accessToken: () => null });
  expect(() => client.listen({ onEvent: () => undefined })).toThrow('sign in first');
});

it('sends a part of a file as it is, and what is said about it in the query', async () => {
  const { client, sent } = clientOver(() => success({}));
  const input = { versionId: '1', size: 3, offset: 0, fileName: 'a b.deb', publicKey: 'k', signature: 's' };
  await client.upload('version/upload', input, new Blob(['abc']));
  const { url, init } = sent[0] ?? { url: '', init: {} };
  expect(Object.fromEntries(new URL(url).searchParams)).toEqual({ ...input, size: '3', offset: '0' });
  expect(await new Response(init.body).text()).toBe('abc');
  expect(new Headers(init.headers).get('content-type')).toBe('application/octet-stream');
});
