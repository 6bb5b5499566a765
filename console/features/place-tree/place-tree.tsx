// Chooses organisations, devices and channels in a tree that loads as it is opened.
import type { RoleResource } from '@vedette/contract/calls/role.ts';
import { PAGE_SIZE_MAX } from '@vedette/contract/limits.ts';
import type { Linkage } from '@vedette/rules/tree/tree-check.ts';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { TreeView } from '../resource-tree/tree-view.tsx';
import { useT } from '../../language/use-t.ts';
import { useCaller } from '../../services/services.ts';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import style from './place-tree.module.css';
import { chosenPlaces, loadPlaces, type PlaceNode, placeKey } from './place-choice.ts';

/** Ticking takes along what is below, never what is above: all cameras of a site are not the site. */
const LINKAGE: Linkage = { checkStrictly: false, Y: 's', N: 'ps' };

export interface PlaceTreeProps {
  /** Its name for readers. */
  readonly label: string;
  /** Whether single channels can be chosen. */
  readonly hasChannels?: boolean;
  readonly places: readonly RoleResource[];
  readonly onPlaces: (places: RoleResource[]) => void;
}

export function PlaceTree({ label, hasChannels = true, places, onPlaces }: PlaceTreeProps) {
  const t = useT();
  const caller = useCaller();
  const [chosenAtFirst] = useState(() => new Set(places.map(placeKey)));
  const wanted = { chosen: chosenAtFirst, hasChannels };
  const known = useRef(new Set<string>());
  const note = (nodes: readonly PlaceNode[]): void => {
    for (const node of nodes) {
      known.current.add(node.id);
      note(node.children ?? []);
    }
  };
  const query = useQuery({
    queryKey: ['org/resource/sub', 'places', hasChannels],
    queryFn: () => loadPlaces(caller, '0', { pageStart: 0, pageSize: PAGE_SIZE_MAX }, wanted),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (query.isPending) return <SkeletonLines label={t('tree.loading')} rows={6} rowHeight={28} />;
  if (query.data === undefined)
    return <StateView isSmall role="alert" title={t('tree.error')} detail={failureText(t, query.error)} />;
  note(query.data.children);
  return (
    <div className={style.places}>
      <TreeView<PlaceNode>
        label={label}
        roots={query.data.children}
        openLevels={0}
        load={async (node, page) => {
          const id = 'organizationId' in node.place ? node.place.organizationId : '0';
          const loaded = await loadPlaces(caller, id, page, wanted);
          note(loaded.children);
          return loaded;
        }}
        check={{
          linkage: LINKAGE,
          onCheck: (checked) => onPlaces(chosenPlaces(places, known.current, checked)),
        }}
      />
    </div>
  );
}
