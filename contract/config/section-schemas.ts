// Schemas of each configuration section: of its value, and of the limits that a device reports.
import { z } from 'zod';
import { plainLimits, plainValues } from './field-schemas.ts';
import type { Field, Fields } from './fields.ts';
import { SECTION_NAMES, type SectionName } from './section-names.ts';
import { configSections } from './sections.ts';

/** Most rows any device may list. */
const MOST_ROWS = 64;

type AnySchema = z.ZodType<Readonly<Record<string, unknown>>>;
type SchemaOf = (field: Field) => z.ZodType;

/** An absent field is unsupported by the device, or stays unchanged. */
function shapeOf(fields: Fields, schemaOf: SchemaOf): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field).optional()]));
}

function valueOf(field: Field): z.ZodType {
  if (field.kind !== 'list') return plainValues[field.kind];
  const row = z.object({ id: z.string().max(128), ...shapeOf(field.fields, valueOf) }).strict();
  return z.array(row).max(MOST_ROWS);
}

function limitsOf(field: Field): z.ZodType {
  if (field.kind !== 'list') return plainLimits[field.kind];
  const row = z.object(shapeOf(field.fields, limitsOf));
  return z.object({
    most: z.number().int(),
    isFixed: z.boolean(),
    item: row,
    byKey: z.record(z.string(), row).optional(),
  });
}

function ofEachSection(build: (fields: Fields) => AnySchema): Readonly<Record<SectionName, AnySchema>> {
  const rows = SECTION_NAMES.map((name): [SectionName, AnySchema] => [name, build(configSections[name].fields)]);
  return Object.fromEntries(rows) as Record<SectionName, AnySchema>;
}

export const sectionValues = ofEachSection((fields) => z.object(shapeOf(fields, valueOf)).strict());
export const sectionLimits = ofEachSection((fields) => z.object(shapeOf(fields, limitsOf)));
