// The theme dialog, 622 px wide: dark or light, a suggested or an own colour; every choice shows at once (WG-03).
import { THEME_DIALOG_WIDTH_PX } from '@vedette/contract/limits.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { ThemeFields } from './theme-fields.tsx';

export interface ThemeDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function ThemeDialog({ isOpen, onClose }: ThemeDialogProps) {
  const t = useT();
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('theme.title')}
      closeLabel={t('common.close')}
      width={THEME_DIALOG_WIDTH_PX}
      actions={
        <Button look="primary" onClick={onClose}>
          {t('theme.done')}
        </Button>
      }
    >
      <ThemeFields />
    </Dialog>
  );
}
