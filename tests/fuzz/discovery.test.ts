// Fuzzes network input during discovery, and CSV files.
import { readDiscovery, writeHello, writeProbe, writeProbeMatches } from '@vedette/protocols/ws-discovery/messages.ts';
import { ImportFileError, readImportRows } from '@vedette/rules/onboarding/import-rows.ts';
import { it } from 'vitest';
import { fuzz } from './engine/fuzz.ts';

const device = {
  endpoint: 'urn:uuid:1419d68a-1dd2-11b2-a105-000000000001',
  scopes: ['onvif://www.onvif.org/name/Gate', 'onvif://www.onvif.org/hardware/C2'],
  xAddrs: ['http://192.0.2.9/onvif/device_service'],
};

it('[SE-68] [SE-78] [SE-82] datagrams of WS-Discovery', async () => {
  await fuzz({
    name: 'discovery',
    seeds: [
      writeProbe({ messageId: 'urn:uuid:1', type: 'tds:Device' }),
      writeProbeMatches({ messageId: 'urn:uuid:2', relatesTo: 'urn:uuid:1', device }),
      writeHello('urn:uuid:3', device),
    ].map((text) => Buffer.from(text)),
    words: ['<', '>', '&', '<!DOCTYPE a [', '<!ENTITY', '<![CDATA[', 'xmlns:d="b"', '__proto__', '\ufeff', ' '],
    outputMax: (bytes) => 12 * bytes + 2000,
    run: (input) => JSON.stringify(readDiscovery(input) ?? '').length,
  });
});

it('[SE-94] [SE-82] CSV files with devices', async () => {
  await fuzz({
    name: 'device-csv',
    seeds: [
      'serial,name,type,address,port,user,password,path,organization\r\nA1,"Gate ""1""",camera,192.0.2.1,80,a,b,,C/D\r\n',
      '\uFEFFname;address\n正门;rtsp://a:b@192.0.2.1/x\n',
      'address\thttp\n',
    ].map((text) => Buffer.from(text)),
    words: ['"', ',', ';', '\r\n', '\n', '\t', "'=", '""', 'rtsp://', 'address', '\u0000', '99999'],
    allowed: [ImportFileError],
    outputMax: (bytes) => 12 * bytes + 2000,
    run: (input) => JSON.stringify(readImportRows(input.toString('utf8')).map(({ problems }) => problems)).length,
  });
});
