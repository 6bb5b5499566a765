// An address of others is a link only where it leads to a page.
// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { webAddress } from './web-address.ts';

it('takes pages, and nothing that runs', () => {
  for (const page of ['https://docs.example/privacy', 'http://192.0.2.1/a', '/documents/privacy'])
    expect(webAddress(page)).toBe(page);
  const others = [
    'javascript:x()',
    'JaVa\tScRiPt:x()',
    'data:text/html,<script>x()</script>',
    'vbscript:x()',
    'http://',
  ];
  expect(others.filter((address) => webAddress(address) !== undefined)).toEqual([]);
});
