// Where a picture lies in its window: as large as it fits, in the middle, and the part of it that digital zoom shows. Pure.

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Area extends Size {
  readonly x: number;
  readonly y: number;
}

/** Of digital zoom: the window's content is `scale` times as large, its parts `left` and `top` out of the window. */
export interface ZoomedPart {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

/** In the units of the window; beyond its edges where it is zoomed. */
export function pictureArea(window: Size, picture: Size, { scale, left, top }: ZoomedPart): Area {
  const fit = Math.min(window.width / picture.width, window.height / picture.height);
  const [width, height] = [picture.width * fit, picture.height * fit];
  return {
    x: ((window.width - width) / 2 - left * window.width) * scale,
    y: ((window.height - height) / 2 - top * window.height) * scale,
    width: width * scale,
    height: height * scale,
  };
}
