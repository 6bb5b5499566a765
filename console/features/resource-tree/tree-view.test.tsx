// Tests of the tree widget in a document: boxes, lazy children, renaming with veto, moving by key, and what readers hear.
// @vitest-environment happy-dom
import type { TreeNode } from '@vedette/rules/tree/tree-node.ts';
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type RenderedComponent, show } from '../../services/services.fake.tsx';
import { TreeView } from './tree-view.tsx';
import type { TreeViewProps } from './tree-view.props.ts';

type Node = TreeNode & { readonly children?: readonly Node[] };

let shown: RenderedComponent | null = null;
beforeEach(() => {
  // Without layout every element is 0 px high, and a virtual list would draw nothing.
  for (const name of ['offsetHeight', 'clientHeight'] as const)
    vi.spyOn(HTMLElement.prototype, name, 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(240);
});
afterEach(async () => {
  await shown?.close();
  vi.restoreAllMocks();
});

const leaf = (id: string, over: Partial<Node> = {}): Node => ({ id, name: id, iconSkin: 'folder', ...over });
const roots: readonly Node[] = [leaf('north', { children: [leaf('gate'), leaf('roof')] }), leaf('south')];

async function tree(props: Partial<TreeViewProps<Node>>): Promise<RenderedComponent> {
  shown = await show(<TreeView<Node> label="Places" roots={roots} {...props} />, () => ({ code: 200 }));
  return shown;
}
const rows = () => [...document.querySelectorAll('[role="treeitem"]')];
const names = () => rows().map((row) => row.getAttribute('aria-label'));
const row = (name: string) => `[role="treeitem"][aria-label="${name}"]`;
const attribute = (name: string, attr: string) => document.querySelector(row(name))?.getAttribute(attr);

describe('[WG-12] [WG-13] rows', () => {
  it('expose level, position, state and icon, also to screen readers', async () => {
    await tree({ selectedId: 'roof' });
    expect(names()).toEqual(['north', 'gate', 'roof', 'south']);
    const told = ['aria-level', 'aria-posinset', 'aria-setsize', 'aria-selected', 'aria-expanded'];
    expect(told.map((attr) => attribute('roof', attr))).toEqual(['2', '2', '2', 'true', null]);
    expect(attribute('north', 'aria-expanded')).toBe('true');
    await shown?.press('[role="tree"]', 'ArrowLeft');
    expect(names()).toEqual(['north', 'gate', 'roof', 'south']);
    await shown?.press('[role="tree"]', 'Home');
    await shown?.press('[role="tree"]', 'ArrowLeft');
    expect(names()).toEqual(['north', 'south']);
  });
});

describe('[WG-12] the list', () => {
  it('draws forty rows before it is measured', async () => {
    let before = -1;
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockImplementation(() => {
      if (before < 0) before = rows().length;
      return 280;
    });
    await tree({ roots: Array.from({ length: 100 }, (_, at) => leaf(`row ${at}`)) });
    expect(before).toBe(40);
    expect(rows()).toHaveLength(13);
  });
});

describe('[WG-13] the fields of a node', () => {
  const image = (name: string) => document.querySelector(`${row(name)} img`)?.getAttribute('src') ?? null;
  const icon = (name: string) =>
    document.querySelector(`${row(name)} svg:not(.tabler-icon-chevron-right)`)?.getAttribute('class') ?? '';
  it('label, icon, iconSkin, imgSrc and nodeType are what the row shows', async () => {
    await tree({
      roots: [
        leaf('a', { label: 'Dock', nodeType: 'organization' }),
        leaf('b', { iconSkin: 'door' }),
        { id: 'c', name: 'c', icon: 'door' },
        leaf('d', { imgSrc: '/dock.png' }),
      ],
    });
    expect(names()).toEqual(['Dock', 'b', 'c', 'd']);
    expect(document.querySelector(row('Dock'))?.getAttribute('data-type')).toBe('organization');
    expect(icon('b')).toContain('icon-door');
    expect(icon('c')).toBe(icon('b'));
    expect(['b', 'd'].map(image)).toEqual([null, '/dock.png']);
  });
  it('isEdit, disabled, nochecked, iniChecked and iniIndeterminate are what can be done with it', async () => {
    await tree({
      roots: [
        leaf('edited', { isEdit: true }),
        leaf('fixed', { disabled: true, iniChecked: true }),
        leaf('bare', { nochecked: true }),
        leaf('half', { iniIndeterminate: true }),
      ],
      check: { onCheck: () => undefined },
    });
    expect(document.querySelector<HTMLInputElement>(`${row('edited')} input`)?.value).toBe('edited');
    await shown?.click(row('fixed'));
    expect(attribute('fixed', 'aria-disabled')).toBe('true');
    expect(['fixed', 'bare', 'half'].map((name) => attribute(name, 'aria-checked'))).toEqual(['true', null, 'mixed']);
  });
  it('keepClose and children are what is open at first', async () => {
    const children = [leaf('below')];
    await tree({ roots: [leaf('kept', { keepClose: true, children }), leaf('open', { children: [leaf('shown')] })] });
    expect(names()).toEqual(['kept', 'open', 'shown']);
  });
});

describe('[WG-08] boxes', () => {
  it('follow each other, by click and by key', async () => {
    const onCheck = vi.fn<(checked: readonly Node[]) => void>();
    await tree({ check: { onCheck } });
    await shown?.click(row('gate'));
    expect(['north', 'gate', 'roof'].map((name) => attribute(name, 'aria-checked'))).toEqual([
      'mixed',
      'true',
      'false',
    ]);
    await shown?.press('[role="tree"]', 'Home');
    await shown?.press('[role="tree"]', ' ');
    expect(onCheck.mock.lastCall?.[0].map((node) => node.id)).toEqual(['north', 'gate', 'roof']);
  });
  it('follow only in the directions that the linkage allows', async () => {
    const onCheck = vi.fn<(checked: readonly Node[]) => void>();
    await tree({ check: { onCheck, linkage: { checkStrictly: false, Y: 's', N: '' } } });
    await shown?.click(row('north'));
    await shown?.click(row('north'));
    expect(onCheck.mock.lastCall?.[0].map((node) => node.id)).toEqual(['gate', 'roof']);
  });
});

describe('[WG-09] lazy children', () => {
  it('load once on first expansion, and the next page when scrolled near the end', async () => {
    const all = Array.from({ length: 130 }, (_, at) => leaf(`child ${at}`));
    const load = vi.fn<NonNullable<TreeViewProps<Node>['load']>>(async (_node, page) => ({
      children: all.slice(page.offset, page.offset + page.count),
      total: all.length,
    }));
    await tree({ roots: [leaf('top', { lazy: true })], load });
    expect(load).not.toHaveBeenCalled();
    await shown?.press('[role="tree"]', 'Home');
    await shown?.press('[role="tree"]', 'ArrowRight');
    expect(load.mock.calls.map((call) => call[1].count)).toEqual([100]);
    expect(names()).toContain('child 0');
    expect(attribute('child 0', 'aria-setsize')).toBe('100');
    await shown?.press('[role="tree"]', 'ArrowLeft');
    await shown?.press('[role="tree"]', 'ArrowRight');
    expect(load).toHaveBeenCalledTimes(1);
    const scroller = document.querySelector('[role="tree"]') as HTMLElement;
    await act(async () => {
      scroller.scrollTop = 2300;
      scroller.dispatchEvent(new Event('scroll'));
    });
    expect(load.mock.calls.map((call) => call[1].offset)).toContain(100);
  });
});

describe('[WG-10] renaming in place', () => {
  const save = vi.fn(async () => undefined);
  const rename = {
    canRename: (node: Node) => node.id !== 'south',
    problemOf: (_node: Node, name: string) => (name.trim() === '' ? 'It needs a name' : null),
    save,
  };
  it('keeps a vetoed name in the field with the reason, and saves a good one', async () => {
    await tree({ rename });
    await shown?.press('[role="tree"]', 'Home');
    await shown?.press('[role="tree"]', 'F2');
    await shown?.type('[role="treeitem"] input', ' ');
    await shown?.press('[role="treeitem"] input', 'Enter');
    expect(document.querySelector(row('north'))?.textContent).toContain('It needs a name');
    expect(save).not.toHaveBeenCalled();
    await shown?.type('[role="treeitem"] input', 'North gate');
    await shown?.press('[role="treeitem"] input', 'Enter');
    expect(save).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ id: 'north' }), 'North gate');
    expect(document.querySelector('[role="treeitem"] input')).toBeNull();
  });
  it('is not entered where it is not allowed, and is left by Escape', async () => {
    await tree({ rename });
    await shown?.press('[role="tree"]', 'End');
    await shown?.press('[role="tree"]', 'F2');
    expect(document.querySelector('[role="treeitem"] input')).toBeNull();
    await shown?.press('[role="tree"]', 'Home');
    await shown?.press('[role="tree"]', 'F2');
    await shown?.press('[role="treeitem"] input', 'Escape');
    expect(document.querySelector('[role="treeitem"] input')).toBeNull();
  });
});

describe('[WG-11] moving by key', () => {
  it('puts a node before its neighbour, and not out of its siblings', async () => {
    const onBefore = vi.fn();
    await tree({ drag: { canDrag: () => true, onBefore } });
    await shown?.press('[role="tree"]', 'End');
    await act(async () => {
      const event = new KeyboardEvent('keydown', { key: 'ArrowUp', altKey: true, bubbles: true, cancelable: true });
      document.querySelector('[role="tree"]')?.dispatchEvent(event);
    });
    expect(onBefore).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ id: 'south' }),
      expect.objectContaining({ id: 'north' }),
    );
  });
});
