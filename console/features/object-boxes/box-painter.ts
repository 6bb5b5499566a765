// Draws boxes of objects over a picture: class, score and where each came from, on a canvas of the window's size.
import { OBJECT_CLASSES, type ObjectClass } from '@vedette/contract/enumerations.ts';
import type { SampleBox, ShownObject } from './object-track.ts';
import type { Area } from './picture-area.ts';

interface BoxColours {
  readonly classes: Readonly<Record<ObjectClass, string>>;
  readonly ground: string;
  readonly font: string;
}

/** CSS pixels. */
const LINE = 2;
const HALO = 4;
const LABEL = { height: 18, pad: 5, font: 12 };

export class BoxPainter {
  readonly #canvas: HTMLCanvasElement;
  readonly #label: (object: ShownObject) => string;
  #isClear = true;
  /** Read once for each theme: the style of a page is no work for every frame of every window. */
  #known: { readonly theme: string | undefined; readonly colours: BoxColours } | null = null;

  constructor(canvas: HTMLCanvasElement, label: (object: ShownObject) => string) {
    this.#canvas = canvas;
    this.#label = label;
  }

  /** In CSS pixels of the canvas. */
  paint(objects: readonly ShownObject[], area: Area): void {
    // Most pictures show nobody.
    if (objects.length === 0 && this.#isClear) return;
    const context = this.#prepare();
    if (context === null) return;
    this.#isClear = objects.length === 0;
    const colours = this.#colours();
    for (const object of objects) paintTrail(context, object, area, colours);
    for (const object of objects) {
      paintBox(context, object, area, colours);
      paintLabel(
        context,
        { box: object.box, text: this.#label(object), objectClass: object.objectClass },
        area,
        colours,
      );
    }
  }

  #colours(): BoxColours {
    const { theme } = document.documentElement.dataset;
    if (this.#known === null || this.#known.theme !== theme) {
      this.#known = { theme, colours: readColours(this.#canvas) };
    }
    return this.#known.colours;
  }

  #prepare(): CanvasRenderingContext2D | null {
    const { clientWidth, clientHeight } = this.#canvas;
    const ratio = globalThis.devicePixelRatio || 1;
    const [width, height] = [Math.round(clientWidth * ratio), Math.round(clientHeight * ratio)];
    if (this.#canvas.width !== width) this.#canvas.width = width;
    if (this.#canvas.height !== height) this.#canvas.height = height;
    const context = this.#canvas.getContext('2d');
    context?.setTransform(ratio, 0, 0, ratio, 0, 0);
    context?.clearRect(0, 0, clientWidth, clientHeight);
    return context;
  }
}

function readColours(canvas: HTMLCanvasElement): BoxColours {
  const style = getComputedStyle(canvas);
  const token = (name: string): string => style.getPropertyValue(name).trim();
  const classes = Object.fromEntries(OBJECT_CLASSES.map((one) => [one, token(`--object-${one}`)]));
  return { classes: classes as Record<ObjectClass, string>, ground: token('--picture'), font: style.fontFamily };
}

function paintTrail(
  context: CanvasRenderingContext2D,
  { trail, objectClass }: ShownObject,
  area: Area,
  { classes, ground }: BoxColours,
): void {
  const line = new Path2D();
  for (const [x, y] of trail) line.lineTo(area.x + x * area.width, area.y + y * area.height);
  strokeTwice(context, line, classes[objectClass], ground);
}

function paintBox(
  context: CanvasRenderingContext2D,
  { box, objectClass }: ShownObject,
  area: Area,
  { classes, ground }: BoxColours,
): void {
  const { x, y, width, height } = placed(box, area);
  const edges = new Path2D();
  edges.rect(x, y, width, height);
  strokeTwice(context, edges, classes[objectClass], ground);
}

/** A dark rim keeps every colour apart from every picture. */
function strokeTwice(context: CanvasRenderingContext2D, path: Path2D, colour: string, rim: string): void {
  context.lineJoin = 'round';
  context.strokeStyle = rim;
  context.globalAlpha = 0.6;
  context.lineWidth = HALO;
  context.stroke(path);
  context.strokeStyle = colour;
  context.globalAlpha = 1;
  context.lineWidth = LINE;
  context.stroke(path);
}

interface Label {
  readonly box: SampleBox;
  readonly text: string;
  readonly objectClass: ObjectClass;
}

/** Above the box; inside it where there is no room above. */
function paintLabel(
  context: CanvasRenderingContext2D,
  { box, text, objectClass }: Label,
  area: Area,
  { classes, ground, font }: BoxColours,
): void {
  const { x, y } = placed(box, area);
  context.font = `600 ${LABEL.font}px ${font}`;
  const width = context.measureText(text).width + 2 * LABEL.pad;
  const left = Math.max(0, Math.min(x - LINE / 2, context.canvas.clientWidth - width));
  const top = y >= LABEL.height ? y - LABEL.height : Math.max(0, y);
  context.fillStyle = classes[objectClass];
  context.fillRect(left, top, width, LABEL.height);
  context.fillStyle = ground;
  context.textBaseline = 'middle';
  context.fillText(text, left + LABEL.pad, top + LABEL.height / 2 + 1);
}

function placed([x, y, width, height]: SampleBox, area: Area): Area {
  return {
    x: area.x + x * area.width,
    y: area.y + y * area.height,
    width: width * area.width,
    height: height * area.height,
  };
}
