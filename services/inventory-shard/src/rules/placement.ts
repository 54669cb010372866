/**
 * Rendezvous hashing (Thaler and Ravishankar, 1998): of all members the one with the highest weight for a partition
 * should own it, so that a member that comes or goes moves its own partitions and no others. Pure.
 */
import { hash32 } from '@parterre/shared/hash';

/** The member that should own the partition, or null without any. Members of equal weight: the greater id. */
export function heirOf(partition: number, memberIds: Iterable<string>): string | null {
  let heir: string | null = null;
  let heaviest = -1;
  for (const id of memberIds) {
    const weight = hash32(`${id}/${partition}`);
    if (weight < heaviest || (weight === heaviest && heir !== null && id < heir)) continue;
    heir = id;
    heaviest = weight;
  }
  return heir;
}
