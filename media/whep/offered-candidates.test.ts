// Which addresses of a viewer's offer are asked.
import { expect, it } from 'vitest';
import { withAskableCandidates } from './offered-candidates.ts';

const candidate = (address: string) => `a=candidate:1 1 udp 2122260223 ${address} 50000 typ host\r\n`;
const kept = (...addresses: string[]) => withAskableCandidates(['v=0\r\n', ...addresses.map(candidate)].join(''));

it('keeps unicast candidates unchanged', () => {
  const offer = ['v=0\r\n', candidate('192.168.1.20'), candidate('fd00::7'), 'a=end-of-candidates\r\n'].join('');
  expect(withAskableCandidates(offer)).toBe(offer);
});

it('removes mDNS and DNS names, and keeps the rest of the offer', () => {
  expect(kept('3f1c6a0e-0000-4000-8000-000000000000.local', 'spy.example', '192.168.1.20')).toBe(
    `v=0\r\n${candidate('192.168.1.20')}`,
  );
});

it('removes multicast, broadcast and unspecified addresses', () => {
  expect(kept('224.0.0.251', '239.255.255.250', '255.255.255.255', '0.0.0.0', 'ff02::fb', '::')).toBe('v=0\r\n');
});

it('keeps two dozen candidates at most', () => {
  const many = Array.from({ length: 500 }, (_, at) => `10.1.${at >> 8}.${at & 255}`);
  expect(kept(...many).match(/candidate:/g)).toHaveLength(24);
});
