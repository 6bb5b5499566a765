// Tests of SOAP envelopes, faults and the UsernameToken; the quirks are those met on real devices.
import { describe, expect, test } from 'vitest';
import { element } from '../xml/xml-writer.ts';
import { SoapError, faultNode, readEnvelope, soapNamespace, writeEnvelope } from './envelope.ts';
import { readMtom, writeMtom } from './mtom.ts';
import { isUsernameTokenValid, readUsernameToken, securityPrefixes, usernameTokenHeader } from './ws-security.ts';

const ter = 'http://www.onvif.org/ver10/error';
const prefixes = { ter, tds: 'urn:tds', tt: 'urn:tt', ...securityPrefixes };

describe('envelope', () => {
  test('is read back and declares only the prefixes in use, in text too', () => {
    const xml = writeEnvelope({ body: element('tds:Do', {}, element('tds:Aux', {}, 'tt:Wiper|On')), prefixes });
    expect(xml).toContain('xmlns:tt="urn:tt"');
    expect(xml).not.toContain('xmlns:ter');
    const { header, body, fault } = readEnvelope(xml);
    expect([header, body?.name, body?.namespace, fault]).toEqual([null, 'Do', 'urn:tds', null]);
  });

  test('an empty body has no element', () => {
    expect(readEnvelope(writeEnvelope({ body: undefined, prefixes })).body).toBeNull();
  });

  test('XML that is no envelope is refused with SoapError', () => {
    expect(() => readEnvelope('<html><body/></html>')).toThrow(SoapError);
    expect(() => readEnvelope('<Envelope/>')).toThrow(SoapError);
  });
});

describe('fault', () => {
  test('keeps code, subcode chain, reason and detail', () => {
    const body = faultNode({
      code: 'Sender',
      subcodes: ['ter:InvalidArgVal', 'ter:NoProfile'],
      reason: 'The <profile> does not exist',
      detail: 'No token',
    });
    expect(readEnvelope(writeEnvelope({ body, prefixes })).fault).toEqual({
      code: 'Sender',
      subcodes: [
        { namespace: ter, name: 'InvalidArgVal' },
        { namespace: ter, name: 'NoProfile' },
      ],
      reason: 'The <profile> does not exist',
      detail: 'No token',
    });
  });

  test('is read with foreign prefixes and without any subcode', () => {
    const xml = `<x:Envelope xmlns:x="${soapNamespace}" xmlns:e="${ter}"><x:Body><x:Fault><x:Code><x:Value> x:Sender
      </x:Value><x:Subcode><x:Value>e:NotAuthorized</x:Value></x:Subcode></x:Code></x:Fault></x:Body></x:Envelope>`;
    const expected = { code: 'Sender', subcodes: [{ namespace: ter, name: 'NotAuthorized' }], reason: '', detail: '' };
    expect(readEnvelope(xml).fault).toEqual(expected);
    expect(readEnvelope('<Envelope><Body><Fault/></Body></Envelope>').fault?.code).toBe('');
  });

  test('is read where its prefix is bound nowhere, its quotes are those of print and its codes are sentences', () => {
    const code =
      '<E:Code><E:Value> odd code </E:Value><E:Subcode><E:Value> ter:not allowed </E:Value></E:Subcode></E:Code>';
    const reason = '<E:Reason><E:Text xml:lang="en"> no reason </E:Text></E:Reason>';
    const xml = `<?xml version=”1.0” ?><E:Envelope xmlns:e="${soapNamespace}" xmlns:ter="${ter}"><E:Body><E:Fault>${code}${reason}
      </E:Fault></E:Body></E:Envelope>`;
    expect(readEnvelope(xml).fault).toMatchObject({
      subcodes: [{ namespace: ter, name: 'not allowed' }],
      reason: 'no reason',
    });
  });

  test('of SOAP 1.1 is read', () => {
    const xml =
      '<Envelope><Body><Fault><faultcode>s:Client</faultcode><faultstring>no</faultstring></Fault></Body></Envelope>';
    expect(readEnvelope(xml).fault).toEqual({ code: 'Client', subcodes: [], reason: 'no', detail: '' });
  });
});

describe('UsernameToken', () => {
  const input = {
    user: 'user',
    password: 'userpassword',
    createdMs: Date.parse('2010-09-16T07:50:45.000Z'),
    nonce: Buffer.from('LKqI6G/AikKCQrN0zqZFlg==', 'base64'),
  };

  test('has the digest of SHA-1 over nonce, created and password', () => {
    const xml = writeEnvelope({ header: [usernameTokenHeader(input)], body: undefined, prefixes });
    expect(xml).not.toContain('userpassword');
    const token = readUsernameToken(readEnvelope(xml).header);
    expect(token?.created).toBe('2010-09-16T07:50:45.000Z');
    if (token === null) throw new Error('no token');
    const check = { user: 'user', password: 'userpassword', nowMs: input.createdMs + 4000, toleranceMs: 5000 };
    expect(isUsernameTokenValid(token, check)).toBe(true);
    expect(isUsernameTokenValid(token, { ...check, password: 'x' })).toBe(false);
    expect(isUsernameTokenValid(token, { ...check, user: 'x' })).toBe(false);
    expect(isUsernameTokenValid(token, { ...check, nowMs: input.createdMs - 6000 })).toBe(false);
    expect(isUsernameTokenValid({ ...token, created: 'nonsense' }, check)).toBe(false);
  });

  test('gives the digest printed in the ONVIF programmer guide', () => {
    // Section 6.1.1.3 of the guide: nonce, date 2010-09-16T07:50:45Z, password userpassword.
    const token = {
      user: 'user',
      nonce: input.nonce,
      created: '2010-09-16T07:50:45Z',
      digest: Buffer.from('tuOSpGlFlIXsozq4HFNeeGeFLEI=', 'base64'),
    };
    expect(
      isUsernameTokenValid(token, { user: 'user', password: 'userpassword', nowMs: input.createdMs, toleranceMs: 0 }),
    ).toBe(true);
  });

  test('of plain text or absent counts as none', () => {
    const header = element(
      'wsse:Security',
      {},
      element('wsse:UsernameToken', {}, element('wsse:Username', {}, 'u'), element('wsse:Password', {}, 'p')),
    );
    expect(
      readUsernameToken(readEnvelope(writeEnvelope({ header: [header], body: undefined, prefixes })).header),
    ).toBeNull();
    expect(readUsernameToken(null)).toBeNull();
  });
});

describe('MTOM package', () => {
  const parts = { envelope: '<e/>', action: 'urn:do', boundary: 'b1', contentId: 'file@x' };

  test('is written as RFC 2387 and XOP have it', () => {
    const { contentType, head, tail } = writeMtom(parts);
    expect(contentType).toBe(
      'multipart/related; type="application/xop+xml"; start="<envelope@b1>"; start-info="application/soap+xml"; action="urn:do"; boundary="b1"',
    );
    expect(`${head}…${tail}`.split('\r\n')).toEqual([
      '--b1',
      'Content-Type: application/xop+xml; charset=utf-8; type="application/soap+xml"',
      'Content-Transfer-Encoding: binary',
      'Content-ID: <envelope@b1>',
      '',
      '<e/>',
      '--b1',
      'Content-Type: application/octet-stream',
      'Content-Transfer-Encoding: binary',
      'Content-ID: <file@x>',
      '',
      '…',
      '--b1--',
      '',
    ]);
  });

  test('is read back byte for byte, whatever the bytes are', () => {
    const data = Buffer.from([0, 13, 10, 45, 45, 98, 50, 13, 10, 255]);
    const { contentType, head, tail } = writeMtom(parts);
    const read = readMtom(contentType, Buffer.concat([head, data, tail]));
    expect(read?.envelope.toString()).toBe('<e/>');
    expect(read?.attached.get('file@x')).toEqual(data);
  });

  test('as others write it: no quotes, no start, parts in another case', () => {
    const body = Buffer.from(
      'preamble\r\n--x\r\ncontent-type: text/xml\r\n\r\n<e/>\r\n--x\r\nCONTENT-ID: <a>\r\n\r\n12\r\n--x--',
    );
    const read = readMtom('Multipart/Related; boundary=x; type=text/xml', body);
    expect([read?.envelope.toString(), read?.attached.get('a')?.toString()]).toEqual(['<e/>', '12']);
  });

  test.each([
    '',
    '--b1',
    '--b1\r\n\r\n<e/>',
    '--b1\r\n\r\n<e/>\r\n--b1\r\nContent-ID: <a>\r\n\r\nhalf',
  ])('%j is none', (body) => {
    expect(readMtom('multipart/related; boundary="b1"', Buffer.from(body))).toBeNull();
  });
});
