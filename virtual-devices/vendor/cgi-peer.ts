// A virtual device that speaks Dahua's CGI beside ONVIF, by published answers: tables of keys and values.

import type { ObjectClass } from '../device/scene-rules.ts';
import type { VendorAnswer, VendorDevice, VendorPeer, VendorRequest } from './vendor-peer.ts';

const TEXT = 'text/plain;charset=utf-8';
const BAD_REQUEST: VendorAnswer = { status: 400, type: TEXT, body: 'Error\r\nBad Request!' };
const NOT_FOUND: VendorAnswer = { status: 404, type: TEXT, body: 'Error\r\nNot Found' };
const WEEK = [0, 1, 2, 3, 4, 5, 6];
const SEGMENTS = [0, 1, 2, 3, 4, 5];
const REGION = [
  [0, 0],
  [8191, 0],
  [8191, 8191],
  [0, 8191],
];
/** A region may get more corners than it had. */
const CORNER = /^VideoAnalyseRule\[\d+\]\[0\]\.Config\.DetectRegion\[\d\]\[[01]\]$/u;
const OVERWRITE = 'StorageGroup[0].OverWrite';
const SPAN = /^[01] \d\d:\d\d:\d\d-\d\d:\d\d:\d\d$/u;

export class CgiPeer implements VendorPeer {
  private readonly device: VendorDevice;
  private readonly table = new Map<string, string>();

  constructor(device: VendorDevice) {
    this.device = device;
    this.table.set('StorageGroup[0].Name', 'ReadWrite');
    this.table.set(OVERWRITE, String(device.disks.overwrite));
    for (const [at] of device.plan.channels.entries()) {
      for (const name of ['MotionDetect', 'SmartMotionDetect']) this.table.set(`${name}[${at}].Enable`, 'true');
      this.table.set(`SmartMotionDetect[${at}].ObjectTypes.Human`, 'true');
      this.table.set(`SmartMotionDetect[${at}].ObjectTypes.Vehicle`, 'true');
      this.table.set(`SmartMotionDetect[${at}].Sensitivity`, 'Middle');
      this.table.set(`VideoInOptions[${at}].Mirror`, 'false');
      this.table.set(`VideoInOptions[${at}].Flip`, 'false');
      this.addRule(at);
      const handler = `MotionDetect[${at}].EventHandler`;
      for (const [key, value] of Object.entries({
        RecordEnable: 'true',
        MailEnable: 'false',
        SnapshotEnable: 'false',
        AlarmOutEnable: 'false',
        BeepEnable: 'false',
      }))
        this.table.set(`${handler}.${key}`, value);
      for (const day of WEEK)
        for (const segment of SEGMENTS)
          this.table.set(`${handler}.TimeSection[${day}][${segment}]`, `${segment === 0 ? 1 : 0} 00:00:00-23:59:59`);
    }
  }

  /** A region that covers all of the picture; where there is a head, it can follow. */
  private addRule(at: number): void {
    const rule = `VideoAnalyseRule[${at}][0]`;
    const hasHead = this.device.ptzOf(at + 1) !== null;
    for (const [key, value] of Object.entries({
      Type: 'CrossRegionDetection',
      Name: 'IVS-1',
      Enable: 'true',
      'ObjectTypes[0]': 'Human',
      ...(hasHead ? { TrackEnable: 'false', TrackDuration: '30' } : {}),
    }))
      this.table.set(`${rule}.${key}`, value);
    for (const [corner, place] of REGION.entries())
      for (const [axis, value] of place.entries())
        this.table.set(`${rule}.Config.DetectRegion[${corner}][${axis}]`, String(value));
  }

  takes(path: string): boolean {
    return path.startsWith('/cgi-bin/');
  }

  answer({ path, query }: VendorRequest): VendorAnswer {
    switch (`${path}?action=${query.get('action')}`) {
      case '/cgi-bin/magicBox.cgi?action=getDeviceType':
        return text(`type=${this.device.plan.model}`);
      case '/cgi-bin/storageDevice.cgi?action=getDeviceAllInfo':
        return text(this.storage());
      case '/cgi-bin/storageDevice.cgi?action=setDevice':
        return this.format(query.get('path') ?? '');
      case '/cgi-bin/configManager.cgi?action=getConfig':
        return this.read(query.get('name') ?? '');
      case '/cgi-bin/configManager.cgi?action=setConfig':
        return this.write(query);
      default:
        return path === '/cgi-bin/configManager.cgi' ? BAD_REQUEST : NOT_FOUND;
    }
  }

  private read(name: string): VendorAnswer {
    const lines = [...this.table].flatMap(([key, value]) =>
      key.startsWith(`${name}[`) ? [`table.${key}=${value}`] : [],
    );
    return lines.length === 0 ? BAD_REQUEST : text(lines.join('\r\n'));
  }

  private write(query: URLSearchParams): VendorAnswer {
    const changes = [...query].filter(([key]) => key !== 'action');
    const isGood = changes.every(
      ([key, value]) => (this.table.has(key) || CORNER.test(key)) && (!key.includes('TimeSection') || SPAN.test(value)),
    );
    if (!isGood) return text('Error');
    for (const [key, value] of changes) this.table.set(key, value);
    this.device.disks.overwrite = this.table.get(OVERWRITE) === 'true';
    for (const [at] of this.device.plan.channels.entries()) {
      const of = (key: string) => this.table.get(`VideoInOptions[${at}].${key}`) === 'true';
      this.device.settingsOf(at + 1).setFlip({ mirror: of('Mirror'), upsideDown: of('Flip') });
      this.follow(at);
    }
    return text('OK');
  }

  private follow(at: number): void {
    const of = (key: string) => this.table.get(`VideoAnalyseRule[${at}][0].${key}`);
    const corner = (index: number, axis: number) => Number(of(`Config.DetectRegion[${index}][${axis}]`)) / 8191;
    const region = Array.from({ length: 10 }, (_, index) => ({ x: corner(index, 0), y: corner(index, 1) })).filter(
      ({ x, y }) => Number.isFinite(x) && Number.isFinite(y),
    );
    this.device.settingsOf(at + 1).setPeople(of('Enable') === 'true' ? [region] : []);
    if (this.device.ptzOf(at + 1) === null) return;
    const isOn = of('Enable') === 'true' && of('TrackEnable') === 'true';
    const classes: ObjectClass[] = of('ObjectTypes[0]') === 'Vehicle' ? ['Vehicle'] : ['Human'];
    const holdMs = Number(of('TrackDuration')) * 1000;
    this.device.settingsOf(at + 1).setTracking(isOn ? { classes, holdMs } : null);
  }

  private storage(): string {
    return this.device.disks.list
      .flatMap(({ id, totalBytes, usedBytes, state }, at) => {
        const prefix = `list.info[${at}]`;
        const detail = `${prefix}.Detail[0]`;
        return [
          `${detail}.IsError=${state === 'error'}`,
          `${detail}.Path=/mnt/sd${id === '1' ? '' : id}`,
          `${detail}.TotalBytes=${totalBytes}.0`,
          `${detail}.Type=ReadWrite`,
          `${detail}.UsedBytes=${usedBytes}.0`,
          `${prefix}.Name=/dev/mmc${at}`,
          `${prefix}.State=${state === 'ok' ? 'Success' : 'Error'}`,
        ];
      })
      .join('\r\n');
  }

  private format(path: string): VendorAnswer {
    const id = path.replace('/mnt/sd', '') || '1';
    return text(this.device.disks.format(id) ? 'OK' : 'Error');
  }
}

function text(body: string): VendorAnswer {
  return { status: 200, type: TEXT, body: `${body}\r\n` };
}
