// Checks where a recording folder holds less than was reported as stored, after failed disk operations.
import { readFile } from 'node:fs/promises';
import { checkFolder, type Finding } from '@vedette/media/recordings/check/check-folder.ts';
import { createDisk } from '@vedette/media/recordings/disk.ts';
import { readIndex } from '../../media/recordings/index-record.ts';
import { indexPath, type TrackKey } from '@vedette/media/recordings/recording-path.ts';

interface Claim {
  readonly startMs: number;
  readonly endMs: number;
}

/** One sentence a claim that does not hold or a row that does not verify, also after a repair. */
export async function brokenClaims(folder: string, key: TrackKey, claimed: readonly Claim[]): Promise<string[]> {
  const broken: string[] = [];
  for (const { startMs, endMs } of claimed) {
    const last = readIndex(await readFile(indexPath(folder, key, startMs)))?.records.at(-1);
    const lastEndMs = last ? last.wallMs + last.durationTicks / 90 : startMs;
    if (lastEndMs < endMs - 1) broken.push(`${startMs} ends ${endMs - lastEndMs} ms before its claim`);
  }
  // A file that was given up has no line in the catalog, and may have bytes behind its last row; each row verifies.
  await check(folder, false, (finding) => {
    if (!finding.kinds.includes('notInCatalog') && !isLeftover(finding)) broken.push(JSON.stringify(finding));
  });
  await check(folder, true);
  const { found } = await check(folder, false);
  if (found > 0) broken.push(`${found} findings after the repair`);
  return broken;
}

function check(folder: string, isRepairing: boolean, onFinding: (finding: Finding) => void = () => undefined) {
  return checkFolder({ disk: createDisk(), folder, isRepairing, isInUse: false, onFinding });
}

/** What a removal that was broken off leaves: told, mended by the checker, never shown as footage. */
function isLeftover({ kinds }: Finding): boolean {
  return kinds.length === 1 && (kinds[0] === 'orphanIndex' || kinds[0] === 'orphanRow');
}
