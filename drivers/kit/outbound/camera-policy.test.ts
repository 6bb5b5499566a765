// Table of address spellings against the network policy: what leads to this machine or its link is refused, however it is written.
import { describe, expect, test } from 'vitest';
import { checkAddress as checkWithPolicy } from '@vedette/foundation/network/network-policy.ts';
import { type CameraAccess, cameraPolicy } from './camera-policy.ts';

const policy: CameraAccess = {
  isOperator: false,
  cameraNetworks: [],
  ownPorts: new Set([8443]),
  ownAddresses: ['192.168.1.5', 'fd00::5'],
};

const checkAddress = (address: string, port: number, access: CameraAccess) =>
  checkWithPolicy(address, port, cameraPolicy(access));

describe('addresses of cameras', () => {
  test.each([
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['::1', 'loopback'],
    ['0:0:0:0:0:0:0:1', 'loopback'],
    ['::0001', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['0:0:0:0:0:ffff:7f00:0001', 'loopback'],
    ['::127.0.0.1', 'loopback'],
    ['::ffff:0:127.0.0.1', 'loopback'],
    ['64:ff9b::7f00:1', 'loopback'],
    ['64:ff9b::127.0.0.1', 'loopback'],
    ['2002:7f00:1::', 'loopback'],
    ['169.254.169.254', 'link-local'],
    ['::ffff:169.254.169.254', 'link-local'],
    ['::ffff:a9fe:a9fe', 'link-local'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local'],
    ['febf:ffff::1', 'link-local'],
    ['0.0.0.0', 'unusable'],
    ['0.1.2.3', 'unusable'],
    ['::', 'unusable'],
    ['::ffff:0.0.0.0', 'unusable'],
    ['::2', 'unusable'],
    ['100::1', 'unusable'],
    ['224.0.0.1', 'unusable'],
    ['255.255.255.255', 'unusable'],
    ['ff02::1', 'unusable'],
    ['localhost', 'unusable'],
    ['0x7f.1', 'unusable'],
    ['', 'unusable'],
    ['10.1.2.3', 'allowed'],
    ['172.31.0.1', 'allowed'],
    ['192.168.1.5', 'allowed'],
    ['100.64.0.1', 'allowed'],
    ['fd12::1', 'allowed'],
    ['8.8.8.8', 'allowed'],
    ['172.32.0.1', 'allowed'],
    ['2001:4860::8888', 'allowed'],
    ['::ffff:10.0.0.1', 'allowed'],
    ['64:ff9b::10.0.0.1', 'allowed'],
    ['2002:a00:1::', 'allowed'],
    ['fec0::1', 'allowed'],
    ['192.0.2.1', 'allowed'],
    ['2001:db8::1', 'allowed'],
  ])('%s is %s', (address, verdict) => {
    expect(checkAddress(address, 80, policy)).toBe(verdict);
  });

  test('the operator may name loopback and link-local, but nothing unusable', () => {
    const operator = { ...policy, isOperator: true };
    const verdicts = ['127.0.0.1', '::1', 'fe80::1', '0.0.0.0', '::'].map((a) => checkAddress(a, 80, operator));
    expect(verdicts).toEqual(['allowed', 'allowed', 'allowed', 'unusable', 'unusable']);
  });

  test('camera networks allow exactly their own addresses', () => {
    const open = { ...policy, cameraNetworks: ['127.0.0.2', '169.254.0.0/16', '127.0.0.0/33', 'x', '127.0.0.1/8/9'] };
    const verdicts = ['127.0.0.1', '127.0.0.2', '::ffff:127.0.0.2', '169.254.7.7', 'fe80::1'].map((a) =>
      checkAddress(a, 80, open),
    );
    expect(verdicts).toEqual(['loopback', 'allowed', 'allowed', 'allowed', 'link-local']);
  });

  test.each([
    '127.0.0.1',
    '127.9.9.9',
    '::1',
    '::ffff:127.0.0.1',
    '192.168.1.5',
    '::ffff:192.168.1.5',
    'fd00::5',
    'fd00:0::0:5',
  ])('our own port at %s is refused to everybody', (address) => {
    const open = { ...policy, isOperator: true, cameraNetworks: ['0.0.0.0/0', '::/0'] };
    expect(checkAddress(address, 8443, open)).toBe('own-port');
    expect(checkAddress(address, 8444, open)).toBe('allowed');
  });

  test('a listed network opens nothing unusable', () => {
    const open = { ...policy, cameraNetworks: ['0.0.0.0/0', '::/0'] };
    expect(['0.0.0.0', '224.0.0.1', 'ff02::1'].map((a) => checkAddress(a, 80, open))).toEqual(
      Array(3).fill('unusable'),
    );
  });

  test('the same port on another machine is a camera', () => {
    expect(checkAddress('192.168.1.6', 8443, policy)).toBe('allowed');
  });
});
