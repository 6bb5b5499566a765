// Sharing a device from its inspector: with an account, or by a link for guests.
import { IconLink, IconShare } from '@tabler/icons-react';
import type { Device } from '@vedette/contract/entities.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { useT } from '../../language/use-t.ts';
import { useAuth } from '../../session/auth-store.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { deviceTarget, openGuestLink, openShare } from '../share/share-target.ts';
import { useChannels } from './device.query.ts';

/** Accounts that own nothing share nothing. */
const SHARING_TYPES: readonly number[] = [USER_TYPE.super, USER_TYPE.manage, USER_TYPE.ordinary];

export function ShareButtons({ device }: { readonly device: Device }) {
  const t = useT();
  const userType = useAuth((auth) => auth.userType);
  const channels = useChannels(device.deviceSerial).data ?? [];
  // Who received it without the right to share on has nothing to do here.
  if (!SHARING_TYPES.includes(userType) || !device.permission.includes('Reshare')) return null;
  const [first] = channels;
  const isWatched = device.permission.includes('Realplay') || device.permission.includes('Replay');
  return (
    <>
      <Button icon={<IconShare size={16} stroke={1.7} />} onClick={() => openShare([deviceTarget(device, channels)])}>
        {t('share.open')}
      </Button>
      {isWatched && first !== undefined && (
        <IconButton
          label={t('link.make')}
          tipSide="top"
          onClick={() => {
            const { deviceSerial, deviceName, permission } = device;
            openGuestLink({ deviceSerial, channelNo: first.channelNo, name: deviceName, rights: permission });
          }}
        >
          <IconLink size={16} stroke={1.7} />
        </IconButton>
      )}
    </>
  );
}
