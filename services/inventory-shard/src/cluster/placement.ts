/**
 * Rendezvous hashing (Thaler and Ravishankar, 1998): the member with the highest weight for a partition should own the
 * partition. A member that joins or leaves thus moves only its own partitions. Pure.
 */
import { hash32 } from '@parterre/shared/runtime/hash';

/** `regions`: the regions whose partitions the member prefers to own. An empty list means no preference. */
export type Candidate = { id: string; regions: readonly string[] };

/**
 * The member that should own the partition, or null without members: a member that prefers the partition's region,
 * otherwise a member without a preference, otherwise any member. `region` is null for a partition of the default range.
 * At equal weight the greater id wins.
 */
export function heirOf(partition: number, region: string | null, candidates: readonly Candidate[]): string | null {
  const near = candidates.filter(({ regions }) => region !== null && regions.includes(region));
  const open = candidates.filter(({ regions }) => regions.length === 0);
  const [preferred = candidates] = [near, open].filter((each) => each.length > 0);
  return heaviest(partition, preferred);
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
