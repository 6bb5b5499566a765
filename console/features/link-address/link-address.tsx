// A link to send to somebody: the address that it begins with, the text to copy, its QR code and when it ends.
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { CopyButton } from '../../ui/buttons/copy-button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import style from './link-address.module.css';
import { useLinkOrigins } from './link-address.query.ts';
import { isOnlyThisMachine } from './link-origins.ts';
import { QrCode } from './qr-code.tsx';

export interface LinkAddressProps {
  readonly label: string;
  /** From its path on, or a whole address whose origin is replaced. */
  readonly link: string;
  /** Null: it does not end. */
  readonly endTime: number | null;
  readonly hint?: string;
}

export function LinkAddress({ label, link, endTime, hint }: LinkAddressProps) {
  const t = useT();
  const format = useTimeFormat();
  const origins = useLinkOrigins();
  const [chosen, setChosen] = useState<string | null>(null);
  const origin = chosen ?? origins?.[0];
  if (origins === null || origin === undefined) return <div className={style.waiting} aria-busy="true" />;
  const { pathname, search, hash } = new URL(link, origin);
  const address = `${origin}${pathname}${search}${hash}`;
  return (
    <div className={style.link}>
      <div className={style.fields}>
        {origins.length > 1 && (
          <SelectField
            label={t('linkAddress.origin')}
            value={origin}
            options={origins.map((one) => ({ value: one, label: one }))}
            onValue={setChosen}
          />
        )}
        <TextField
          label={label}
          value={address}
          onValue={() => undefined}
          {...(hint !== undefined && { hint })}
          rightSlot={
            <CopyButton
              text={address}
              label={t('link.copy')}
              doneLabel={t('link.copied')}
              failedLabel={t('common.copyFailed')}
            />
          }
        />
        {endTime !== null && (
          <p className={style.end}>{t('linkAddress.ends', { time: formatDateTime(endTime, format, false) })}</p>
        )}
        {isOnlyThisMachine(origin) && <Notice tone="warning">{t('linkAddress.onlyHere')}</Notice>}
      </div>
      <QrCode text={address} label={t('linkAddress.qrCode')} />
    </div>
  );
}
