/**
 * Rendezvous hashing (Thaler and Ravishankar, 1998): of all members the one with the highest weight for a partition
 * should own it, so that a member that comes or goes moves its own partitions and no others. Pure.
 */
import { hash32 } from '@parterre/shared/hash';

/** `regions` are those whose partitions the member would rather own; none means that any are welcome. */
export type Candidate = { id: string; regions: readonly string[] };

/**
 * The member that should own the partition, or null without any: one that asks for its region, else one that asks for
 * none, else anybody. `region` is null for a partition of the default range. Members of equal weight: the greater id.
 */
export function heirOf(partition: number, region: string | null, candidates: readonly Candidate[]): string | null {
  const near = candidates.filter(({ regions }) => region !== null && regions.includes(region));
  const open = candidates.filter(({ regions }) => regions.length === 0);
  const [those = candidates] = [near, open].filter((each) => each.length > 0);
  return heaviest(partition, those);
}

function heaviest(partition: number, candidates: readonly Candidate[]): string | null {
  let heir: string | null = null;
  let most = -1;
  for (const { id } of candidates) {
    const weight = hash32(`${id}/${partition}`);
    if (weight < most || (weight === most && heir !== null && id < heir)) continue;
    heir = id;
    most = weight;
  }
  return heir;
}
