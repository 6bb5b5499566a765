// Shows that a layout was changed by somebody else meanwhile, and lets the user choose which one stands.
import type { Layout } from '@vedette/contract/calls/layout.ts';
import { splitName } from '@vedette/rules/split-name.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';

export interface StaleLayoutProps {
  /** Null while there is nothing to decide. */
  readonly newer: Layout | null;
  readonly onClose: () => void;
  readonly onShow: (newer: Layout) => void;
  readonly onOverwrite: (newer: Layout) => void;
}

export function StaleLayout({ newer, onClose, onShow, onOverwrite }: StaleLayoutProps) {
  const t = useT();
  const format = useTimeFormat();
  return (
    <Dialog
      isOpen={newer !== null}
      onClose={onClose}
      title={t('layouts.staleTitle')}
      closeLabel={t('common.close')}
      actions={
        newer && (
          <>
            <Button onClick={() => onOverwrite(newer)}>{t('layouts.staleOverwrite')}</Button>
            <Button look="primary" onClick={() => onShow(newer)}>
              {t('layouts.staleShow')}
            </Button>
          </>
        )
      }
    >
      {newer && (
        <p>
          {t('layouts.staleDetail', {
            name: newer.name,
            windows: splitName(newer.split),
            time: formatDateTime(newer.changedAt, format),
          })}{' '}
          {t.plural('layouts.cameras', newer.tiles.length)}
        </p>
      )}
    </Dialog>
  );
}
