// What can be done to a whole floor plan: exported by all who see it, renamed and deleted by who manages its organisation.
import { IconDotsVertical, IconDownload, IconPencil, IconTrash } from '@tabler/icons-react';
import type { FloorPlan, FloorPlanEntry } from '@vedette/contract/calls/floor-plan.ts';
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { ConfirmDialog } from '../../features/confirm/confirm-dialog.tsx';
import { useExportPlan, usePlanActions } from '../../features/floor-plan/floor-plan.query.ts';
import { useT } from '../../language/use-t.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { Menu, type MenuEntry } from '../../ui/overlays/menu.tsx';
import { PlanForm } from './plan-form.tsx';

export interface PlanMenuProps {
  readonly entry: FloorPlanEntry;
  readonly plan: FloorPlan | undefined;
  readonly onRemoved: () => void;
}

export function PlanMenu({ entry, plan, onRemoved }: PlanMenuProps) {
  const t = useT();
  const actions = usePlanActions();
  const exportPlan = useExportPlan();
  const [open, setOpen] = useState<'none' | 'form' | 'delete'>('none');
  const close = (): void => setOpen('none');
  const entries: MenuEntry[] = [
    {
      kind: 'item',
      label: t('plans.export'),
      icon: <IconDownload size={16} stroke={1.7} />,
      onChoose: () => void exportPlan(entry).catch((failure: unknown) => showToast('error', failureText(t, failure))),
    },
  ];
  if (entry.isEditable)
    entries.unshift({
      kind: 'item',
      label: t('plans.rename'),
      icon: <IconPencil size={16} stroke={1.7} />,
      isDisabled: plan === undefined,
      onChoose: () => setOpen('form'),
    });
  if (entry.isEditable)
    entries.push(
      { kind: 'line' },
      {
        kind: 'item',
        label: t('plans.delete'),
        icon: <IconTrash size={16} stroke={1.7} />,
        isDanger: true,
        onChoose: () => setOpen('delete'),
      },
    );
  return (
    <>
      <Menu label={t('plans.actions')} side="bottom-end" entries={entries} width={240}>
        <IconButton label={t('plans.actions')}>
          <IconDotsVertical size={17} stroke={1.8} />
        </IconButton>
      </Menu>
      {open === 'form' && plan !== undefined && (
        <PlanForm plan={plan} organizations={NONE} onClose={close} onSaved={close} />
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title={t('plans.deleteAsk', { name: entry.name })}
          detail={t('plans.deleteDetail')}
          confirmLabel={t('plans.delete')}
          done={t('plans.deleted')}
          onConfirm={async () => {
            await actions.remove(entry);
            onRemoved();
          }}
          onClose={close}
        />
      )}
    </>
  );
}

const NONE = [] as const;
