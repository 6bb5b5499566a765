// The latest snapshots of the cameras that the account has chosen; each leads to the camera's live view.
import { IconRefresh } from '@tabler/icons-react';
import { formatClock } from '@vedette/rules/time-format.ts';
import { useState } from 'react';
import { Link } from 'react-router';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { channelAddress, type ChannelPlace, PATHS, tabPath } from '../../navigation/paths.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Skeleton, StateView } from '../../ui/feedback/state-view.tsx';
import { useSnapshot } from '../device-inspector/device.query.ts';
import { channelKey } from '../resource-tree/resource-node.ts';
import { CameraChoice } from './camera-choice.tsx';
import { useHomeCameras } from './home-cameras.ts';
import { OverviewPart } from './overview-part.tsx';
import style from './overview.module.css';
import { useNamedCameras } from './use-named-cameras.ts';

export function LatestSnapshots() {
  const t = useT();
  const { chosen, error, refetch, keep } = useHomeCameras();
  const names = useNamedCameras();
  // A new round asks for new snapshots: each one is written down as a view of the camera, so it is never done unasked.
  const [round, setRound] = useState(0);
  // Cameras that the account may no longer see are left out without a word.
  const known = names.data;
  const shown = known && chosen?.filter((one) => known.has(keyOf(one)));
  return (
    <OverviewPart
      title={t('overview.snapshots')}
      isWide
      actions={
        <>
          {shown !== undefined && shown.length > 0 && (
            <IconButton label={t('overview.refresh')} onClick={() => setRound(round + 1)}>
              <IconRefresh size={16} stroke={1.7} />
            </IconButton>
          )}
          <CameraChoice chosen={chosen ?? []} names={known} onChoose={(cameras) => void keep(cameras)} />
        </>
      }
      query={{
        data: shown,
        error: error ?? names.error,
        refetch: () => Promise.all([refetch(), names.refetch()]),
      }}
    >
      {(cameras) =>
        cameras.length === 0 ? (
          <StateView isSmall title={t('overview.noSnapshots')} />
        ) : (
          <ul className={style.snapshots}>
            {cameras.map((camera) => (
              <li key={`${keyOf(camera)} ${round}`}>
                <CameraSnapshot camera={camera} name={known?.get(keyOf(camera)) ?? ''} />
              </li>
            ))}
          </ul>
        )
      }
    </OverviewPart>
  );
}

function keyOf({ deviceSerial, channelNo }: ChannelPlace): string {
  return channelKey(deviceSerial, channelNo);
}

const LIVE = tabPath(PATHS.liveVideo);

function CameraSnapshot({ camera, name }: { readonly camera: ChannelPlace; readonly name: string }) {
  const t = useT();
  const format = useTimeFormat();
  const [isBroken, setBroken] = useState(false);
  const { data: url, isPending, dataUpdatedAt } = useSnapshot(camera.deviceSerial, camera.channelNo, true);
  const hasSnapshot = url !== undefined && !isBroken;
  return (
    <Link className={style.snapshot} to={channelAddress(LIVE, camera)}>
      <span className={style.frame}>
        {isPending && <Skeleton width="100%" height={400} />}
        {hasSnapshot && <img src={url} alt="" onError={() => setBroken(true)} />}
        {!isPending && !hasSnapshot && t('overview.noSnapshot')}
      </span>
      <span className={style.caption}>
        <span className={style.name}>{name}</span>
        <span className={style.detail}>{hasSnapshot ? formatClock(dataUpdatedAt, format) : ''}</span>
      </span>
    </Link>
  );
}
