// Tests of what strangers can make the gateway keep and open with servers that they make up, and with one that lives.
import { Duplex } from 'node:stream';
import { beforeEach, expect, it, vi } from 'vitest';
import { dialPinned } from '@vedette/foundation/network/pinned-tls.ts';
import { NodeBusy, NodeDialler, NodeUnknown } from './node-dialler.ts';

vi.mock('@vedette/foundation/network/pinned-tls.ts', () => ({ dialPinned: vi.fn() }));

const place = { address: '10.0.0.2:8810', fingerprint: 'ff' };
const opened: Duplex[] = [];
let dialler: NodeDialler;

beforeEach(() => {
  opened.length = 0;
  vi.mocked(dialPinned).mockReset();
  vi.mocked(dialPinned).mockImplementation(async () => {
    const socket = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
    opened.push(socket);
    return socket as never;
  });
  dialler = new NodeDialler({
    nodes: { placeOf: (nodeId) => (nodeId === 'living' ? place : null) },
    identity: { cert: '', key: '' },
    connections: { keep: () => undefined, look: () => undefined },
  });
});

it('made-up servers leave nothing behind, and are never dialled', async () => {
  const agents = new Set(Array.from({ length: 1000 }, (_none, at) => dialler.agentOf(`made up ${at}`)));
  expect(agents.size).toBe(1);
  expect(agents.has(dialler.agentOf('living'))).toBe(false);
  await expect(dialler.dialSocket('made up')).rejects.toThrow(NodeUnknown);
  expect(dialPinned).not.toHaveBeenCalled();
});

it('opens so many sockets to a server and no more, until one of them is closed', async () => {
  // All at once: what is still being dialled counts.
  const asked = Array.from({ length: 600 }, () => dialler.dialSocket('living'));
  const refused = (await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected');
  expect([opened.length, refused.length]).toEqual([512, 88]);
  await expect(dialler.dialSocket('living')).rejects.toThrow(NodeBusy);
  const closed = new Promise((resolve) => opened[0]?.once('close', resolve));
  opened[0]?.destroy();
  await closed;
  await dialler.dialSocket('living');
  await expect(dialler.dialSocket('living')).rejects.toThrow(NodeBusy);
});
