// What the recordings of each camera take: the largest first, each with its share of all.
import { formatDate } from '@vedette/rules/time-format.ts';
import { useState } from 'react';
import { failureText } from '../../../calls/failure-text.ts';
import { sizeText } from '../../../language/size-text.ts';
import { useT } from '../../../language/use-t.ts';
import { useTimeFormat } from '../../../language/use-time-format.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { SkeletonLines, StateView } from '../../../ui/feedback/state-view.tsx';
import { UsageBar } from '../../../ui/feedback/usage-bar.tsx';
import style from './camera-use.module.css';
import { useStorageUse } from '../../../features/system/system.query.ts';

/** Rows before all are asked for. */
const FIRST = 8;

type Use = NonNullable<ReturnType<typeof useStorageUse>['data']>['channelList'][number];

export function CameraUse() {
  const t = useT();
  const { data, isPending, error, refetch } = useStorageUse();
  const [isAll, setAll] = useState(false);
  if (isPending) return <SkeletonLines label={t('common.loading')} rows={3} rowHeight={32} />;
  if (data === undefined)
    return (
      <StateView
        isSmall
        role="alert"
        title={failureText(t, error)}
        action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}
      />
    );
  const { channelList, total } = data;
  if (total === 0) return null;
  const sum = channelList.reduce((bytes, { usedBytes }) => bytes + usedBytes, 0);
  const shown = isAll ? channelList : channelList.slice(0, FIRST);
  return (
    <div>
      <table className={style.table} aria-label={t('system.cameraUse')}>
        <thead>
          <tr>
            <th scope="col">{t('system.cameraName')}</th>
            <th scope="col" className={style.share}>
              {t('system.cameraUsed')}
            </th>
            <th scope="col" className={style.number}>
              {t('system.cameraGrowth')}
            </th>
            <th scope="col" className={style.number}>
              {t('system.cameraOldest')}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((use) => (
            <UseRow key={`${use.deviceSerial}:${use.channelNo}`} use={use} sum={sum} />
          ))}
        </tbody>
      </table>
      {total > FIRST && !isAll && (
        <Button look="quiet" onClick={() => setAll(true)}>
          {t('system.allCameras', { count: total })}
        </Button>
      )}
    </div>
  );
}

function UseRow({ use, sum }: { readonly use: Use; readonly sum: number }) {
  const t = useT();
  const format = useTimeFormat();
  const { deviceName, channelName, usedBytes, bytesPerDay, oldestAt } = use;
  const name = deviceName === channelName ? deviceName : `${deviceName} · ${channelName}`;
  return (
    <tr>
      <th scope="row" title={name}>
        {name}
      </th>
      <td className={style.share}>
        <span>{sizeText(t, usedBytes)}</span>
        <UsageBar label={t('system.cameraShare', { name })} share={sum === 0 ? 0 : usedBytes / sum} tone="normal" />
      </td>
      <td className={style.number}>{bytesPerDay === null ? '–' : sizeText(t, bytesPerDay)}</td>
      <td className={style.number}>{formatDate(oldestAt, format)}</td>
    </tr>
  );
}
