// Tests of WS-Discovery messages: what we write is read back, what cameras send is understood, what nobody should send is dropped.
import { describe, expect, it } from 'vitest';
import { answersTo, readDiscovery, writeBye, writeHello, writeProbe, writeProbeMatches } from './messages.ts';

const device = {
  endpoint: 'urn:uuid:1419d68a-1dd2-11b2-a105-000000000001',
  scopes: ['onvif://www.onvif.org/name/Gate%20<1>&', 'onvif://www.onvif.org/hardware/C2'],
  xAddrs: ['http://192.0.2.9/onvif/device_service', 'http://[2001:db8::9]/onvif/device_service'],
};

describe('[DM-01] WS-Discovery', () => {
  it.each([
    'dn:NetworkVideoTransmitter',
    'tds:Device',
  ] as const)('probes for %s in the form that devices expect', (type) => {
    const read = readDiscovery(Buffer.from(writeProbe({ messageId: 'urn:uuid:1', type })));
    expect(read).toMatchObject({ kind: 'probe', messageId: 'urn:uuid:1' });
    expect(read?.kind === 'probe' && answersTo(read.types)).toBe(true);
    expect(read?.kind === 'probe' && read.types[0]?.name).toBe(type.split(':')[1]);
  });

  it('reads back what a device announces', () => {
    const relatesTo = 'urn:uuid:1';
    const read = readDiscovery(Buffer.from(writeProbeMatches({ messageId: 'urn:uuid:2', relatesTo, device })));
    expect(read).toMatchObject({ kind: 'matches', relatesTo, devices: [device] });
    expect(readDiscovery(Buffer.from(writeHello('urn:uuid:3', device)))).toMatchObject({ kind: 'hello', device });
    const bye = readDiscovery(Buffer.from(writeBye('urn:uuid:4', device)));
    expect(bye).toMatchObject({ kind: 'bye', device: { endpoint: device.endpoint } });
  });

  it('understands foreign prefixes, several matches, and lines broken at will', () => {
    const text = `<?xml version="1.0" encoding="utf-8"?>
<E:Envelope xmlns:E="http://www.w3.org/2003/05/soap-envelope" xmlns:a="http://schemas.xmlsoap.org/ws/2004/08/addressing"
 xmlns:w="http://schemas.xmlsoap.org/ws/2005/04/discovery" xmlns:n="http://www.onvif.org/ver10/network/wsdl"><E:Header>
<a:RelatesTo> uuid:7 </a:RelatesTo></E:Header><E:Body><w:ProbeMatches>
<w:ProbeMatch><a:EndpointReference><a:Address>uuid:A</a:Address></a:EndpointReference><w:Types>n:NetworkVideoTransmitter</w:Types>
<w:Scopes>onvif://www.onvif.org/type/ptz
 onvif://www.onvif.org/name/A</w:Scopes><w:XAddrs>http://192.0.2.1/x  http://192.0.2.2/x</w:XAddrs></w:ProbeMatch>
<w:ProbeMatch><a:EndpointReference><a:Address/></a:EndpointReference></w:ProbeMatch>
</w:ProbeMatches></E:Body></E:Envelope>`;
    expect(readDiscovery(Buffer.from(text))).toEqual({
      kind: 'matches',
      relatesTo: 'uuid:7',
      devices: [
        {
          endpoint: 'uuid:A',
          types: [{ namespace: 'http://www.onvif.org/ver10/network/wsdl', name: 'NetworkVideoTransmitter' }],
          scopes: ['onvif://www.onvif.org/type/ptz', 'onvif://www.onvif.org/name/A'],
          xAddrs: ['http://192.0.2.1/x', 'http://192.0.2.2/x'],
        },
      ],
    });
  });

  it('ignores Probes for printers', () => {
    const types = [{ namespace: 'http://schemas.microsoft.com/windows/2006/08/wdp/print', name: 'PrintDeviceType' }];
    expect(answersTo(types)).toBe(false);
    expect(answersTo([])).toBe(true);
  });

  it.each([
    '',
    'not xml',
    '<a/>',
    '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
    '\u0000\u0001',
    writeProbe({ messageId: 'urn:uuid:1', type: 'tds:Device' }).slice(0, -20),
  ])('[SE-78] drops %j', (text) => expect(readDiscovery(Buffer.from(text))).toBeNull());

  it('[SE-68] bounds what one message can bring', () => {
    const many = {
      ...device,
      scopes: Array.from({ length: 300 }, (_, index) => `onvif://${index}`.padEnd(4000, 'x')),
    };
    const hello = readDiscovery(Buffer.from(writeHello('urn:uuid:1', many)));
    const scopes = hello?.kind === 'hello' ? hello.device.scopes : [];
    expect(scopes).toHaveLength(128);
    expect(Math.max(...scopes.map((scope) => scope.length))).toBe(1024);
  });
});
