// The command to type at a remote site to connect it: shown once, while the page waits for the site.
import type { SiteCode } from '@vedette/contract/calls/site.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { useT } from '../../../language/use-t.ts';
import { useTimeFormat } from '../../../language/use-time-format.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { CopyButton } from '../../../ui/buttons/copy-button.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { Facts } from '../../../ui/layout/facts.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import style from './sites-part.module.css';

export interface SiteCodeDialogProps {
  readonly code: SiteCode;
  readonly isConnected: boolean;
  readonly onClose: () => void;
}

export function SiteCodeDialog({ code, isConnected, onClose }: SiteCodeDialogProps) {
  const t = useT();
  const format = useTimeFormat();
  const { site, registrationCode, command } = code;
  const until = formatDateTime(site.codeUntil ?? 0, format, false);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('sites.codeTitle', { name: site.siteName })}
      closeLabel={t('common.close')}
      width={560}
      actions={
        <Button look={isConnected ? 'primary' : 'default'} onClick={onClose}>
          {isConnected ? t('sites.done') : t('sites.later')}
        </Button>
      }
    >
      <div className={style.form}>
        <p>{t('sites.codeLead')}</p>
        <div className={style.command}>
          <code>{command}</code>
          <CopyButton
            text={command}
            label={t('common.copy')}
            doneLabel={t('common.copied')}
            failedLabel={t('common.copyFailed')}
          />
        </div>
        <Facts
          facts={[
            { name: t('sites.serial'), value: <code className={style.code}>{site.serial}</code> },
            { name: t('sites.code'), value: <code className={style.code}>{registrationCode}</code> },
          ]}
        />
        <div className={style.arrival} aria-live="polite">
          <Notice tone="info">
            {isConnected ? t('sites.connected') : `${t('sites.waitingFor')}. ${t('sites.codeOnce', { time: until })}`}
          </Notice>
        </div>
      </div>
    </Dialog>
  );
}
