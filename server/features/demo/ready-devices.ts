// Reads the ready line of the virtual devices.
import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const ReadyDevice = z.object({
  name: z.string().min(1).max(64),
  kind: z.enum(['camera', 'recorder', 'offline']),
  target: z.string(),
  user: z.string(),
  password: z.string(),
  organization: z.array(z.string().min(1).max(64)),
});
const ReadyLine = z.object({ devices: z.array(ReadyDevice) });
export type ReadyDevice = z.infer<typeof ReadyDevice>;

export async function readReadyDevices(file: string): Promise<readonly ReadyDevice[]> {
  return ReadyLine.parse(JSON.parse(await readFile(file, 'utf8'))).devices;
}
