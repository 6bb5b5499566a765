// Reads XML of devices into a small tree: strict about well-formedness, limits and DOCTYPE, lenient only about encodings and unbound prefixes.
import { SaxesParser } from 'saxes';
import { trimEndOf } from '../text/trim-end.ts';
import { decodeXmlBytes } from './xml-encoding.ts';

export type XmlErrorKind =
  | 'malformed'
  | 'doctype'
  | 'too-large'
  | 'too-deep'
  | 'too-many-elements'
  | 'too-many-attributes';

export class XmlError extends Error {
  override readonly name = 'XmlError';
  readonly kind: XmlErrorKind;

  constructor(kind: XmlErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface XmlLimits {
  /** Bytes of a Buffer or UTF-16 units of a string. */
  readonly maxSize: number;
  readonly maxDepth: number;
  readonly maxElements: number;
  /** Per element, namespace declarations included: gSOAP devices declare about 40 on the envelope. */
  readonly maxAttributes: number;
}

const defaultXmlLimits: XmlLimits = { maxSize: 4 << 20, maxDepth: 64, maxElements: 100_000, maxAttributes: 256 };

const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';
const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/';

export interface XmlAttribute {
  /** Local name; namespace declarations are not listed as attributes. */
  readonly name: string;
  readonly namespace: string;
  readonly value: string;
}

export interface QName {
  readonly namespace: string;
  readonly name: string;
}

export interface XmlElementParts {
  readonly qualifiedName: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly parent: XmlElement | null;
}

/** One element; `text` is its own character data as sent, joined, without that of its children. */
export class XmlElement {
  readonly name: string;
  readonly prefix: string;
  /** Empty when the element is in no namespace or its prefix is bound nowhere (some devices do that). */
  readonly namespace: string;
  readonly attributes: readonly XmlAttribute[];
  readonly children: XmlElement[] = [];
  readonly parent: XmlElement | null;
  text = '';
  readonly #bindings: ReadonlyMap<string, string> | null;

  constructor(parts: XmlElementParts) {
    this.parent = parts.parent;
    this.#bindings = bindingsOf(parts.attributes);
    const [prefix, name] = splitQualifiedName(parts.qualifiedName);
    this.prefix = prefix;
    this.name = name;
    this.namespace = this.resolvePrefix(prefix) ?? '';
    this.attributes = Object.entries(parts.attributes)
      .filter(([key]) => key !== 'xmlns' && !key.startsWith('xmlns:'))
      .map(([key, value]) => {
        const [attributePrefix, attributeName] = splitQualifiedName(key);
        const namespace = attributePrefix === '' ? '' : (this.resolvePrefix(attributePrefix) ?? '');
        return { name: attributeName, namespace, value };
      });
  }

  /** The namespace a prefix stands for at this element; '' asks for the default namespace. Undefined when unbound. */
  resolvePrefix(prefix: string): string | undefined {
    if (prefix === 'xml') return xmlNamespace;
    if (prefix === 'xmlns') return xmlnsNamespace;
    return this.#bindings?.get(prefix) ?? this.parent?.resolvePrefix(prefix);
  }

  /** Reads text such as `tns1:VideoSource` against the prefixes in scope here; an unbound prefix gives the namespace ''. */
  resolveQName(text: string): QName {
    const [prefix, name] = splitQualifiedName(text.trim());
    return { namespace: this.resolvePrefix(prefix) ?? '', name };
  }

  /** First child of that local name, whatever its namespace unless one is asked for. */
  child(name: string, namespace?: string): XmlElement | undefined {
    return this.children.find((c) => c.name === name && (namespace === undefined || c.namespace === namespace));
  }

  childrenNamed(name: string, namespace?: string): XmlElement[] {
    return this.children.filter((c) => c.name === name && (namespace === undefined || c.namespace === namespace));
  }

  /** First element down a path of local names. */
  path(...names: readonly string[]): XmlElement | undefined {
    const [first, ...rest] = names;
    return first === undefined ? this : this.child(first)?.path(...rest);
  }

  attribute(name: string): string | undefined {
    return this.attributes.find((a) => a.name === name)?.value;
  }
}

export function parseXml(input: string | Uint8Array, limits: Partial<XmlLimits> = {}): XmlElement {
  const bounds: XmlLimits = { ...defaultXmlLimits, ...limits };
  const size = typeof input === 'string' ? input.length : input.byteLength;
  if (size > bounds.maxSize) throw new XmlError('too-large', `document of ${size} exceeds ${bounds.maxSize}`);
  const text = stripDeclaration(typeof input === 'string' ? input : decodeXmlBytes(input));
  const builder = new TreeBuilder(bounds);
  return builder.parse(text);
}

class TreeBuilder {
  readonly #limits: XmlLimits;
  #root: XmlElement | null = null;
  #current: XmlElement | null = null;
  #depth = 0;
  #elements = 0;
  #attributes = 0;

  constructor(limits: XmlLimits) {
    this.#limits = limits;
  }

  parse(text: string): XmlElement {
    const parser = new SaxesParser({ xmlns: false, position: false });
    parser.on('error', (error) => {
      throw new XmlError('malformed', error.message);
    });
    parser.on('doctype', () => {
      throw new XmlError('doctype', 'DOCTYPE is refused');
    });
    parser.on('opentagstart', () => {
      this.#attributes = 0;
    });
    parser.on('attribute', () => {
      this.#attributes += 1;
      if (this.#attributes > this.#limits.maxAttributes) {
        throw new XmlError('too-many-attributes', `more than ${this.#limits.maxAttributes} attributes on one element`);
      }
    });
    parser.on('opentag', (tag) => this.#open(tag.name, tag.attributes));
    parser.on('closetag', () => this.#close());
    parser.on('text', (data) => this.#text(data));
    parser.on('cdata', (data) => this.#text(data));
    parser.write(text).close();
    if (this.#root === null) throw new XmlError('malformed', 'no root element');
    return this.#root;
  }

  #open(qualifiedName: string, attributes: Readonly<Record<string, string>>): void {
    this.#depth += 1;
    this.#elements += 1;
    if (this.#depth > this.#limits.maxDepth) throw new XmlError('too-deep', `deeper than ${this.#limits.maxDepth}`);
    if (this.#elements > this.#limits.maxElements) {
      throw new XmlError('too-many-elements', `more than ${this.#limits.maxElements} elements`);
    }
    const element = new XmlElement({ qualifiedName, attributes, parent: this.#current });
    this.#current?.children.push(element);
    this.#root ??= element;
    this.#current = element;
  }

  #close(): void {
    this.#depth -= 1;
    this.#current = this.#current?.parent ?? null;
  }

  #text(data: string): void {
    if (this.#current !== null) this.#current.text += data;
  }
}

/** The declaration says nothing we act on after decoding, and devices write it wrongly (typographic quotes, blank lines before it, an encoding that is not theirs). */
function stripDeclaration(text: string): string {
  const trimmed = trimEndOf(text.replace(/^[\uFEFF\s\0]+/u, ''), (unit) => unit === '\0' || unit.trim() === '');
  if (!/^<\?xml\s/u.test(trimmed)) return trimmed;
  const end = trimmed.indexOf('?>');
  if (end < 0) throw new XmlError('malformed', 'unclosed XML declaration');
  return trimmed.slice(end + 2).trimStart();
}

function splitQualifiedName(qualifiedName: string): [prefix: string, name: string] {
  const colon = qualifiedName.indexOf(':');
  return colon < 0 ? ['', qualifiedName] : [qualifiedName.slice(0, colon), qualifiedName.slice(colon + 1)];
}

function bindingsOf(attributes: Readonly<Record<string, string>>): Map<string, string> | null {
  let bindings: Map<string, string> | null = null;
  for (const [key, value] of Object.entries(attributes)) {
    const prefix = key === 'xmlns' ? '' : key.startsWith('xmlns:') ? key.slice(6) : null;
    if (prefix === null) continue;
    bindings ??= new Map();
    bindings.set(prefix, value);
  }
  return bindings;
}
