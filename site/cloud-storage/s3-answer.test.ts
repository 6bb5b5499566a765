// Tests of what S3 services answer: errors as reasons, and lists.
import { expect, it } from 'vitest';
import { StoreFault } from './object-store.ts';
import { answerFault, listedKeys } from './s3-answer.ts';

const error = (code: string) => Buffer.from(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);

it.each([
  [403, 'SignatureDoesNotMatch', 'keys'],
  [403, 'InvalidAccessKeyId', 'keys'],
  [403, 'AccessDenied', 'denied'],
  [403, 'RequestTimeTooSkewed', 'clock'],
  [400, 'AuthorizationHeaderMalformed', 'otherRegion'],
  [301, 'PermanentRedirect', 'otherRegion'],
  [404, 'NoSuchBucket', 'noBucket'],
  [404, 'NoSuchKey', 'gone'],
  [503, 'SlowDown', 'busy'],
  [500, 'Unheard', 'busy'],
  [400, 'BadDigest', 'differs'],
  [400, 'Unheard', 'answer'],
])('%i with %s is %s', (status, code, reason) => {
  expect(answerFault(status, error(code)).reason).toBe(reason);
});

it.each([
  [302, '<html>log in</html>', 'redirected'],
  [403, '', 'denied'],
  [404, '', 'gone'],
  [502, 'bad <gateway', 'busy'],
  [418, '{"Code":"AccessDenied"}', 'answer'],
])('%i with %j is judged by its status', (status, body, reason) => {
  expect(answerFault(status, Buffer.from(body)).reason).toBe(reason);
});

it('reads the keys of a list in its order, with their entities', () => {
  const list = `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name>
    <Contents><Key>a&amp;b/1</Key><Size>1</Size></Contents><Contents><Key>c</Key></Contents></ListBucketResult>`;
  expect(listedKeys(Buffer.from(list))).toEqual(['a&b/1', 'c']);
});

it.each(['', '<Error/>', 'no xml', '<ListBucketResult>'])('%j is no list', (body) => {
  expect(() => listedKeys(Buffer.from(body))).toThrow(StoreFault);
});
