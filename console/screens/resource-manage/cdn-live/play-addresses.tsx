// Where viewers play a stream of a CDN, by protocol.
import type { CdnLive } from '@vedette/contract/calls/cdn.ts';
import { useT } from '../../../language/use-t.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { CopyButton } from '../../../ui/buttons/copy-button.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import style from '../../../ui/layout/titled-rows.module.css';

export function PlayAddresses({ live, onClose }: { readonly live: CdnLive; readonly onClose: () => void }) {
  const t = useT();
  const addresses = [
    [t('cdn.rtmpAddress'), live.rtmpUrl],
    [t('cdn.hlsAddress'), live.hlsUrl],
    [t('cdn.flvAddress'), live.flvUrl],
  ].filter(([, url]) => url !== '');
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('cdn.addresses')}
      closeLabel={t('common.close')}
      width={520}
      actions={<Button onClick={onClose}>{t('common.close')}</Button>}
    >
      <div className={style.form}>
        {addresses.length === 0 && <p className={style.hint}>{t('cdn.noAddresses')}</p>}
        {addresses.map(([label = '', url = '']) => (
          <TextField
            key={label}
            label={label}
            value={url}
            onValue={() => undefined}
            rightSlot={
              <CopyButton
                text={url}
                label={t('common.copy')}
                doneLabel={t('common.copied')}
                failedLabel={t('common.copyFailed')}
              />
            }
          />
        ))}
      </div>
    </Dialog>
  );
}
