// Channels and instant of playback as parts of the address, so that every moment is a link.
import type { Resource } from '@vedette/contract/entities.ts';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { type PlaybackChannel, playbackChannelKey } from '../../features/playback/playback-channel.ts';
import {
  channelsOf,
  type PlaybackWall,
  place,
  readWall,
  selectedChannel,
  writePlayback,
} from '../../features/playback/playback-wall.ts';
import { type RecordSource, readRecordSource, writeRecordSource } from '../../features/playback/record-source.ts';
import { useResources } from '../../features/resource-tree/resources.query.ts';
import { readChannelPlace } from '../../navigation/paths.ts';
import { useServices } from '../../services/services.ts';
import { useClientState } from '../../session/client-state.ts';

export interface PlaybackPlace {
  readonly wall: PlaybackWall;
  readonly setWall: (wall: PlaybackWall) => void;
  /** The selected one. */
  readonly channel: PlaybackChannel | null;
  /** Wall clock, ms. */
  readonly at: number | null;
  /** By channel key; a name stays when its channel is no longer among the resources. */
  readonly names: ReadonlyMap<string, string>;
  /** Changes when the resources are asked for again and when they came: rights may have changed. */
  readonly rightsMark: number;
  readonly choose: (channel: PlaybackChannel) => void;
  readonly goTo: (at: number) => void;
  /** The address follows what plays already, once the picture had time to come: drawing the page anew must not hold it up. */
  readonly follow: (at: number) => void;
  readonly source: RecordSource;
  readonly setSource: (source: RecordSource) => void;
}

/** Longer than a seek takes, and over before anybody looks at the address. */
const FOLLOW_AFTER_MS = 300;

export function usePlaybackPlace(): PlaybackPlace {
  const [parameters, setParameters] = useSearchParams();
  const following = useLater((at: number) => setParameters(atTime(at), { replace: true }));
  const { data, dataUpdatedAt, isFetching } = useResources();
  const { deviceSerial, channelNo } = readChannelPlace(parameters) ?? {};
  const [cells, split] = [parameters.get('cells'), parameters.get('split')];
  // The same object while the time alone changes.
  const wall = useMemo(
    () =>
      readWall(
        cells,
        split,
        deviceSerial === undefined || channelNo === undefined ? null : { deviceSerial, channelNo },
      ),
    [cells, split, deviceSerial, channelNo],
  );
  const names = useNames(wall, data ?? NO_RESOURCES);
  const time = Number(parameters.get('time') ?? Number.NaN);
  const newest = useNewest(wall);
  useEffect(() => useClientState.setState({ playbackList: channelsOf(wall) }), [wall]);
  const setWall = (next: PlaybackWall): void => {
    const last = newest.read();
    newest.write(next);
    setParameters(
      (before) => {
        const isReplaced = next.split === 1 && selectedChannel(next) !== selectedChannel(last);
        const sought = following.take();
        return writePlace(sought === null ? before : atTime(sought)(before), next, isReplaced && last.split === 1);
      },
      { replace: next.cells === last.cells },
    );
  };
  return {
    wall,
    setWall,
    channel: selectedChannel(wall),
    at: Number.isFinite(time) && time > 0 ? time : null,
    names,
    rightsMark: dataUpdatedAt + (isFetching ? 1 : 0),
    choose: (next) => setWall(place(newest.read(), next)),
    source: readRecordSource(parameters.get('source')),
    setSource: (source) =>
      setParameters(
        (before) => {
          const sought = following.take();
          if (sought !== null) atTime(sought)(before);
          const word = writeRecordSource(source);
          if (word === null) before.delete('source');
          else before.set('source', word);
          return before;
        },
        { replace: true },
      ),
    goTo: (at) => {
      following.take();
      setParameters(atTime(at), { replace: true });
    },
    follow: following.run,
  };
}

/** A second camera may be chosen before the page was drawn with the first. */
function useNewest(wall: PlaybackWall) {
  const newest = useRef(wall);
  useEffect(() => {
    newest.current = wall;
  }, [wall]);
  const read = (): PlaybackWall => newest.current;
  const write = (next: PlaybackWall): void => {
    newest.current = next;
  };
  return { read, write };
}

function atTime(at: number): (before: URLSearchParams) => URLSearchParams {
  return (before) => {
    before.set('time', String(Math.round(at)));
    return before;
  };
}

interface Later {
  readonly run: (at: number) => void;
  /** What was still to follow, and does not any more: whoever writes the address next writes it too. */
  readonly take: () => number | null;
}

/** Runs `what` as it is then, once nobody has asked again for a moment. */
function useLater(what: (at: number) => void): Later {
  const { clock } = useServices();
  const newest = useRef(what);
  const waiting = useRef<{ readonly at: number; readonly stop: () => void } | null>(null);
  useEffect(() => {
    newest.current = what;
  });
  const take = (): number | null => {
    const { at = null, stop } = waiting.current ?? {};
    stop?.();
    waiting.current = null;
    return at;
  };
  useEffect(() => () => waiting.current?.stop(), []);
  const run = (at: number): void => {
    take();
    const stop = clock.after(FOLLOW_AFTER_MS, () => {
      waiting.current = null;
      newest.current(at);
    });
    waiting.current = { at, stop };
  };
  return { run, take };
}

/** `isNew`: another camera alone begins at its own newest minute. */
function writePlace(before: URLSearchParams, wall: PlaybackWall, isNew: boolean): URLSearchParams {
  const after = writePlayback(before, wall);
  if (isNew) after.delete('time');
  return after;
}

const NO_RESOURCES: readonly Resource[] = [];

function useNames(wall: PlaybackWall, resources: readonly Resource[]): ReadonlyMap<string, string> {
  const [known, setKnown] = useState<ReadonlyMap<string, string>>(() => new Map());
  const found = useMemo(
    () =>
      channelsOf(wall).flatMap((channel): (readonly [string, string])[] => {
        const name = channelName(resources, channel);
        return name === undefined ? [] : [[playbackChannelKey(channel), name]];
      }),
    [wall, resources],
  );
  if (found.some(([key, name]) => known.get(key) !== name)) setKnown(new Map([...known, ...found]));
  return known;
}

function channelName(resources: readonly Resource[], { deviceSerial, channelNo }: PlaybackChannel): string | undefined {
  for (const resource of resources) {
    if (resource.resourceType !== 'device' || resource.device.deviceSerial !== deviceSerial) continue;
    const channel = resource.channelList.find((one) => one.channelNo === channelNo);
    if (!channel) return resource.device.deviceName;
    return resource.device.supportMultiChannel
      ? `${resource.device.deviceName} · ${channel.channelName}`
      : resource.device.deviceName;
  }
  return undefined;
}
