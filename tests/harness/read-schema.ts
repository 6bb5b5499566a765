// The schema of a database as lines, read from pg_catalog: what makes two databases equal, with the names of days left out.
import type pg from 'pg';

/** Partitions are made day by day: each stands for all of its kind. */
const DAY = /_\d{8}(?=\b|_)/g;

/** Each answers lines; functions and views of PostgreSQL print definitions as SQL. */
const PARTS: readonly string[] = [
  `select format('extension %s', extname) from pg_extension`,
  `select format('table %s%s%s', oid::regclass, case when relkind = 'p' then ' partitioned by ' || pg_get_partkeydef(oid) end,
      case when relispartition then format(' partition of %s', (select inhparent::regclass from pg_inherits where inhrelid = oid)) end
      ) || coalesce(' with ' || array_to_string(reloptions, ', '), '')
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')`,
  `select format('column %s.%s %s', attrelid::regclass, attname, format_type(atttypid, atttypmod))
      || case when attnotnull then ' not null' else '' end
      || case attgenerated when 's' then ' generated always as ' || pg_get_expr(adbin, adrelid)
           else coalesce(' default ' || pg_get_expr(adbin, adrelid), '') end
      || case attidentity when 'a' then ' identity always' when 'd' then ' identity by default' else '' end
      || case when attstorage <> typstorage then ' storage ' || attstorage::text else '' end
    from pg_attribute join pg_class on pg_class.oid = attrelid join pg_type on pg_type.oid = atttypid
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm') and attnum > 0 and not attisdropped`,
  `select format('constraint %s.%s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'`,
  `select format('index %s', pg_get_indexdef(indexrelid)) from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = 'public'::regnamespace`,
  `select format('trigger %s', pg_get_triggerdef(pg_trigger.oid)) from pg_trigger join pg_class on pg_class.oid = tgrelid
    where not tgisinternal and relnamespace = 'public'::regnamespace`,
  `select format('sequence %s %s from %s by %s%s', seqrelid::regclass, seqtypid::regtype, seqstart, seqincrement,
      (select format(' owned by %s.%s', refobjid::regclass, attname) from pg_depend
        join pg_attribute on attrelid = refobjid and attnum = refobjsubid
        where objid = seqrelid and deptype in ('a', 'i') and refobjsubid > 0))
    from pg_sequence`,
  `select format('statistics %s', pg_get_statisticsobjdef(oid)) from pg_statistic_ext`,
  `select 'function ' || pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace`,
  `select format('type %s', oid::regtype) from pg_type
    where typnamespace = 'public'::regnamespace and typtype in ('e', 'd', 'r')`,
];

export async function readSchema(pool: pg.Pool): Promise<string[]> {
  const lines: string[] = [];
  for (const part of PARTS) {
    const { rows } = await pool.query<string[]>({ text: part, rowMode: 'array' });
    const found = rows.map(([text = '']) => text.replaceAll(DAY, '_<day>').replace(/FROM \('\d+'\) TO .*/, ''));
    lines.push(...[...new Set(found)].sort().flatMap(asLines));
  }
  return lines;
}

/** A function takes several lines, each of which names it; what else has a line break keeps to one. */
function asLines(definition: string): string[] {
  const text = definition.trimEnd();
  const name = /^function .* FUNCTION ([\w.]+)/.exec(text)?.[1];
  if (name === undefined) return [text.replaceAll('\n', '\\n')];
  return text.split('\n').map((line, at) => (at === 0 ? line : `  ${name}: ${line}`));
}
