// ISAPI as data: a row names a document and where in it each field of a section stands.
import type { SectionName } from '@vedette/contract/config/section-names.ts';
import type { SectionReading, SectionValue } from '@vedette/contract/config/sections.ts';
import { DeviceFault } from '../../kit/device-fault.ts';
import type { AddedPart } from '../vendor-extension.ts';
import { type Edit, IsapiDocument } from './isapi-document.ts';

export type IsapiField =
  | { readonly path: string; readonly kind: 'flag' }
  | { readonly path: string; readonly kind: 'range'; readonly min: number; readonly max: number };

/** The fields of one document; those it does not have are not offered. */
export function fieldsPart<S extends SectionName>(
  urlOf: (channelNo: number) => string,
  fields: Readonly<Record<string, IsapiField>>,
): AddedPart<S> {
  return {
    read: async (http, channelNo, signal) => {
      const document = new IsapiDocument(await http.get(urlOf(channelNo), signal));
      const found = Object.entries(fields).flatMap(([name, field]) => {
        const value = field.kind === 'flag' ? document.flag(field.path) : document.number(field.path);
        const limits = field.kind === 'flag' ? {} : { min: field.min, max: field.max };
        return value === undefined ? [] : [{ name, value, limits }];
      });
      if (found.length === 0) throw new DeviceFault('not-supported', 'the document has none of the fields');
      return {
        value: Object.fromEntries(found.map(({ name, value }) => [name, value])) as SectionValue<S>,
        capabilities: Object.fromEntries(
          found.map(({ name, limits }) => [name, limits]),
        ) as SectionReading<S>['capabilities'],
      };
    },
    write: async (http, channelNo, { change }, signal) => {
      const url = urlOf(channelNo);
      const document = new IsapiDocument(await http.get(url, signal));
      const edits = new Map(
        Object.entries(change).flatMap(([name, value]) => {
          const at = document.at(fields[name]?.path ?? '');
          return at === undefined || value === undefined ? [] : [[at, String(value)] as const];
        }),
      );
      await http.put(url, document.edited(edits as ReadonlyMap<(typeof document)['root'], Edit>), signal);
    },
  };
}
