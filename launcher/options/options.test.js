// Options: arguments override environment, environment overrides defaults, invalid values are refused.
import { expect, it } from 'vitest';
import { readOptions } from './options.js';

const read = (/** @type {string[]} */ args, env = {}) => {
  const options = readOptions(args, env, '/clone');
  if (options === 'help') throw new Error('help');
  return options;
};

it('has defaults', () => {
  expect(read([])).toMatchObject({
    port: 8800,
    host: '',
    data: '/clone/data',
    demo: true,
    demoHours: 6,
    http: false,
    databaseUrl: null,
  });
});

it('takes arguments before environment', () => {
  const env = { VEDETTE_PORT: '1', VEDETTE_DATA: 'from-env', VEDETTE_NO_DEMO: '1' };
  expect(read([], env)).toMatchObject({ port: 1, data: '/clone/from-env', demo: false });
  expect(read(['--port', '0', '--data', '/d'], env)).toMatchObject({ port: 0, data: '/d' });
});

it.each([
  ['--port', '65536'],
  ['--port', 'x'],
  ['--port', '-1'],
  ['--tls-cert', 'only.pem'],
  ['--demo-hours', '25'],
  ['--demo-hours', 'some'],
  ['--http'],
  ['--unknown'],
  ['stray'],
])('refuses %s %s', (...args) => {
  expect(() => read(args)).toThrow(expect.objectContaining({ code: 'usage', exitCode: 2 }));
});

it('takes parts of an hour for the demo', () => {
  expect(read(['--demo-hours', '0.25']).demoHours).toBe(0.25);
});

it('sends HSTS only where it is switched on', () => {
  expect(read([]).hsts).toBe(false);
  expect(read(['--hsts']).hsts).toBe(true);
  expect(read([], { VEDETTE_HSTS: '1' }).hsts).toBe(true);
});

it('takes a list of trusted proxies', () => {
  expect(read(['--http', '--trusted-proxies', '10.0.0.1, fd00::/8'])).toMatchObject({
    trustedProxies: ['10.0.0.1', 'fd00::/8'],
  });
});

it('refuses proxies that are no addresses', () => {
  for (const list of ['proxy.example', '10.0.0.0/33', '10.0.0.0/', 'fd00::/129']) {
    expect(() => read(['--http', '--trusted-proxies', list]), list).toThrow(expect.objectContaining({ code: 'usage' }));
  }
});
