// The theme dialog, 622 px wide: dark or light, a suggested or an own colour; every choice shows at once (WG-03).
import { THEME_DIALOG_WIDTH_PX } from '@vedette/contract/limits.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { closeThemeDialog, useThemeDialog } from './theme-dialog-store.ts';
import { ThemeFields } from './theme-fields.tsx';

export function ThemeDialog() {
  const t = useT();
  const isOpen = useThemeDialog((dialog) => dialog.isOpen);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={closeThemeDialog}
      title={t('theme.title')}
      closeLabel={t('common.close')}
      width={THEME_DIALOG_WIDTH_PX}
      actions={
        <Button look="primary" onClick={closeThemeDialog}>
          {t('theme.done')}
        </Button>
      }
    >
      <ThemeFields />
    </Dialog>
  );
}
