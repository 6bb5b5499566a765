// Devices that are offline, the last to go first, and since when.
import type { Device } from '@vedette/contract/entities.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { Link } from 'react-router';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { PATHS, tabPath } from '../../navigation/paths.ts';
import { StateView } from '../../ui/feedback/state-view.tsx';
import { StatusDot } from '../../ui/feedback/status-dot.tsx';
import { statusReasonText } from '../device-inspector/device-words.ts';
import { OverviewPart } from './overview-part.tsx';
import style from './overview.module.css';
import { useOfflineDevices } from './overview.query.ts';

const TABLE = tabPath(PATHS.deviceManage);

export function OfflineDevices() {
  const t = useT();
  const query = useOfflineDevices();
  return (
    <OverviewPart title={t('overview.offline')} count={query.data?.total} to={`${TABLE}?status=offline`} query={query}>
      {({ total, deviceList, hasDevices }) => (
        <>
          {total === 0 && <StateView isSmall title={t(hasDevices ? 'overview.allOnline' : 'overview.noDevices')} />}
          <ul className={style.list}>
            {deviceList.map((device) => (
              <Row key={device.keySerial} device={device} />
            ))}
          </ul>
          {total > deviceList.length && (
            <p className={style.note}>{t('overview.more', { count: total - deviceList.length })}</p>
          )}
        </>
      )}
    </OverviewPart>
  );
}

function Row({ device }: { readonly device: Device }) {
  const t = useT();
  const format = useTimeFormat();
  const { deviceName, deviceSerial, latestOnline } = device;
  const since =
    latestOnline === null
      ? t('overview.neverOnline')
      : t('overview.since', { time: formatDateTime(latestOnline, format, false) });
  const reason = statusReasonText(t, device);
  return (
    <li>
      <Link className={style.row} to={`${TABLE}?${new URLSearchParams({ status: 'offline', device: deviceSerial })}`}>
        <StatusDot tone="offline" />
        <span className={style.words}>
          <span className={style.name}>{deviceName}</span>
          <span className={style.detail}>{reason === null ? since : `${since} · ${reason}`}</span>
        </span>
      </Link>
    </li>
  );
}
