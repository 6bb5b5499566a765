// The one place that names exports of the product for the snapshots of the wire: whoever renames one renames it here, the labels stay.
import {
  ALARM_CHANNELS,
  DELIVERY_REASONS,
  DELIVERY_STATES,
  MAIL_CONSENT_STATES,
} from '@vedette/contract/alarm-channels.ts';
import { TOPIC_RULES, VIRTUAL_ALARM_TOPIC } from '@vedette/contract/alarm-topics.ts';
import {
  ALARM_END_REASONS,
  ALARM_GROUPS,
  ALARM_SEVERITIES,
  clearedBy,
  RAISED_ALARM_TYPE_NAMES,
  RAISED_ALARM_TYPES,
} from '@vedette/contract/alarm-types.ts';
import { AUDIT_WAYS, type AuditDetail } from '@vedette/contract/audit-detail.ts';
import { configSections } from '@vedette/contract/config/sections.ts';
import { deviceEventPhases, topicNamespaces } from '@vedette/contract/device-event.ts';
import * as numbered from '@vedette/contract/enumerations.ts';
import { DEVICE_REASONS, ERROR_CODES, SESSION_ENDING_CODES } from '@vedette/contract/errors.ts';
import { EVENT_HEADER, type PageMessage, type PushMessage } from '@vedette/contract/calls/page-events.ts';
import {
  CLOSE_CODE,
  LIVE_FLAG_KEY,
  LIVE_HEADER_BYTES,
  LIVE_ID_MAX,
  LIVE_KIND,
  type LiveNotice,
  type LiveRequest,
} from '@vedette/contract/media-wire.ts';
import { PERMISSION_PAGES, PERMISSIONS, SHARE_RIGHTS } from '@vedette/contract/permissions.ts';
import { PTZ_COMMANDS } from '@vedette/contract/ptz.ts';
import { QUOTAS } from '@vedette/contract/quotas.ts';
import {
  type ServerToSite,
  SITE_PROTOCOL_VERSION,
  type SiteCalls,
  type SiteToServer,
} from '@vedette/contract/site/site.ts';
import { remoteTicket, LOCAL_SITE, SITE_CLOSE, MEDIA_TUNNEL_PATH, STREAM_USES } from '@vedette/contract/remote-site.ts';
import { TALK_FRAME_BYTES, TALK_RATE, type TalkNotice, type TalkRequest } from '@vedette/contract/talk-wire.ts';
import type { OnvifNative } from '../../../drivers/onvif/onvif-native.ts';
import type { RtspNative } from '../../../drivers/rtsp/rtsp-native.ts';
import { writeCatalogEntry, writeRemovedEntry } from '../../../media/recordings/day-catalog.ts';
import { writeClockBox, writeHeaderBox } from '../../../media/recordings/file-boxes.ts';
import { RECORD_FLAG, writeIndexHeader, writeIndexRecord } from '../../../media/recordings/index-record.ts';
import { writeNote } from '@vedette/media/recordings/gaps/track-notes.ts';
import type { SourceCounters } from '@vedette/media/stream/source-counters.ts';
import type { StreamCounters } from '@vedette/media/stream/shared-stream.ts';
import { defaultPort, defaultRtspPort } from '../../../launcher/options/options.js';
import { listeningPorts } from '../../../launcher/options/ports.js';
import type { DatabaseSchema } from '../../../server/database/schema/schema.ts';
import type { AlarmMessage } from '../../../server/notifiers/kit/notifier.ts';
import type { ChannelRecorder } from '../../../site/recording/channel-recorder.ts';
import { FRAME, writeFrame } from '../../../site/media-tunnel/tunnel-frame.ts';
import type { ReadyLine } from '../../../virtual-devices/control/ready-line.ts';

/**
 * Messages and kept things whose fields cross a border, by what they are.
 * @public wire.test.ts reads it by its name.
 */
export interface WireTypes {
  'page to server': PageMessage;
  'server to page': PushMessage;
  'page to live': LiveRequest;
  'live to page': LiveNotice;
  'page to talk': TalkRequest;
  'talk to page': TalkNotice;
  'site to server': SiteToServer;
  'server to site': ServerToSite;
  'call of a site': SiteCalls;
  'column of the database': DatabaseSchema;
  'detail of the audit log': AuditDetail;
  'alarm for programs': AlarmMessage['alarm'];
  'address record of ONVIF': OnvifNative;
  'address record of RTSP': RtspNative;
  'ready line of virtual devices': ReadyLine;
  'counter of a source': SourceCounters;
  'counter of a stream': StreamCounters;
  'counter of a recorder': ReturnType<ChannelRecorder['report']>['counters'];
}

const NOON = Date.UTC(2026, 0, 2, 12);
const indexHeader = {
  runId: 7,
  baseTicks: 90_000,
  initHash: '0123456789abcdef',
  audio: 'playable',
  audioRate: 16_000,
} as const;
const indexRecord = {
  wallMs: NOON,
  offset: 800,
  videoBytes: 4000,
  totalBytes: 4400,
  durationTicks: 90_000,
  flags: RECORD_FLAG.key | RECORD_FLAG.alarm,
  pictures: 25,
};
/** Version 2 has checksums and the place of the file. */
const placedHeader = { ...indexHeader, origin: 0x1234_5678 };
const checkedRecord = { ...indexRecord, videoCrc: 0x0102_0304, audioCrc: 0x0506_0708 };

/** Tables of the contract, and a specimen of each record that is no JSON, by what they are. */
export const wireValues: Readonly<Record<string, unknown>> = {
  'error code': ERROR_CODES,
  'code that ends a session': [...SESSION_ENDING_CODES],
  'reason of a device': DEVICE_REASONS,
  'device type': numbered.DEVICE_TYPE,
  'device type hidden from the web': numbered.WEB_HIDDEN_DEVICE_TYPES,
  'device status': numbered.DEVICE_STATUS,
  'channel type': numbered.CHANNEL_TYPE,
  'is shared': numbered.IS_SHARED,
  'share type': numbered.SHARE_TYPE,
  'user type': numbered.USER_TYPE,
  'account status': numbered.ACCOUNT_STATUS,
  'record source': numbered.RECORD_SOURCE,
  'record type': numbered.RECORD_TYPE,
  'record plan type': numbered.RECORD_PLAN_TYPE,
  'gap reason': numbered.GAP_REASONS,
  'storage reason': numbered.STORAGE_REASONS,
  quality: numbered.QUALITY,
  'record status': numbered.RECORD_STATUS,
  'cloud combo': numbered.CLOUD_COMBO,
  'preset operate': numbered.PRESET_OPERATE,
  'window status': numbered.WINDOW_STATUS,
  language: numbered.LANGUAGE,
  'query mode': numbered.QUERY_MODE,
  'share resource': numbered.SHARE_RESOURCE,
  'share state': numbered.SHARE_STATES,
  'share link kind': numbered.SHARE_LINK_KINDS,
  'nat mode': numbered.NAT_MODE,
  permission: PERMISSIONS,
  'right of a share': SHARE_RIGHTS,
  'page of a permission': PERMISSION_PAGES,
  quota: QUOTAS,
  'way in the audit log': AUDIT_WAYS,
  'alarm type': RAISED_ALARM_TYPES,
  'alarm type that ends another': Object.fromEntries(RAISED_ALARM_TYPE_NAMES.map((type) => [type, clearedBy(type)])),
  'alarm group': ALARM_GROUPS,
  'alarm severity': ALARM_SEVERITIES,
  'end of an alarm': ALARM_END_REASONS,
  'topic of a device': TOPIC_RULES,
  'topic of virtual alarms': VIRTUAL_ALARM_TOPIC,
  'namespace of topics': topicNamespaces,
  'phase of an event': deviceEventPhases,
  'setting of a channel of alarms': Object.fromEntries(
    Object.entries(ALARM_CHANNELS).map(([kind, { fields }]) => [kind, fields]),
  ),
  'state of a delivery': DELIVERY_STATES,
  'reason of a delivery': DELIVERY_REASONS,
  'state of a consent': MAIL_CONSENT_STATES,
  'section of a configuration': configSections,
  'command of PTZ': PTZ_COMMANDS,
  'header of events': EVENT_HEADER,
  'live message': { kind: LIVE_KIND, keyFlag: LIVE_FLAG_KEY, headerBytes: LIVE_HEADER_BYTES, idMax: LIVE_ID_MAX },
  'close code of media': CLOSE_CODE,
  'close code of a site': SITE_CLOSE,
  talk: { rate: TALK_RATE, frameBytes: TALK_FRAME_BYTES },
  'protocol of sites': SITE_PROTOCOL_VERSION,
  'site beside the server': LOCAL_SITE,
  'ticket of a far site': remoteTicket('0123456789abcdef01234567', 'secret'),
  'path of media of a far site': MEDIA_TUNNEL_PATH,
  'frame of a tunnel': FRAME,
  'use of a stream in a tunnel': STREAM_USES,
  'bytes of a frame of a tunnel': hex(writeFrame('data', 258, Buffer.from('abc'))),
  'flag of a recorded fragment': RECORD_FLAG,
  'bytes of the header of an index': hex(writeIndexHeader(indexHeader)),
  'bytes of a record of an index': hex(writeIndexRecord(indexRecord, indexHeader)),
  'bytes of the header of an index of version 2': hex(writeIndexHeader(placedHeader)),
  'bytes of a record of an index of version 2': hex(writeIndexRecord(checkedRecord, placedHeader)),
  'bytes of a line of the catalog of a day': hex(
    writeCatalogEntry({ startMs: NOON, endMs: NOON + 60_000, mediaBytes: 123_456, records: 60 }),
  ),
  'bytes of the line of a removed file': hex(writeRemovedEntry(NOON)),
  'bytes of the clock of a fragment': hex(writeClockBox(NOON, 90_000)),
  'bytes of the header in a recorded file': hex(writeHeaderBox(indexHeader)),
  'bytes of a note': hex(writeNote({ kind: 'alarm', startMs: NOON, endMs: NOON + 1000 })),
  'usual port': { http: defaultPort, rtsp: defaultRtspPort },
  'listening port': Object.fromEntries(listeningPorts.map(({ name, address, port }) => [name, `${address}: ${port}`])),
};

function hex(bytes: Buffer): string {
  return bytes.toString('hex');
}
