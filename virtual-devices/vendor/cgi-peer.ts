// A virtual device that speaks Dahua's CGI beside ONVIF, by published answers: tables of keys and values.

import type { VendorAnswer, VendorDevice, VendorPeer, VendorRequest } from './vendor-peer.ts';

const TEXT = 'text/plain;charset=utf-8';
const WEEK = [0, 1, 2, 3, 4, 5, 6];
const SEGMENTS = [0, 1, 2, 3, 4, 5];
const SPAN = /^[01] \d\d:\d\d:\d\d-\d\d:\d\d:\d\d$/u;

export class CgiPeer implements VendorPeer {
  private readonly device: VendorDevice;
  private readonly table = new Map<string, string>();

  constructor(device: VendorDevice) {
    this.device = device;
    for (const [at] of device.plan.channels.entries()) {
      for (const name of ['MotionDetect', 'SmartMotionDetect']) this.table.set(`${name}[${at}].Enable`, 'true');
      this.table.set(`SmartMotionDetect[${at}].ObjectTypes.Human`, 'true');
      this.table.set(`SmartMotionDetect[${at}].ObjectTypes.Vehicle`, 'true');
      this.table.set(`SmartMotionDetect[${at}].Sensitivity`, 'Middle');
      this.table.set(`VideoInOptions[${at}].Mirror`, 'false');
      this.table.set(`VideoInOptions[${at}].Flip`, 'false');
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

  takes(path: string): boolean {
    return path.startsWith('/cgi-bin/');
  }

  answer({ path, query }: VendorRequest): VendorAnswer {
    const action = query.get('action');
    if (path === '/cgi-bin/magicBox.cgi' && action === 'getDeviceType') return text(`type=${this.device.plan.model}`);
    if (path === '/cgi-bin/storageDevice.cgi' && action === 'getDeviceAllInfo') return text(this.storage());
    if (path === '/cgi-bin/storageDevice.cgi' && action === 'setDevice') return this.format(query.get('path') ?? '');
    if (path !== '/cgi-bin/configManager.cgi') return { status: 404, type: TEXT, body: 'Error\r\nNot Found' };
    if (action === 'getConfig') return this.read(query.get('name') ?? '');
    return action === 'setConfig' ? this.write(query) : { status: 400, type: TEXT, body: 'Error\r\nBad Request!' };
  }

  private read(name: string): VendorAnswer {
    const lines = [...this.table].flatMap(([key, value]) =>
      key.startsWith(`${name}[`) ? [`table.${key}=${value}`] : [],
    );
    return lines.length === 0 ? { status: 400, type: TEXT, body: 'Error\r\nBad Request!' } : text(lines.join('\r\n'));
  }

  private write(query: URLSearchParams): VendorAnswer {
    const changes = [...query].filter(([key]) => key !== 'action');
    const isGood = changes.every(
      ([key, value]) => this.table.has(key) && (!key.includes('TimeSection') || SPAN.test(value)),
    );
    if (!isGood) return text('Error');
    for (const [key, value] of changes) this.table.set(key, value);
    for (const [at] of this.device.plan.channels.entries()) {
      const of = (key: string) => this.table.get(`VideoInOptions[${at}].${key}`) === 'true';
      this.device.settingsOf(at + 1).setFlip({ mirror: of('Mirror'), upsideDown: of('Flip') });
    }
    return text('OK');
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
