// The bar below a form with unsaved changes: what is wrong, discard and save.
import { useT } from '../../../language/use-t.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import style from './save-bar.module.css';

export interface SaveBarProps {
  /** In place of `unsaved changes`: why they were not saved. */
  readonly failure: string | null;
  readonly isBusy: boolean;
  readonly canSave: boolean;
  readonly onSave: () => void;
  readonly onDiscard: () => void;
}

export function SaveBar({ failure, isBusy, canSave, onSave, onDiscard }: SaveBarProps) {
  const t = useT();
  return (
    <div className={style.bar} role="region" aria-label={t('system.unsaved')}>
      <span className={style.text} role={failure === null ? undefined : 'alert'}>
        {failure ?? t('system.unsaved')}
      </span>
      <Button look="quiet" onClick={onDiscard} disabled={isBusy}>
        {t('system.discard')}
      </Button>
      <Button look="primary" onClick={onSave} isBusy={isBusy} disabled={!canSave}>
        {t('system.save')}
      </Button>
    </div>
  );
}
