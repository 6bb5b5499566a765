// Address of a bucket: its parts, what is left out, and what is refused.
import { expect, it } from 'vitest';
import { bucketPlace, readS3Address } from './s3-address.js';

it('has a bucket, folders, an endpoint, a region and a style', () => {
  const address = readS3Address(
    's3://backups/of/home?endpoint=https://s3.example.com:9000&region=eu-central-1&style=host',
  );
  const endpoint = 'https://s3.example.com:9000';
  expect(address).toEqual({
    endpoint,
    region: 'eu-central-1',
    bucket: 'backups',
    prefix: 'of/home',
    isPathStyle: false,
  });
  expect(bucketPlace(address)).toBe('s3://backups/of/home');
});

it('is one of Amazon where no endpoint is named, and has the bucket in its path where one is', () => {
  const known = { bucket: 'backups', prefix: '' };
  const region = 'eu-west-1';
  expect(readS3Address('s3://backups/?region=eu-west-1')).toEqual({
    ...known,
    region,
    endpoint: 'https://s3.eu-west-1.amazonaws.com',
    isPathStyle: false,
  });
  expect(readS3Address('s3://backups?endpoint=http://nas:9000')).toEqual({
    ...known,
    region: 'us-east-1',
    endpoint: 'http://nas:9000',
    isPathStyle: true,
  });
});

it.each([
  's3://',
  's3://Backups',
  's3://b/../c',
  's3://backups/a//b',
  's3://backups/a b',
  's3://backups?endpoint=nas',
  's3://backups?endpoint=ftp://nas',
  's3://backups?endpoint=https://key:secret@nas',
  's3://backups?endpoint=https://nas/path',
  's3://backups?region=a/b',
  's3://backups?style=other',
  's3://backups?secretKey=x',
])('refuses %s', (text) => {
  expect(() => readS3Address(text)).toThrow(expect.objectContaining({ code: 'usage', exitCode: 2 }));
});
