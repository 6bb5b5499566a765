// Seals the secret in the plan of the backups (keys/backup-plan.json) with another master key.
import { readPlan, sealedFor, writePlan } from '../features/backup/plan-file.ts';
import type { Resealer } from './resealer.ts';

export async function resealPlanFile(dataFolder: string, resealer: Resealer): Promise<void> {
  const plan = await readPlan(dataFolder);
  if (plan.secret === null || plan.target.kind !== 'bucket') return;
  const secret = resealer.resealText(plan.secret, sealedFor(plan.target), 'keys/backup-plan.json');
  if (secret !== plan.secret) await writePlan(dataFolder, { ...plan, secret });
}
