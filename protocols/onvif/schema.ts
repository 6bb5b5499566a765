// Combinators that describe the content of an XML element once and give its TypeScript type, its reader and its writer.
import type { QName, XmlElement } from '../xml/xml.ts';
import { type XmlNode, element } from '../xml/xml-writer.ts';
import { onvifPrefixes } from './namespaces.ts';

/** A device's answer that is XML but not what the schema asks for; `path` names the place. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
  readonly path: string;

  constructor(path: string, problem: string) {
    super(`${path}: ${problem}`);
    this.path = path;
  }
}

/** Content of one element. `read` gives undefined for content that is none of T (a word where a number belongs). */
export interface ContentSchema<T> {
  readonly read: (source: XmlElement) => T | undefined;
  readonly write: (name: string, value: T) => XmlNode;
}

/** A value written as characters; serves elements and attributes. Nothing is guessed: "1", "01" and "true" stay text unless the schema says otherwise. */
export interface TextSchema<T> extends ContentSchema<T> {
  readonly parse: (text: string) => T | undefined;
  readonly format: (value: T) => string;
}

function textSchema<T>(parse: (text: string) => T | undefined, format: (value: T) => string): TextSchema<T> {
  return {
    parse,
    format,
    read: (source) => parse(source.text),
    write: (name, value) => element(name, {}, format(value)),
  };
}

/** Text as sent, for names. */
export const text = textSchema<string>((sent) => sent, String);
/** Text without surrounding white space, for tokens, URIs and words of an enumeration. */
export const token = textSchema<string>((sent) => sent.trim(), String);
export const integer = textSchema<number>(
  (sent) => (/^\s*[+-]?\d{1,15}(\.0*)?\s*$/u.test(sent) ? Number.parseInt(sent, 10) : undefined),
  String,
);
export const decimal = textSchema<number>(
  (sent) => (/^\s*[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/iu.test(sent) ? Number(sent) : undefined),
  String,
);
export const boolean = textSchema<boolean>((sent) => {
  const word = sent.trim().toLowerCase();
  return word === 'true' || word === '1' ? true : word === 'false' || word === '0' ? false : undefined;
}, String);
/** Milliseconds since 1970 UTC; a time without zone counts as UTC (ONVIF Core 5.12.7 asks for UTC). */
export const dateTime = textSchema<number>(
  (sent) => {
    const word = sent.trim();
    const ms = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/iu.test(word) ? word : `${word}Z`);
    return Number.isNaN(ms) ? undefined : ms;
  },
  (ms) => new Date(ms).toISOString(),
);

/** A concrete topic expression with its prefixes resolved: vendors rebind prefixes, so its text alone means nothing. */
export const topic: ContentSchema<readonly QName[]> = {
  read: (source) => {
    let namespace = '';
    return source.text
      .trim()
      .split('/')
      .map((step) => {
        // A step without prefix belongs to the namespace of the step before it; some devices forget to bind `tns1`.
        if (step.includes(':')) {
          namespace = source.resolveQName(step).namespace || (onvifPrefixes[step.slice(0, step.indexOf(':'))] ?? '');
        }
        return { namespace, name: step.slice(step.indexOf(':') + 1) };
      });
  },
  write: (name, steps) => {
    const declared: Record<string, string> = {};
    const prefixOf = (namespace: string): string => {
      const known = Object.entries(onvifPrefixes).find(([, one]) => one === namespace)?.[0];
      if (known !== undefined || namespace === '') return known ?? '';
      const own = Object.entries(declared)
        .find(([, one]) => one === namespace)?.[0]
        .slice('xmlns:'.length);
      const prefix = own ?? `t${Object.keys(declared).length}`;
      declared[`xmlns:${prefix}`] = namespace;
      return prefix;
    };
    const words = steps.map((step, index) => {
      const prefix = index > 0 && steps[index - 1]?.namespace === step.namespace ? '' : prefixOf(step.namespace);
      return prefix === '' ? step.name : `${prefix}:${step.name}`;
    });
    const Dialect = 'http://www.onvif.org/ver10/tev/topicExpression/ConcreteSet';
    return element(name, { Dialect, ...declared }, words.join('/'));
  },
};

/** Null for content that does not fit, so that one odd member of a list does not cost the others. */
export function tolerant<T>(schema: ContentSchema<T>): ContentSchema<T | null> {
  return {
    read: (source) => {
      try {
        return schema.read(source) ?? null;
      } catch (error) {
        if (error instanceof SchemaError) return null;
        throw error;
      }
    },
    write: (name, value) => (value === null ? element(name) : schema.write(name, value)),
  };
}

type Occurs = 'one' | 'optional' | 'many';

interface Written {
  readonly attributes: Record<string, string>;
  readonly children: XmlNode[];
}

interface Field<T, O extends Occurs> {
  readonly occurs: O;
  /** Undefined when absent or unreadable. */
  readonly read: (source: XmlElement, name: string) => T | undefined;
  readonly write: (into: Written, prefix: string, name: string, value: T) => void;
}

interface AnyField {
  readonly occurs: Occurs;
  readonly read: (source: XmlElement, name: string) => unknown;
  readonly write: (into: Written, prefix: string, name: string, value: never) => void;
}

export type Fields = Readonly<Record<string, AnyField>>;

type OptionalKeys<F extends Fields> = { [K in keyof F]: F[K]['occurs'] extends 'optional' ? K : never }[keyof F];
type ValueOf<F> = F extends Field<infer T, Occurs> ? T : never;

export type StructOf<F extends Fields> = {
  readonly [K in Exclude<keyof F, OptionalKeys<F>>]: ValueOf<F[K]>;
} & { readonly [K in OptionalKeys<F>]?: ValueOf<F[K]> | undefined };

export type TypeOf<S> = S extends ContentSchema<infer T> ? T : never;

function elementField<T, O extends 'one' | 'optional'>(
  occurs: O,
  schema: ContentSchema<T>,
  foreign?: string,
): Field<T, O> {
  return {
    occurs,
    // Elements match by local name: prefixes are the sender's choice, and some devices put answers into a wrong namespace.
    read: (source, name) => {
      const child = source.child(name);
      return child === undefined ? undefined : schema.read(child);
    },
    write: (into, prefix, name, value) => into.children.push(schema.write(`${foreign ?? prefix}:${name}`, value)),
  };
}

/** `foreign`: prefix of this element where it is not that of the struct around it. */
export function one<T>(schema: ContentSchema<T>, foreign?: string): Field<T, 'one'> {
  return elementField('one', schema, foreign);
}

/** Absent, empty where a number belongs, or unreadable: all read as absent. */
export function optional<T>(schema: ContentSchema<T>, foreign?: string): Field<T, 'optional'> {
  return elementField('optional', schema, foreign);
}

/** Always a list, be there none, one or many. */
export function many<T>(schema: ContentSchema<T>, foreign?: string): Field<readonly T[], 'many'> {
  return {
    occurs: 'many',
    read: (source, name) =>
      source.childrenNamed(name).map((child) => {
        const value = schema.read(child);
        if (value === undefined) throw new SchemaError(pathOf(child), 'unreadable');
        return value;
      }),
    write: (into, prefix, name, values) => {
      for (const value of values) into.children.push(schema.write(`${foreign ?? prefix}:${name}`, value));
    },
  };
}

function attributeField<T, O extends 'one' | 'optional'>(occurs: O, schema: TextSchema<T>): Field<T, O> {
  return {
    occurs,
    read: (source, name) => {
      const sent = source.attribute(name);
      return sent === undefined ? undefined : schema.parse(sent);
    },
    write: (into, _prefix, name, value) => {
      into.attributes[name] = schema.format(value);
    },
  };
}

export function attribute<T>(schema: TextSchema<T>): Field<T, 'one'> {
  return attributeField('one', schema);
}

export function optionalAttribute<T>(schema: TextSchema<T>): Field<T, 'optional'> {
  return attributeField('optional', schema);
}

/** A sequence of attributes and child elements; keys are the local names, and their order is the order on the wire. */
export function struct<const F extends Fields>(prefix: string, fields: F): ContentSchema<StructOf<F>> {
  const entries = Object.entries(fields);
  return {
    read: (source) => {
      const value: Record<string, unknown> = {};
      for (const [name, field] of entries) {
        const found = field.read(source, name);
        if (found !== undefined) value[name] = found;
        else if (field.occurs === 'one') throw new SchemaError(`${pathOf(source)}/${name}`, 'missing or unreadable');
      }
      return value as StructOf<F>;
    },
    write: (name, value) => {
      const into: Written = { attributes: {}, children: [] };
      const given: Readonly<Record<string, unknown>> = value;
      for (const [key, field] of entries) {
        if (given[key] !== undefined) field.write(into, prefix, key, given[key] as never);
      }
      return element(name, into.attributes, into.children);
    },
  };
}

function pathOf(source: XmlElement): string {
  const isTop = source.parent === null || source.parent.name === 'Body';
  return isTop || source.parent === null ? source.name : `${pathOf(source.parent)}/${source.name}`;
}
