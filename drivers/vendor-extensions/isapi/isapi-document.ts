// Documents of Hikvision's ISAPI: read as they come, and written back whole with only what was meant to change.
import { parseXml, XmlError, type XmlElement } from '@vedette/protocols/xml/xml.ts';
import { element, serializeXml, type XmlNode } from '@vedette/protocols/xml/xml-writer.ts';
import { DeviceFault } from '../../kit/device-fault.ts';

/** What becomes of an element: other characters, or other children. */
export type Edit = string | readonly XmlNode[];

export class IsapiDocument {
  readonly root: XmlElement;

  constructor(body: Buffer) {
    try {
      this.root = parseXml(body);
    } catch (error) {
      if (!(error instanceof XmlError)) throw error;
      throw new DeviceFault('device', 'the answer is no XML', { fault: 'bad XML', cause: error });
    }
  }

  /** `a/b`: the first of each; undefined where one is missing. */
  at(path: string, from: XmlElement = this.root): XmlElement | undefined {
    return path.split('/').reduce<XmlElement | undefined>((found, name) => found?.child(name), from);
  }

  text(path: string, from?: XmlElement): string | undefined {
    return this.at(path, from)?.text.trim();
  }

  number(path: string, from?: XmlElement): number | undefined {
    const text = this.text(path, from);
    const value = text === undefined || text === '' ? Number.NaN : Number(text);
    return Number.isFinite(value) ? value : undefined;
  }

  flag(path: string, from?: XmlElement): boolean | undefined {
    const text = this.text(path, from);
    return text === 'true' ? true : text === 'false' ? false : undefined;
  }

  all(path: string, from: XmlElement = this.root): readonly XmlElement[] {
    const steps = path.split('/');
    const last = steps.pop() ?? '';
    const holder = steps.length === 0 ? from : this.at(steps.join('/'), from);
    return holder?.childrenNamed(last) ?? [];
  }

  /** The whole document with these elements changed. */
  edited(edits: ReadonlyMap<XmlElement, Edit>): string {
    const { namespace } = this.root;
    const written = nodeOf(this.root, edits);
    const attributes = namespace === '' ? written.attributes : { xmlns: namespace, ...written.attributes };
    return serializeXml({ ...written, attributes });
  }
}

function nodeOf(source: XmlElement, edits: ReadonlyMap<XmlElement, Edit>): XmlNode {
  const edit = edits.get(source);
  const attributes = Object.fromEntries(source.attributes.map(({ name, value }) => [name, value]));
  if (typeof edit === 'string') return element(source.name, attributes, edit);
  if (edit !== undefined) return element(source.name, attributes, edit);
  if (source.children.length === 0) return element(source.name, attributes, source.text.trim());
  return element(
    source.name,
    attributes,
    source.children.map((child) => nodeOf(child, edits)),
  );
}
