// Paths under which known cameras serve their streams: tried when an address has no path, and used to find the smaller streams of one that has.

export interface RtspPathTemplate {
  readonly maker: string;
  /** Main, second, third; path and query as devices want them, byte by byte. */
  readonly paths: readonly [main: string, ...smaller: string[]];
}

/** From vendors' manuals and common knowledge; a row is never wrong to have, it only costs one DESCRIBE. */
export const rtspPathTemplates: readonly RtspPathTemplate[] = [
  { maker: 'Hikvision', paths: ['/Streaming/Channels/101', '/Streaming/Channels/102', '/Streaming/Channels/103'] },
  {
    maker: 'Dahua',
    paths: [
      '/cam/realmonitor?channel=1&subtype=0',
      '/cam/realmonitor?channel=1&subtype=1',
      '/cam/realmonitor?channel=1&subtype=2',
    ],
  },
  { maker: 'Reolink', paths: ['/h264Preview_01_main', '/h264Preview_01_sub'] },
  { maker: 'Uniview', paths: ['/media/video1', '/media/video2', '/media/video3'] },
  { maker: 'TP-Link', paths: ['/stream1', '/stream2'] },
  { maker: 'Axis', paths: ['/axis-media/media.amp'] },
  { maker: 'Hanwha', paths: ['/profile1/media.smp', '/profile2/media.smp', '/profile3/media.smp'] },
  { maker: 'Foscam', paths: ['/videoMain', '/videoSub'] },
  { maker: 'Vivotek', paths: ['/live.sdp', '/live2.sdp', '/live3.sdp'] },
  { maker: 'HiSilicon', paths: ['/11', '/12'] },
  { maker: 'Yoosee', paths: ['/onvif1', '/onvif2'] },
  { maker: 'generic', paths: ['/live'] },
  { maker: 'generic', paths: ['/h264'] },
];

/** Paths of the smaller streams beside a main stream's path; empty for an unknown one. */
export function smallerPaths(path: string): readonly string[] {
  const row = rtspPathTemplates.find(({ paths }) => paths[0].toLowerCase() === path.toLowerCase());
  return row === undefined ? [] : row.paths.slice(1, 3);
}
