// All scenes by name: a name can be handed to another thread, a scene cannot.

import type { Scene } from './painting/scene.ts';
import { carPark } from './scenes/car-park.ts';
import { dock } from './scenes/dock.ts';
import { gate } from './scenes/gate.ts';
import { lobby } from './scenes/lobby.ts';
import { roof } from './scenes/roof.ts';
import { serverRoom } from './scenes/server-room.ts';
import { street } from './scenes/street.ts';
import { warehouse } from './scenes/warehouse.ts';

export const sceneCatalogue = {
  carPark,
  dock,
  gate,
  lobby,
  roof,
  serverRoom,
  street,
  warehouse,
} as const satisfies Readonly<Record<string, Scene>>;

export type SceneName = keyof typeof sceneCatalogue;
