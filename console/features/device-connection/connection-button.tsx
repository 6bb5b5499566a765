// The button that opens the editor of a device's connection.
import type { Device } from '@vedette/contract/entities.ts';
import { IconPlug } from '@tabler/icons-react';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { openConnection } from './connection-target.ts';

export interface ConnectionButtonProps {
  readonly device: Pick<Device, 'deviceSerial' | 'deviceName'>;
  readonly isQuiet?: boolean;
}

export function ConnectionButton({ device, isQuiet = false }: ConnectionButtonProps) {
  const t = useT();
  const { deviceSerial, deviceName: name } = device;
  return (
    <Button
      look={isQuiet ? 'quiet' : 'default'}
      icon={<IconPlug size={16} stroke={1.7} />}
      onClick={() => openConnection({ deviceSerial, name })}
    >
      {t('connect.edit')}
    </Button>
  );
}
