// A virtual device that speaks Hikvision's ISAPI beside ONVIF, by published answers: documents that are read and put back whole.

import { parseXml, XmlError, type XmlElement } from '@vedette/protocols/xml/xml.ts';
import type { Point } from '../device/scene-rules.ts';
import type { VendorAnswer, VendorDevice, VendorPeer, VendorRequest } from './vendor-peer.ts';

const XML = 'application/xml';
const NS = 'xmlns="http://www.hikvision.com/ver20/XMLSchema" version="2.0"';
const MEGABYTE = 1024 * 1024;

export class IsapiPeer implements VendorPeer {
  private readonly device: VendorDevice;
  /** What was put, by path. */
  private readonly documents = new Map<string, string>();

  constructor(device: VendorDevice) {
    this.device = device;
  }

  takes(path: string): boolean {
    return path.startsWith('/ISAPI/');
  }

  answer({ method, path, body }: VendorRequest): VendorAnswer {
    const format = /^\/ISAPI\/ContentMgmt\/Storage\/hdd\/([^/]+)\/(format|formatStatus)$/u.exec(path);
    if (format !== null) return this.format(method, format[1] ?? '', format[2] ?? '');
    const held = this.documents.get(path) ?? this.ofDevice(path) ?? this.ofChannel(path);
    if (held === null) return status(404, 'notSupport');
    if (method === 'GET') return { status: 200, type: XML, body: declared(held) };
    if (method !== 'PUT' || path === '/ISAPI/ContentMgmt/Storage') return status(405, 'methodNotAllowed');
    return this.put(path, held, body);
  }

  private put(path: string, held: string, body: Buffer): VendorAnswer {
    let root: XmlElement;
    try {
      root = parseXml(body);
    } catch (error) {
      if (!(error instanceof XmlError)) throw error;
      return status(400, 'badXmlFormat');
    }
    // A document put back must be one of its kind, and whole.
    const before = parseXml(Buffer.from(held));
    const isWhole = before.children.every(({ name }) => root.child(name) !== undefined);
    if (root.name !== before.name || !isWhole) return status(400, 'badXmlContent');
    this.documents.set(path, body.toString('utf8').replace(/^<\?xml[^>]*\?>\s*/u, ''));
    const flip = /^\/ISAPI\/Image\/channels\/(\d+)\/imageFlip$/u.exec(path);
    if (flip !== null) this.flip(Number(flip[1]), root);
    if (path === '/ISAPI/ContentMgmt/Storage/extension')
      this.device.disks.overwrite = root.child('LoopEnable')?.text.trim() === 'true';
    const field = /^\/ISAPI\/Smart\/FieldDetection\/(\d+)$/u.exec(path);
    if (field !== null) this.device.settingsOf(Number(field[1])).setPeople(regionsOf(root));
    const trigger = /^\/ISAPI\/Event\/triggers\/fielddetection-(\d+)$/u.exec(path);
    if (trigger !== null) this.follow(Number(trigger[1]), root);
    return status(200, 'ok');
  }

  private flip(channelNo: number, root: XmlElement): void {
    const style = root.child('enabled')?.text.trim() === 'true' ? root.child('ImageFlipStyle')?.text.trim() : '';
    this.device.settingsOf(channelNo).setFlip({
      mirror: style === 'LEFTRIGHT' || style === 'UPDOWN',
      upsideDown: style === 'UPDOWN' || style === 'CENTER',
    });
  }

  private follow(channelNo: number, trigger: XmlElement): void {
    const list = trigger.child('EventTriggerNotificationList')?.childrenNamed('EventTriggerNotification') ?? [];
    const isWanted = list.some((one) => one.child('notificationMethod')?.text.trim() === 'trace');
    const canFollow = this.device.ptzOf(channelNo) !== null;
    this.device.settingsOf(channelNo).setTracking(isWanted && canFollow ? { classes: [], holdMs: 10_000 } : null);
  }

  private format(method: string, id: string, what: string): VendorAnswer {
    const { disks } = this.device;
    if (!disks.list.some((disk) => disk.id === id)) return status(404, 'notSupport');
    if (what === 'format') {
      if (method !== 'PUT') return status(405, 'methodNotAllowed');
      return disks.format(id) ? status(200, 'ok') : status(403, 'deviceBusy');
    }
    const percent = disks.percentOf();
    const body = `<formatStatus ${NS}><formating>${percent !== null}</formating><percent>${percent ?? 100}</percent></formatStatus>`;
    return { status: 200, type: XML, body: declared(body) };
  }

  private ofDevice(path: string): string | null {
    switch (path) {
      case '/ISAPI/System/deviceInfo':
        return `<DeviceInfo ${NS}><deviceName>IP CAMERA</deviceName><model>${this.device.plan.model}</model></DeviceInfo>`;
      case '/ISAPI/ContentMgmt/Storage':
        return this.storage();
      case '/ISAPI/ContentMgmt/Storage/extension':
        return `<storageExtension ${NS}><LoopEnable>${this.device.disks.overwrite}</LoopEnable></storageExtension>`;
      default:
        return null;
    }
  }

  /** Null for what the channel does not have. */
  private ofChannel(path: string): string | null {
    const channel = /(?:^|\D)(\d+)$|channels\/(\d+)\//u.exec(path);
    const no = Number(channel?.[1] ?? channel?.[2] ?? 0);
    if (no < 1 || no > this.device.plan.channels.length) return null;
    const pattern = path.replace(/(^|\D)\d+$/u, '$1#').replace(/channels\/\d+\//u, 'channels/#/');
    if (pattern === PTZ_CAPABILITIES && this.device.ptzOf(no) === null) return null;
    return channelDocuments.get(pattern)?.(no) ?? null;
  }

  private storage(): string {
    const { disks } = this.device;
    const isFormatting = disks.percentOf() !== null;
    const list = disks.list.map(({ id, name, kind, totalBytes, usedBytes, state }) => {
      const free = Math.round((totalBytes - usedBytes) / MEGABYTE);
      const word = isFormatting
        ? 'formatting'
        : { ok: 'ok', unformatted: 'unformatted', error: 'error', missing: 'notexist' }[state];
      return `<hdd><id>${id}</id><hddName>${name}</hddName><hddPath></hddPath><hddType>${kind === 'card' ? 'SD' : 'SATA'}</hddType><status>${word}</status><capacity>${Math.round(totalBytes / MEGABYTE)}</capacity><freeSpace>${free}</freeSpace><property>RW</property></hdd>`;
    });
    return `<storage ${NS}><hddList size="${list.length}">${list.join('')}</hddList><nasList size="0"></nasList></storage>`;
  }
}

const PTZ_CAPABILITIES = '/ISAPI/PTZCtrl/channels/#/capabilities';
/** What a channel has, by path with `#` for its number. */
const channelDocuments: ReadonlyMap<string, (no: number) => string> = new Map([
  ['/ISAPI/System/TwoWayAudio/channels/#', twoWayAudio],
  [
    '/ISAPI/Image/channels/#/imageFlip',
    () => `<ImageFlip ${NS}><enabled>false</enabled><ImageFlipStyle>LEFTRIGHT</ImageFlipStyle></ImageFlip>`,
  ],
  ['/ISAPI/Event/schedules/motionDetections/VMD_video#', (no) => schedule(`VMD_video${no}`, 'VMD', no)],
  [
    '/ISAPI/Event/schedules/fieldDetections/fielddetection-#',
    (no) => schedule(`fielddetection-${no}`, 'fielddetection', no),
  ],
  ['/ISAPI/Event/triggers/VMD-#', (no) => trigger(`VMD-${no}`, 'VMD', no)],
  ['/ISAPI/Event/triggers/fielddetection-#', (no) => trigger(`fielddetection-${no}`, 'fielddetection', no)],
  [PTZ_CAPABILITIES, () => `<PTZChanelCap ${NS}><maxPresetNum>300</maxPresetNum></PTZChanelCap>`],
  ['/ISAPI/Smart/FieldDetection/#', fieldDetection],
]);

/** Their grid begins at the bottom left. */
function regionsOf(root: XmlElement): Point[][] {
  if (root.child('enabled')?.text.trim() !== 'true') return [];
  const regions = root.child('FieldDetectionRegionList')?.childrenNamed('FieldDetectionRegion') ?? [];
  return regions
    .filter((region) => region.child('enabled')?.text.trim() === 'true')
    .map((region) => region.child('RegionCoordinatesList')?.childrenNamed('RegionCoordinates') ?? [])
    .filter((corners) => corners.length >= 3)
    .map((corners) =>
      corners.map((corner) => ({
        x: Number(corner.child('positionX')?.text) / 1000,
        y: 1 - Number(corner.child('positionY')?.text) / 1000,
      })),
    );
}

function twoWayAudio(no: number): string {
  return `<TwoWayAudioChannel ${NS}><id>${no}</id><enabled>true</enabled><audioCompressionType>G.711alaw</audioCompressionType><audioInputType>MicIn</audioInputType><speakerVolume>50</speakerVolume><microphoneVolume>60</microphoneVolume><noisereduce>true</noisereduce></TwoWayAudioChannel>`;
}

function schedule(id: string, type: string, no: number): string {
  const blocks = [1, 2, 3, 4, 5, 6, 7].map(
    (day) =>
      `<TimeBlock><dayOfWeek>${day}</dayOfWeek><TimeRange><beginTime>00:00:00</beginTime><endTime>24:00:00</endTime></TimeRange></TimeBlock>`,
  );
  return `<Schedule ${NS}><id>${id}</id><eventType>${type}</eventType><videoInputChannelID>${no}</videoInputChannelID><TimeBlockList size="8">${blocks.join('')}</TimeBlockList><HolidayBlockList size="8"></HolidayBlockList></Schedule>`;
}

function trigger(id: string, type: string, no: number): string {
  const methods = ['center', 'record', 'LightAudioAlarm'].map(
    (method) =>
      `<EventTriggerNotification><id>${method}</id><notificationMethod>${method}</notificationMethod><notificationRecurrence>beginning</notificationRecurrence></EventTriggerNotification>`,
  );
  return `<EventTrigger ${NS}><id>${id}</id><eventType>${type}</eventType><eventDescription>${type} Event trigger Information</eventDescription><videoInputChannelID>${no}</videoInputChannelID><EventTriggerNotificationList>${methods.join('')}</EventTriggerNotificationList></EventTrigger>`;
}

function fieldDetection(no: number): string {
  const regions = [1, 2, 3, 4].map((id) => {
    const corners =
      id === 1
        ? [
            [100, 100],
            [900, 100],
            [900, 900],
            [100, 900],
          ]
        : [];
    const drawn = corners.map(
      ([x, y]) => `<RegionCoordinates><positionX>${x}</positionX><positionY>${y}</positionY></RegionCoordinates>`,
    );
    return `<FieldDetectionRegion><id>${id}</id><enabled>${id === 1}</enabled><sensitivityLevel>50</sensitivityLevel><timeThreshold>0</timeThreshold><detectionTarget>human,vehicle</detectionTarget><RegionCoordinatesList>${drawn.join('')}</RegionCoordinatesList></FieldDetectionRegion>`;
  });
  return `<FieldDetection ${NS}><id>${no}</id><enabled>false</enabled><normalizedScreenSize><normalizedScreenWidth>1000</normalizedScreenWidth><normalizedScreenHeight>1000</normalizedScreenHeight></normalizedScreenSize><FieldDetectionRegionList size="4">${regions.join('')}</FieldDetectionRegionList></FieldDetection>`;
}

function status(code: number, word: string): VendorAnswer {
  const body = `<ResponseStatus ${NS}><statusCode>${code === 200 ? 1 : 4}</statusCode><statusString>${code === 200 ? 'OK' : 'Invalid Operation'}</statusString><subStatusCode>${word}</subStatusCode></ResponseStatus>`;
  return { status: code, type: XML, body: declared(body) };
}

function declared(body: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${body}`;
}
