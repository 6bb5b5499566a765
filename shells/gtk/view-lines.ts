// What the shell and its view tell each other: one JSON object a line. The view reads these types too, so nothing is imported here.

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where a tile stands in its window; `dpr`: pixels of the screen for one of `rect`. */
export interface TilePlace {
  readonly rect: Rect;
  readonly dpr: number;
}

/** What a tile shows, and how long it takes from the server to the screen. */
export interface TilePicture {
  readonly width: number;
  readonly height: number;
  readonly delayMs: number;
}

export interface Monitor {
  readonly name: string;
  readonly rect: Rect;
  readonly dpr: number;
}

/** To the view, on its standard input. `window`: the number that the view gave it. */
export type ViewOrder =
  /** The first; `walls`: monitors by name, for the walls in windows of their own, from wall 2 on. */
  | { readonly do: 'begin'; readonly origin: string; readonly profile: string; readonly walls: readonly string[] }
  /** A window with a page of the shell; `monitor`: that it fills. */
  | { readonly do: 'open'; readonly html: string; readonly monitor: string | null }
  | { readonly do: 'showHtml'; readonly window: number; readonly html: string }
  | { readonly do: 'show'; readonly window: number; readonly address: string }
  /** A message to the page. */
  | { readonly do: 'message'; readonly window: number; readonly json: string }
  /** The certificate that the view asked about by `untrusted` is that of the server. */
  | { readonly do: 'trust'; readonly window: number }
  | { readonly do: 'raise'; readonly window: number }
  /** `url`: with a ticket for one session, so it goes by this pipe and nowhere else. */
  | {
      readonly do: 'play';
      readonly window: number;
      readonly tile: number;
      readonly url: string;
      readonly place: TilePlace;
    }
  | { readonly do: 'place'; readonly window: number; readonly tile: number; readonly place: TilePlace }
  | { readonly do: 'stop'; readonly window: number; readonly tile: number }
  | { readonly do: 'end' };

/** From the view, on a pipe of its own: standard output is inherited by the processes of WebKit. */
export type ViewEvent =
  | { readonly event: 'monitors'; readonly monitors: readonly Monitor[] }
  /** `isPopup`: a page opened it. */
  | { readonly event: 'window'; readonly window: number; readonly isPopup: boolean; readonly monitor: string | null }
  /** A wall that a page opened; null: there is no monitor of the name that was given for it. */
  | { readonly event: 'placed'; readonly window: number; readonly monitor: string | null }
  | { readonly event: 'closed'; readonly window: number }
  /** A document of the server begins. */
  | { readonly event: 'document'; readonly window: number }
  /** A message of the page. */
  | { readonly event: 'message'; readonly window: number; readonly json: string }
  | { readonly event: 'refused'; readonly window: number; readonly what: 'document' | 'message'; readonly of: string }
  | { readonly event: 'permission'; readonly window: number; readonly what: string; readonly isGranted: boolean }
  /** The process of the page ended; it is loaded again. */
  | { readonly event: 'crashed'; readonly window: number }
  /** The page could not be loaded. */
  | { readonly event: 'failed'; readonly window: number; readonly address: string }
  /** `certificate`: PEM, of no authority that the machine knows. */
  | { readonly event: 'untrusted'; readonly window: number; readonly address: string; readonly certificate: string }
  /** The first frame is shown, or one of another size. */
  | ({ readonly event: 'playing'; readonly window: number; readonly tile: number } & TilePicture)
  /** No frames any more. */
  | { readonly event: 'lost'; readonly window: number; readonly tile: number }
  /** Frames that a tile has shown so far; every ten seconds. */
  | { readonly event: 'frames'; readonly window: number; readonly tile: number; readonly count: number }
  /** A person asks that the shell or the page plays the tile. */
  | { readonly event: 'turn'; readonly window: number; readonly tile: number };
