// The planes and the coder that all pictures of one shape share while one of them is made: a thread makes one picture at a time.

import type { VideoShape } from './codec/h264-headers.ts';
import { IntraCoder } from './codec/intra-coder.ts';
import { MacroblockMemo } from './codec/macroblock-memo.ts';
import { createPlanes, type Planes } from './codec/planes.ts';

/** Blocks of strip and clock: few patterns that come again in every picture. */
const TEXT_ENTRIES = 4096;

export class PictureWorkspace {
  readonly intra: IntraCoder;
  /** For what comes again and again in the pictures of all streams. */
  readonly textMemo = new MacroblockMemo(TEXT_ENTRIES);
  readonly #shape: VideoShape;
  #before: Planes | null = null;
  #composed: Planes | null = null;

  constructor(shape: VideoShape) {
    this.#shape = shape;
    this.intra = new IntraCoder(shape.width, shape.height, shape.qp);
  }

  /** What the picture before looked like, where the next one may differ. */
  get before(): Planes {
    this.#before ??= createPlanes(this.#shape.width, this.#shape.height);
    return this.#before;
  }

  /** What the picture being made is to look like, where it was composed. */
  get composed(): Planes {
    this.#composed ??= createPlanes(this.#shape.width, this.#shape.height);
    return this.#composed;
  }
}

const workspaces = new Map<string, PictureWorkspace>();

export function workspaceOf(shape: VideoShape): PictureWorkspace {
  const key = `${shape.width}x${shape.height}/${shape.qp}`;
  let workspace = workspaces.get(key);
  if (workspace === undefined) {
    workspace = new PictureWorkspace(shape);
    workspaces.set(key, workspace);
  }
  return workspace;
}
