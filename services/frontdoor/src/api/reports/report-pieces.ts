/**
 * The units of an event, in answers of bounded size, all of one version of the event.
 *
 * The front door asks for one answer after the other, and names the version of the first. Failure at each await: a
 * refusal is passed on. If an answer is of another version, something was sold between the two and the shard no longer
 * keeps the first version: reading begins again. After `reportFileTriesMax` tries the answer is 503: a report of two moments would count a seat twice or not at all.
 */
import type { UnitColumns } from '@parterre/shared/answers';
import type { Plan } from '@parterre/shared/chart/plan';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { reportFileTriesMax } from '@parterre/shared/limits';

export type UnitSource = {
  /** The units from unit `from` on, as many as fit into one answer: of this version, if the shard still has it. */
  unitsFrom(from: number, version?: number): Promise<Outcome<UnitColumns>>;
  plan(hash: string): Promise<Outcome<Plan>>;
};

export type ReportPieces = { plan: Plan; pieces: UnitColumns[] };

export async function readPieces(source: UnitSource): Promise<Outcome<ReportPieces>> {
  for (let tries = 0; tries < reportFileTriesMax; tries++) {
    const first = await source.unitsFrom(0);
    if (!first.ok) return first;
    const plan = await source.plan(first.value.planHash);
    if (!plan.ok) return plan;
    const pieces = [first.value];
    let told = toldBy(first.value);
    while (told < plan.value.unitCount) {
      const piece = await source.unitsFrom(told, first.value.version);
      if (!piece.ok) return piece;
      if (piece.value.version !== first.value.version || piece.value.planHash !== first.value.planHash) break;
      pieces.push(piece.value);
      told = toldBy(piece.value);
    }
    if (told >= plan.value.unitCount) return done({ plan: plan.value, pieces });
  }
  return refuse(
    'overloaded',
    'The event changed while its report was read. Try again when the event sells less fast.',
    { retryable: true },
  );
}

function toldBy({ from, statuses }: UnitColumns): number {
  return from + statuses.length;
}
