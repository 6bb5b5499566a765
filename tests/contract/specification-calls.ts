// The calls of the specification, by their paths and the names that it fixes; kept by hand, not made from the contract.

export interface SpecifiedCall {
  /** Names of the input that the specification fixes. */
  readonly takes?: string;
  /** Names of the answer that it fixes. */
  readonly answers?: string;
  /** The requirement that stands as absent in docs/requirements while the call does not exist. */
  readonly absentWith?: string;
}

const DEV = 'deviceSerial channelNo';
const RANGE = `${DEV} startTime endTime`;

/** Each row of its table (CA-03). */
export const TABLE_CALLS: Readonly<Record<string, SpecifiedCall>> = {
  'ptz/start': { takes: `${DEV} command speed` },
  'ptz/stop': { takes: `${DEV} command` },
  'preset/list': { takes: `${DEV} pageStart pageSize`, answers: 'presetList total' },
  'preset/add': { takes: `${DEV} presetIndex name` },
  'preset/update': {},
  'preset/delete': {},
  'preset/goto': {},
  'record/calendar': { takes: `${DEV} year month srcType`, answers: 'dailyList' },
  'record/query': { takes: `${RANGE} quality srcType`, answers: 'recordList' },
  'record/time': { takes: `${RANGE} quality srcType recordType`, answers: 'recordList code' },
  'record/hls': { takes: `${RANGE} recordType quality` },
  'record/url': { takes: `${RANGE} recordType quality` },
  'media/url': { takes: `${DEV} quality`, answers: 'p2pUrl forwardUrl' },
  'talk/url': { takes: 'method' },
  'stream/list': {},
  'keyframe/invoke': { takes: 'quality' },
  'cdn/live/get': { takes: `${DEV} quality protocol`, answers: 'url' },
  'cdn/live/start': { takes: 'url', answers: 'liveId' },
  'cdn/live/stop': { takes: 'liveId' },
  'cdn/video/list': { answers: 'liveList' },
  'nat/factor': { takes: 'deviceSerial', answers: 'timestamp mode factor devKey' },
  'nat/list': {},
  'version/check': {
    takes: 'softVersion',
    answers: 'versionName mustUpgradeVersion contentEn contentZh externalVersion redirectUrl',
  },
  'version/download': { takes: 'softVersion externalVersion', answers: 'path' },
  'channel/capacity': { takes: DEV, answers: 'mediaCapacity' },
  'device/capacity': { takes: DEV },
  'org/list': { takes: 'organizationId pageStart pageSize' },
  'org/device/list': { takes: 'pageStart pageSize' },
  'org/resource/list': { takes: 'pageSize' },
  'org/resource/sub': {
    takes: 'organizationId pageStart pageSize deviceName queryMode',
    answers: 'resourceList',
  },
  'share/org/list': {},
  'share/device/list': {
    takes: 'pageStart pageSize deviceSerial keyWord channelNo organizationId shareResourceType',
  },
  'share/received/list': {},
  'share/delete': { takes: 'shareId shareType' },
  'device/list': { takes: 'pageNo pageSize' },
  'channel/list': { takes: 'deviceSerial pageNo pageStart pageSize', answers: 'channelList total' },
  'capture/get': { takes: DEV, answers: 'url' },
  'group/list': { takes: 'pageStart pageSize groupName', answers: 'groupList' },
  'device/get': { takes: 'deviceSerial' },
  'device/delete': { takes: 'deviceSerial' },
  'device/batch': { takes: 'deviceSerialList', answers: 'deviceList' },
  'event/server': {},
  'role/list': {},
  'permission/list': {},
  'token/check': {},
  'account/logout': {},
  'server/version': {},
};

/** The families that it names without payload (CA-04), each by the calls that stand for it. */
export const FAMILY_CALLS: Readonly<Record<string, SpecifiedCall>> = {
  'account/login': {},
  'account/register': {},
  'account/password/retrieve': {},
  'account/password/change': {},
  'account/info': {},
  'account/update': {},
  'group/add': {},
  'group/update': {},
  'group/delete': {},
  'group/device/set': {},
  'config/get': {},
  'config/set': {},
  'config/storage/format': {},
  'event/ingest': {},
  'trustDevice/list': {},
  'trustDevice/delete': {},
  'cdn/code/activate': {},
  'cloud/combo/list': {},
  'cloud/plan/list': {},
  'cloud/plan/open': {},
  'cloud/plan/close': {},
  'ai/task/list': {},
  'ai/task/save': {},
  'ai/task/delete': {},
  'ai/model/list': {},
  'app/list': {},
  'app/status': {},
  'version/list': {},
  'version/save': {},
};
