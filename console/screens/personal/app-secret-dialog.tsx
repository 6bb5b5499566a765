// The secret of an app, shown once.
import type { App } from '@vedette/contract/calls/app.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { CopyButton } from '../../ui/buttons/copy-button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import style from './dialogs.module.css';

export interface ShownSecret {
  readonly app: App;
  readonly secret: string;
  /** Null: it is the first one. */
  readonly oldSecretUntil: number | null;
}

export function AppSecretDialog({
  shown: { app, secret, oldSecretUntil },
  onClose,
}: {
  readonly shown: ShownSecret;
  readonly onClose: () => void;
}) {
  const t = useT();
  const format = useTimeFormat();
  const copy = (text: string) => (
    <CopyButton
      text={text}
      label={t('common.copy')}
      doneLabel={t('common.copied')}
      failedLabel={t('common.copyFailed')}
    />
  );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('personal.appSecretTitle', { app: app.appName })}
      closeLabel={t('common.close')}
      actions={
        <Button look="primary" onClick={onClose}>
          {t('common.close')}
        </Button>
      }
    >
      <div className={style.fields}>
        <p>{t('personal.appSecretOnce')}</p>
        <dl className={style.facts}>
          <dt>{t('personal.appId')}</dt>
          <dd>
            <code>{app.appId}</code>
            {copy(app.appId)}
          </dd>
          <dt>{t('personal.appSecret')}</dt>
          <dd>
            <code data-app-secret>{secret}</code>
            {copy(secret)}
          </dd>
        </dl>
        {oldSecretUntil !== null && (
          <p>{t('personal.appOldSecret', { time: formatDateTime(oldSecretUntil, format, false) })}</p>
        )}
      </div>
    </Dialog>
  );
}
