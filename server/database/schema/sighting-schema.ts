// Types of the table of sightings, by hand after migrations/*.sql. Times are milliseconds since 1970 UTC.
import type { ObjectClass } from '@vedette/contract/enumerations.ts';
import type { PathPoint } from '@vedette/contract/site/site-sighting.ts';
import type { ColumnType } from 'kysely';

interface SightingTable {
  sighting_id: ColumnType<number, never, never>;
  channel_id: string;
  owner_id: string;
  track_id: number;
  object_class: ObjectClass;
  score: number;
  start_time: number;
  end_time: number;
  best_time: number;
  /** Written as JSON text, read parsed. */
  boxes: ColumnType<PathPoint[], string, string>;
  /** PostgreSQL's text of an open path. */
  foot_path: string;
  foot_start: ColumnType<object, string, string>;
  /** A signed number of 64 bits, as text: it is compared in the database alone. */
  foot_cells: ColumnType<number, string, string>;
  regions: string[];
  picture: Buffer | null;
}

/** Written by a trigger of `sighting`. */
interface SightingHourTable {
  channel_id: string;
  object_class: ObjectClass;
  /** Hours since 1970 UTC. */
  hour: number;
  /** As in `sighting`. */
  foot_cells: ColumnType<number, string, string>;
}

export interface SightingSchema {
  sighting: SightingTable;
  sighting_hour: SightingHourTable;
}
