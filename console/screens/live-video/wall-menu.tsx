// The menu of a camera on the live screen: of its tile, or of its row in the tree.
import { useState } from 'react';
import { type ChannelFacts, useChannelFacts } from '../../features/live/channel/channel-facts.ts';
import { cellOf, wallChannelKey } from '../../features/live/wall/wall-model.ts';
import { select, useWall } from '../../features/live/wall/wall-store.ts';
import { ContextMenu } from '../../ui/overlays/context-menu.tsx';
import type { MenuEntry } from '../../ui/overlays/menu.tsx';
import { type MenuRequest, placeInside, useMenuRequest } from '../../ui/overlays/menu-request.ts';
import { useRowEntries, useTileEntries } from './wall-menu-entries.ts';

interface Asked {
  readonly facts: ChannelFacts;
  /** Null where the camera is not on the wall. */
  readonly cell: number | null;
  readonly at: MenuRequest['at'];
}

export function WallMenu() {
  const [asked, setAsked] = useState<Asked | null>(null);
  useMenuRequest((request) => {
    const found = findCamera(request);
    if (found === null) return false;
    if (found.cell !== null) select(found.cell);
    setAsked(found);
    return true;
  });
  if (asked === null) return null;
  const close = (): void => setAsked(null);
  const { facts, cell, at } = asked;
  // Another camera is another menu: what it opens with must not change under the pointer.
  const key = `${wallChannelKey(facts)} ${cell} ${at.x} ${at.y}`;
  if (cell === null) return <RowMenu key={key} facts={facts} at={at} onClose={close} />;
  return <TileMenu key={key} facts={facts} cell={cell} at={at} onClose={close} />;
}

interface OpenMenuProps {
  readonly facts: ChannelFacts;
  readonly at: Asked['at'];
  readonly onClose: () => void;
}

function TileMenu({ facts, cell, ...rest }: OpenMenuProps & { readonly cell: number }) {
  return <CameraMenu {...rest} name={facts.name} entries={useTileEntries(facts, cell)} />;
}

function RowMenu({ facts, ...rest }: OpenMenuProps) {
  return <CameraMenu {...rest} name={facts.name} entries={useRowEntries(facts)} />;
}

interface CameraMenuProps extends Omit<OpenMenuProps, 'facts'> {
  readonly name: string;
  readonly entries: readonly MenuEntry[];
}

function CameraMenu({ name, entries, at, onClose }: CameraMenuProps) {
  return <ContextMenu label={name} at={at} entries={[{ kind: 'title', label: name }, ...entries]} onClose={onClose} />;
}

function findCamera({ target, at }: MenuRequest): Asked | null {
  const wall = useWall.getState();
  const tile = target.closest<HTMLElement>('[data-cell]');
  const row = tile === null ? rowAt(target) : null;
  const shown = tile === null ? null : wall.cells[Number(tile.dataset['cell'])];
  const facts = useChannelFacts.getState().byKey.get(shown ? wallChannelKey(shown) : (row?.dataset['channel'] ?? ''));
  const element = tile ?? row;
  if (facts === undefined || element === null) return null;
  return { facts, cell: cellOf(wall, facts), at: placeInside(element, at) };
}

/** The tree has the focus itself, and names the row that it means. */
function rowAt(target: Element): HTMLElement | null {
  const row = target.closest<HTMLElement>('[role="treeitem"]');
  const current = target.closest('[role="tree"]')?.getAttribute('aria-activedescendant') ?? '';
  return row ?? document.getElementById(current);
}
