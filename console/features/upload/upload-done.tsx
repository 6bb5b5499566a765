// The dialog that says that a file has come to the server in upload mode (CA-01); it stands until it is closed.
import { create } from 'zustand';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';

const useUploadDone = create<{ readonly isOpen: boolean }>(() => ({ isOpen: false }));

export function sayUploadDone(): void {
  useUploadDone.setState({ isOpen: true });
}

export function UploadDone() {
  const t = useT();
  const isOpen = useUploadDone((state) => state.isOpen);
  const close = (): void => useUploadDone.setState({ isOpen: false });
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={t('upload.done')}
      closeLabel={t('common.close')}
      width={360}
      actions={
        <Button look="primary" onClick={close}>
          {t('common.close')}
        </Button>
      }
    >
      <p>{t('upload.doneDetail')}</p>
    </Dialog>
  );
}
