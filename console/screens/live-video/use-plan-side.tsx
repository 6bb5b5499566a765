// The floor plan beside the wall: its button, its key, and the pane, whose code comes when it is first shown.
import { IconMap2 } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useKeys } from '../../keys/key-registry.ts';
import { useT } from '../../language/use-t.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Drawer } from '../../ui/overlays/drawer.tsx';
import style from './live-video-screen.module.css';
import { type PartMemory, useShownPart } from './use-shown-part.ts';

const WallPlan = lazy(async () => ({ default: (await import('./wall-plan.tsx')).WallPlan }));
const PLAN_STORAGE_KEY = 'vedette.live.plan';
const MEMORY: PartMemory = {
  read: () => localStorage.getItem(PLAN_STORAGE_KEY),
  write: (text) => localStorage.setItem(PLAN_STORAGE_KEY, text),
};

export function usePlanSide(
  no: number | null,
  isPhone: boolean,
): { readonly pane: ReactNode; readonly toggle: ReactNode } {
  const t = useT();
  const { isShown, turn, hide } = useShownPart({ no, isPhone, memory: MEMORY, isShownFirst: false });
  // Kept while the pane is hidden.
  const [wanted, setWanted] = useState<string | null>(null);
  useKeys([{ keys: 'Shift+f', label: 'plans.besideKey', group: 'live.wall', run: turn }]);
  const toggle = (
    <IconButton
      label={t(isShown ? 'plans.hideBeside' : 'plans.showBeside')}
      shortcut="⇧ F"
      isPressed={isShown}
      onClick={turn}
    >
      <IconMap2 size={18} stroke={1.6} />
    </IconButton>
  );
  const content = (onShown?: () => void) => (
    <Suspense fallback={null}>
      <WallPlan wanted={wanted} onWanted={setWanted} {...(onShown && { onShown })} />
    </Suspense>
  );
  const pane = isPhone ? (
    <Drawer isOpen={isShown} onClose={hide} title={t('screen.floorPlans')} closeLabel={t('common.close')}>
      {content(hide)}
    </Drawer>
  ) : (
    isShown && (
      <aside className={style.plan} aria-label={t('screen.floorPlans')}>
        {content()}
      </aside>
    )
  );
  return { pane, toggle };
}
