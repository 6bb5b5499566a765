// Organisations, devices and channels as choices of a rule.
import { cameraKey } from '@vedette/rules/camera-key.ts';
import { useMemo } from 'react';
import type { SelectOption } from '../../ui/fields/select-field.tsx';
import { ROOT_ORGANIZATION, useOrganizationOptions } from '../resource-tree/organization-options.ts';
import { useResources } from '../resource-tree/resources.query.ts';

interface NamedChannel {
  readonly deviceSerial: string;
  readonly channelNo: number;
  readonly name: string;
}

function useChannels(): readonly NamedChannel[] {
  const { data } = useResources();
  return useMemo(
    () =>
      (data ?? []).flatMap((resource) => {
        if (resource.resourceType !== 'device') return [];
        const { deviceSerial, deviceName, supportMultiChannel } = resource.device;
        return resource.channelList.map(({ channelNo, channelName }) => {
          return { deviceSerial, channelNo, name: supportMultiChannel ? `${deviceName} · ${channelName}` : deviceName };
        });
      }),
    [data],
  );
}

/** By `cameraKey`. */
export function useCameraOptions(): SelectOption[] {
  const channels = useChannels();
  return useMemo(() => unique(channels.map((one) => ({ value: cameraKey(one), label: one.name }))), [channels]);
}

/** As `sourceKey` has them. */
export function useSourceOptions(): SelectOption[] {
  const organizations = useOrganizationOptions();
  const channels = useChannels();
  const { data } = useResources();
  return useMemo(() => {
    const places = organizations
      .filter(({ value }) => value !== ROOT_ORGANIZATION)
      .map(({ value, label }) => ({ value: `org:${value}`, label: `${label} /` }));
    const devices = (data ?? []).flatMap((resource) =>
      resource.resourceType === 'device'
        ? [
            {
              value: `dev:${resource.device.deviceSerial}`,
              label: resource.device.deviceName,
              isMany: resource.device.supportMultiChannel,
            },
          ]
        : [],
    );
    const many = new Set(devices.filter(({ isMany }) => isMany).map(({ value }) => value));
    const single = channels
      .filter(({ deviceSerial }) => many.has(`dev:${deviceSerial}`))
      .map(({ deviceSerial, channelNo, name }) => ({ value: `dev:${deviceSerial}:${channelNo}`, label: name }));
    return unique([...places, ...devices.map(({ value, label }) => ({ value, label })), ...single]);
  }, [organizations, channels, data]);
}

/** Channels shared from one device list that device several times. */
function unique(options: readonly SelectOption[]): SelectOption[] {
  return [...new Map(options.map((option) => [option.value, option])).values()];
}
