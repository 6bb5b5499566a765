// The console in a frame of an app's page: for which app, and which origins may be around it. The server writes both into the page.

export interface Embedding {
  readonly appId: string;
  /** Exact origins; none where the app names none. */
  readonly origins: readonly string[];
}

const ADDRESS = /^\/embed\/(?<appId>[\w-]{1,64})$/;

/** Null for a page that is not made to be framed. */
export function readEmbedding({ location, document }: Pick<Window, 'location' | 'document'>): Embedding | null {
  const appId = ADDRESS.exec(location.pathname)?.groups?.['appId'];
  if (appId === undefined) return null;
  const listed = document.querySelector('meta[name="vedette-embedders"]')?.getAttribute('content') ?? '';
  return { appId, origins: listed.split(' ').filter((origin) => origin !== '') };
}
