// Tests of one row of the resource tree in a document: what its node says about playing.
// @vitest-environment happy-dom
import { pack } from '@vedette/phrases/en/pack.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { type RenderedComponent, show } from '../../services/services.fake.tsx';
import type { ResourceNode } from './resource-node.ts';
import { TreeRow } from './tree-row.tsx';

let shown: RenderedComponent | null = null;
afterEach(() => shown?.close());

async function textOf(over: Partial<ResourceNode>): Promise<string> {
  const node: ResourceNode = { id: 'c:G:1', name: 'Gate', nodeType: 'device', deviceId: 'G', chlId: 1, ...over };
  shown = await show(
    <TreeRow
      id="row"
      node={node}
      index={0}
      top={0}
      level={1}
      position={1}
      siblings={1}
      isBranch={false}
      isOpen={false}
      isCurrent={false}
      isSelected={false}
      isDraggable={false}
      keyWord=""
      onChoose={() => undefined}
      onToggle={() => undefined}
    />,
    () => ({ code: 200 }),
  );
  const text = document.querySelector('[role="treeitem"]')?.textContent ?? '';
  await shown.close();
  shown = null;
  return text;
}

describe('[WG-13] a camera that plays', () => {
  it('says so, live or from recordings, in place of its status', async () => {
    expect(await textOf({ playing: true })).toBe(`Gate${pack['tree.playing']}`);
    expect(await textOf({ playbacking: true })).toBe(`Gate${pack['tree.playbacking']}`);
    expect(await textOf({})).toBe(`Gate${pack['status.unknown']}`);
  });
});
