// The multipart upload of CA-07 against a fake transport.
import { expect, it } from 'vitest';
import { NetworkFailure } from './call-failure.ts';
import { postForm } from './post-form.ts';
import type { TransportResponse, TransportRequest } from './transport.ts';

const file = new File(['abc'], 'fw.bin');

function setUp(answer: TransportResponse | Error, base = '/api/v1') {
  const sent: TransportRequest[] = [];
  const transport = async (request: TransportRequest) => {
    sent.push(request);
    request.onProgress?.(0.5);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { sent, options: { transport, token: () => 'T1', baseUrl: () => base } };
}

it('[CA-07] posts the file under its field name with extra data, headers and the session', async () => {
  const { sent, options } = setUp({ status: 201, text: '{"code":200}' }, 'https://vms.example/api/v1');
  const steps: number[] = [];
  const data = { version: '2.0.0' };
  const headers = { 'x-kind': 'firmware' };
  const wish = { action: '/upload/firmware', file, data, headers, onProgress: (one: number) => steps.push(one) };
  expect(await postForm(options, wish)).toEqual({ code: 200 });
  const [request] = sent;
  expect(request).toMatchObject({
    url: 'https://vms.example/upload/firmware',
    method: 'POST',
    headers: { authorization: 'Bearer T1', 'x-kind': 'firmware' },
  });
  const body = request?.body as FormData;
  expect([...body.keys()]).toEqual(['version', 'file']);
  expect(steps).toEqual([50]);
});

it('[CA-07] a 2xx that is no JSON is its text; other statuses name the error, the text, or the post itself', async () => {
  const say = (status: number, text: string) => postForm(setUp({ status, text }).options, { action: '/up', file });
  expect(await say(200, 'done')).toBe('done');
  await expect(say(413, '{"error":"too large"}')).rejects.toMatchObject({
    name: 'UploadFailure',
    message: 'too large',
    status: 413,
  });
  await expect(say(500, 'oops')).rejects.toThrow('oops');
  await expect(say(502, '')).rejects.toThrow('fail to post /up 502');
  await expect(postForm(setUp(new Error('gone')).options, { action: '/up', file })).rejects.toBeInstanceOf(
    NetworkFailure,
  );
});
