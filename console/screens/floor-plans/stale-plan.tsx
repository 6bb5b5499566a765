// Says that a floor plan was changed by somebody else meanwhile, and lets the user choose which one stands.
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import type { PlanSaving } from './use-plan-saving.ts';

export function StalePlan({ saving }: { readonly saving: PlanSaving }) {
  const t = useT();
  const { newer, keepEditing, overwrite, showNewer } = saving;
  return (
    <Dialog
      isOpen={newer !== null}
      onClose={keepEditing}
      title={t('plans.staleTitle')}
      closeLabel={t('common.close')}
      actions={
        newer !== null && (
          <>
            <Button onClick={() => overwrite(newer)}>{t('plans.staleOverwrite')}</Button>
            <Button look="primary" onClick={() => showNewer(newer)}>
              {t('plans.staleShow')}
            </Button>
          </>
        )
      }
    >
      <p>{t('plans.staleDetail')}</p>
    </Dialog>
  );
}
