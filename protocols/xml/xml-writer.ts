// Builds and serialises XML; every text and attribute value is escaped here and nowhere else.

/** An element to be written; `name` and attribute names are qualified names (`tt:Name`) and never come from users. */
export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlNode | string)[];
}

export type XmlContent = XmlNode | string | undefined;

/** Undefined attributes and children are left out, so that optional parts can be written in place. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: readonly (XmlContent | readonly XmlContent[])[]
): XmlNode {
  const kept: Record<string, string> = {};
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) kept[key] = value;
  const flat = children.flat().filter((child) => child !== undefined);
  return { name, attributes: kept, children: flat };
}

/** Safe in text and in double-quoted attributes; characters XML 1.0 cannot carry become U+FFFD. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"'\t\n\r]/gu, (character) => escapes[character] ?? character);
}

// Whitespace other than the blank is written as references, since attribute and line-end normalisation would change it.
const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

export function serializeXml(node: XmlNode): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${serializeElement(node)}`;
}

function serializeElement(node: XmlNode): string {
  checkName(node.name);
  let open = `<${node.name}`;
  for (const [name, value] of Object.entries(node.attributes)) {
    checkName(name);
    open += ` ${name}="${escapeXml(value)}"`;
  }
  if (node.children.length === 0) return `${open}/>`;
  const inner = node.children.map((child) => (typeof child === 'string' ? escapeXml(child) : serializeElement(child)));
  return `${open}>${inner.join('')}</${node.name}>`;
}

function checkName(name: string): void {
  if (!/^[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?$/u.test(name)) throw new TypeError(`not an XML name: ${name}`);
}
