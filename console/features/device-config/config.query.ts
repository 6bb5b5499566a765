// A device's configuration: which sections there are, one section as the device holds it, and saving it.
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import { SECTION_NAMES, type SectionName } from '@vedette/contract/config/section-names.ts';
import { type QueryClient, queryOptions, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Caller } from '../../calls/caller.ts';
import { type ChannelPlace, readChannelPlace } from '../../navigation/paths.ts';
import { useCaller } from '../../services/services.ts';

export type SectionState = CallOutput<'config/get'>;
export type SavedSection = CallOutput<'config/set'>;
export interface AskServices {
  readonly caller: Caller;
  readonly queryClient: QueryClient;
}
export type Values = Readonly<Record<string, unknown>>;

/** The device is asked each time, since others change it, too; but what was asked ahead of the form is not asked again for it. */
const DEVICE_ANSWERS = { staleTime: 1000, retry: false, refetchOnWindowFocus: false } as const;

function namesQuery(caller: Caller, { deviceSerial, channelNo }: ChannelPlace) {
  return queryOptions({
    queryKey: ['config/list', deviceSerial, channelNo],
    queryFn: async ({ signal }) =>
      (await caller.ask('config/list', { deviceSerial, channelNo }, { signal, showError: false })).sectionList,
    ...DEVICE_ANSWERS,
  });
}

export function useSectionNames(place: ChannelPlace) {
  return useQuery(namesQuery(useCaller(), place));
}

function sectionKey({ deviceSerial, channelNo }: ChannelPlace, section: SectionName | null) {
  return ['config/get', deviceSerial, channelNo, section];
}

function sectionQuery(caller: Caller, place: ChannelPlace, section: SectionName | null) {
  const { deviceSerial, channelNo } = place;
  return queryOptions({
    queryKey: sectionKey(place, section),
    queryFn:
      section === null
        ? skipToken
        : ({ signal }) => caller.ask('config/get', { deviceSerial, channelNo, section }, { signal, showError: false }),
    ...DEVICE_ANSWERS,
  });
}

/** Asks nothing for no section. */
export function useSection(place: ChannelPlace, section: SectionName | null) {
  return useQuery(sectionQuery(useCaller(), place, section));
}

/** What the page will show, asked while its code is on its way; what fails is asked again and told by the page. */
export async function askConfiguration({ caller, queryClient }: AskServices, address: URLSearchParams): Promise<void> {
  const place = readChannelPlace(address);
  if (place === null) return;
  const section = SECTION_NAMES.find((known) => known === address.get('section'));
  const asked = [queryClient.prefetchQuery(namesQuery(caller, place))];
  if (section !== undefined) asked.push(queryClient.prefetchQuery(sectionQuery(caller, place, section)));
  await Promise.all(asked);
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
