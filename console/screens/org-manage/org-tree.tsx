// The tree on the left of orgManage: organisations that are renamed in place and dragged, and that take devices.
import { IconStack2 } from '@tabler/icons-react';
import type { Resource } from '@vedette/contract/entities.ts';
import { deviceNameProblem } from '@vedette/rules/validation/device-fields.ts';
import { useMemo } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { buildResourceTree } from '../../features/resource-tree/build-resource-tree.ts';
import { ROOT_ORGANIZATION } from '../../features/resource-tree/organization-options.ts';
import type { ResourceNode } from '../../features/resource-tree/resource-node.ts';
import { TreeView } from '../../features/resource-tree/tree-view.tsx';
import { useT } from '../../language/use-t.ts';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { deviceDrag, useDeviceDrop } from './device-drop.ts';
import { mayManage, type OrgChanges, type OrgFacts } from './org-changes.ts';
import style from './org-manage-screen.module.css';

export interface OrgTreeProps {
  readonly resources: readonly Resource[];
  readonly facts: OrgFacts;
  readonly changes: OrgChanges;
  readonly selected: string;
  readonly onSelect: (organizationId: string) => void;
  readonly onTake: (serials: readonly string[], organizationId: string) => void;
  readonly editId: string | null;
  readonly onEditEnd: () => void;
}

const LEVELS_OPEN = 2;
const idOf = (node: ResourceNode): string => node.organization?.organizationId ?? ROOT_ORGANIZATION;

export function OrgTree(props: OrgTreeProps) {
  const { resources, facts, changes, selected, onSelect, onTake } = props;
  const t = useT();
  const roots = useMemo(
    () => buildResourceTree(resources, { isWeb: true, scope: 'organizations', language: t.shown }),
    [resources, t.shown],
  );
  const attempt = (work: Promise<unknown>): void => {
    work.catch((failure: unknown) => showToast('error', failureText(t, failure)));
  };
  const toRoot = useDeviceDrop((serials) => onTake(serials, ROOT_ORGANIZATION));
  return (
    <>
      <button
        type="button"
        className={style.root}
        aria-pressed={selected === ROOT_ORGANIZATION}
        onClick={() => onSelect(ROOT_ORGANIZATION)}
        {...toRoot}
      >
        <IconStack2 size={16} stroke={1.6} aria-hidden="true" />
        <span className={style.rootName}>{t('org.root')}</span>
        <Count total={facts.deviceTotals.get(ROOT_ORGANIZATION) ?? 0} />
      </button>
      <TreeView<ResourceNode>
        label={t('org.tree')}
        roots={roots}
        openLevels={LEVELS_OPEN}
        selectedId={`o:${selected}`}
        onSelect={(node) => onSelect(idOf(node))}
        rename={{
          canRename: (node) => mayManage(node.organization),
          problemOf: (_node, name) => (deviceNameProblem(name) === null ? null : t('org.badName')),
          save: async (node, name) => {
            if (node.organization !== undefined) await changes.rename(node.organization, name);
          },
          editId: props.editId === null ? null : `o:${props.editId}`,
          onEnd: props.onEditEnd,
        }}
        drag={{
          canDrag: (node) => mayManage(node.organization),
          onBefore: (node, before) => attempt(changes.order(parentOf(node), orderWith(roots, node, before))),
          canDropInto: (_node, into) => mayManage(into.organization),
          onInto: (node, into) => attempt(changes.move(idOf(node), idOf(into))),
        }}
        foreign={{
          canTake: (transfer, node) =>
            deviceDrag.read(transfer) !== undefined && node.organization?.permission.includes('DeviceManage') === true,
          onTake: (transfer, into) => onTake(deviceDrag.read(transfer) ?? [], idOf(into)),
        }}
        rowEnd={(node) => <Count total={facts.deviceTotals.get(idOf(node)) ?? 0} />}
      />
    </>
  );
}

function Count({ total }: { readonly total: number }) {
  const t = useT();
  if (total === 0) return null;
  return (
    // Drawn by the style sheet: the name of a row is the name of its organisation alone.
    <span className={style.count} title={t.plural('devices.total', total)} data-total={total} />
  );
}

function parentOf(node: ResourceNode): string {
  return node.organization?.parentOrgId ?? ROOT_ORGANIZATION;
}

/** Ids of the siblings with the node before another one, or at the end. */
function orderWith(roots: readonly ResourceNode[], node: ResourceNode, before: ResourceNode | null): string[] {
  const siblings = roots.includes(node)
    ? roots
    : (roots.find((root) => root.children?.includes(node) === true)?.children ?? []);
  const ids = siblings.filter((one) => one !== node).map(idOf);
  const at = before === null ? ids.length : ids.indexOf(idOf(before));
  return ids.toSpliced(at < 0 ? ids.length : at, 0, idOf(node));
}
