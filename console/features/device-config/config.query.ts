// A device's configuration: which sections there are, one section as the device holds it, and saving it.
import type { CallOutput } from '@vedette/contract/calls.ts';
import type { SectionName } from '@vedette/contract/config/section-names.ts';
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ChannelPlace } from '../../navigation/paths.ts';
import { useCaller } from '../../services/services.ts';

export type SectionState = CallOutput<'config/get'>;
export type SavedSection = CallOutput<'config/set'>;
export type Values = Readonly<Record<string, unknown>>;

/** The device is asked each time: others change it, too. */
const DEVICE_ANSWERS = { staleTime: 0, retry: false, refetchOnWindowFocus: false } as const;

export function useSectionNames({ deviceSerial, channelNo }: ChannelPlace) {
  const caller = useCaller();
  return useQuery({
    queryKey: ['config/list', deviceSerial, channelNo],
    queryFn: async ({ signal }) =>
      (await caller.ask('config/list', { deviceSerial, channelNo }, { signal, showError: false })).sectionList,
    ...DEVICE_ANSWERS,
  });
}

/** A section that was asked for beside the list of sections is not asked for again when its form stands. */
const JUST_ASKED_MS = 1000;

function sectionKey({ deviceSerial, channelNo }: ChannelPlace, section: SectionName | null) {
  return ['config/get', deviceSerial, channelNo, section];
}

/** Asks nothing for no section. */
export function useSection(place: ChannelPlace, section: SectionName | null) {
  const caller = useCaller();
  const { deviceSerial, channelNo } = place;
  return useQuery({
    queryKey: sectionKey(place, section),
    queryFn:
      section === null
        ? skipToken
        : ({ signal }) => caller.ask('config/get', { deviceSerial, channelNo, section }, { signal, showError: false }),
    ...DEVICE_ANSWERS,
    staleTime: JUST_ASKED_MS,
  });
}

export function useSectionStore({ deviceSerial, channelNo }: ChannelPlace, section: SectionName) {
  const caller = useCaller();
  const client = useQueryClient();
  return useMemo(() => {
    const key = sectionKey({ deviceSerial, channelNo }, section);
    return {
      /** Rejects with 1010 whose data is the newer state. */
      save: (value: Values, version: string): Promise<SavedSection> =>
        caller.ask('config/set', { deviceSerial, channelNo, section, value, version }, { showError: false }),
      keep: (state: SectionState): void => {
        client.setQueryData<SectionState>(key, state);
      },
    };
  }, [caller, client, deviceSerial, channelNo, section]);
}
