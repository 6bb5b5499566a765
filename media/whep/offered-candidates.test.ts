// Which addresses of a viewer's offer are asked.
import { expect, it } from 'vitest';
import { withAskableCandidates } from './offered-candidates.ts';

const candidate = (address: string) => `a=candidate:1 1 udp 2122260223 ${address} 50000 typ host\r\n`;
const kept = (...addresses: string[]) => withAskableCandidates(['v=0\r\n', ...addresses.map(candidate)].join(''));

it('addresses of single hosts stay as they were offered', () => {
  const offer = ['v=0\r\n', candidate('192.168.1.20'), candidate('fd00::7'), 'a=end-of-candidates\r\n'].join('');
  expect(withAskableCandidates(offer)).toBe(offer);
});

it('names go, whether they hide an address or would be looked up, and the rest of the offer stays', () => {
  expect(kept('3f1c6a0e-0000-4000-8000-000000000000.local', 'spy.example', '192.168.1.20')).toBe(
    `v=0\r\n${candidate('192.168.1.20')}`,
  );
});

it('addresses of groups, of everybody and of nobody go', () => {
  expect(kept('224.0.0.251', '239.255.255.250', '255.255.255.255', '0.0.0.0', 'ff02::fb', '::')).toBe('v=0\r\n');
});

it('an offer makes the site ask two dozen addresses at most', () => {
  const many = Array.from({ length: 500 }, (_, at) => `10.1.${at >> 8}.${at & 255}`);
  expect(kept(...many).match(/candidate:/g)).toHaveLength(24);
});
