// Addresses of subscriptions come back to the device as it gave them, with parameters in namespaces that we do not know.
import { expect, test } from 'vitest';
import { parseXml, type XmlElement } from '../xml/xml.ts';
import { element, serializeXml } from '../xml/xml-writer.ts';
import { addressingHeader, endpointReference } from './endpoint-reference.ts';

const WSA = 'http://www.w3.org/2005/08/addressing';
const reference = (parameters: string) =>
  parseXml(
    `<wsa:EndpointReference xmlns:wsa="${WSA}"><wsa:Address> http://10.0.0.5/sub </wsa:Address>${parameters}</wsa:EndpointReference>`,
  );

/** As a device reads our header. */
function blocksFor(source: XmlElement): XmlElement[] {
  const to = endpointReference.read(source);
  if (to === undefined) throw new Error('no reference was read');
  const header = addressingHeader({ action: 'urn:act', messageId: 'urn:uuid:1', to });
  return [...parseXml(serializeXml(element('h', { 'xmlns:wsa': WSA }, header))).children];
}

test('a reference without parameters gives the four headers alone', () => {
  const blocks = blocksFor(reference(''));
  expect(blocks.map(({ namespace, name }) => [namespace, name])).toEqual(
    ['Action', 'MessageID', 'ReplyTo', 'To'].map((name) => [WSA, name]),
  );
  expect(blocks.map(({ text }) => text)).toEqual(['urn:act', 'urn:uuid:1', '', 'http://10.0.0.5/sub']);
});

test('parameters are sent back in their namespace, with attributes, text and children, and marked', () => {
  const parameters = `<wsa:ReferenceParameters>
    <a:SubscriptionId xmlns:a="urn:maker" kind="pull">7 &amp; 8</a:SubscriptionId>
    <plain><b:inner xmlns:b="urn:other">x</b:inner></plain>
  </wsa:ReferenceParameters>`;
  const [id, plain] = blocksFor(reference(parameters)).slice(4);
  expect(id).toMatchObject({ namespace: 'urn:maker', name: 'SubscriptionId', text: '7 & 8' });
  expect(id?.attributes.map(({ namespace, name, value }) => [namespace, name, value])).toEqual(
    expect.arrayContaining([
      ['', 'kind', 'pull'],
      [WSA, 'IsReferenceParameter', 'true'],
    ]),
  );
  expect(plain).toMatchObject({ namespace: '', name: 'plain' });
  expect(plain?.children[0]).toMatchObject({ namespace: 'urn:other', name: 'inner', text: 'x' });
});

test('names that our writer cannot write are left out, with what is inside', () => {
  const parameters = '<wsa:ReferenceParameters><späh>1</späh><kept>2</kept></wsa:ReferenceParameters>';
  expect(
    blocksFor(reference(parameters))
      .slice(4)
      .map(({ name }) => name),
  ).toEqual(['kept']);
});
