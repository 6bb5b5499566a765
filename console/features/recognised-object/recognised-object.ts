// What edge intelligence recognised, read from the data of an alarm: class, certainty, direction, region, and its box on the picture.
import { CROSSING_DIRECTIONS, OBJECT_CLASSES } from '@vedette/contract/enumerations.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import type { Fact } from '../../ui/layout/facts.tsx';

/** Shares of the picture, from its upper left corner. */
export interface ObjectBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface RecognisedObject {
  readonly facts: readonly Fact[];
  readonly box: ObjectBox | null;
  /** What is told in words of the alarm's data. */
  readonly names: ReadonlySet<string>;
}

type Data = Readonly<Record<string, string>>;

/** Null where the data names no class that we know: it is of a device, and stays as it was sent. */
export function recognisedObject(t: Translate, data: Data): RecognisedObject | null {
  const objectClass = OBJECT_CLASSES.find((one) => one === data['class']);
  if (objectClass === undefined) return null;
  const score = share(data['score']);
  const direction = CROSSING_DIRECTIONS.find((one) => one === data['direction']);
  const { region } = data;
  const box = boxOf(data['box']);
  const facts: (Fact & { readonly of: string })[] = [
    { of: 'class', name: t('alarms.objectClass'), value: t(`edge.object.${objectClass}`) },
    ...(score === null ? [] : [{ of: 'score', name: t('alarms.objectScore'), value: `${Math.round(score * 100)} %` }]),
    ...(direction === undefined
      ? []
      : [{ of: 'direction', name: t('alarms.objectDirection'), value: t(`edge.direction.${direction}`) }]),
    ...(region === undefined || region === '' ? [] : [{ of: 'region', name: t('alarms.objectRegion'), value: region }]),
  ];
  const names = new Set([...facts.map((fact) => fact.of), ...(box === null ? [] : ['box'])]);
  return { facts: facts.map(({ name, value }) => ({ name, value })), box, names };
}

/** From 0 to 1; null for anything else. */
function share(text: string | undefined): number | null {
  const value = text === undefined || text === '' ? Number.NaN : Number(text);
  return value >= 0 && value <= 1 ? value : null;
}

/** Sums of rounded shares may be a little above 1. */
const MOST = 1.001;

/** `x y width height`; null where that is no box within the picture. */
function boxOf(text = ''): ObjectBox | null {
  const parts = text.split(' ').map(share);
  const [x, y, width, height] = parts.filter((part) => part !== null);
  if (parts.length !== 4 || x === undefined || y === undefined || !width || !height) return null;
  return x + width > MOST || y + height > MOST ? null : { x, y, width, height };
}
