/** Pages of an audit that merge the entries of access links with those of the journal. */
import type { AuditedEntry, JournalEntry, LinkEntry } from '@parterre/shared/protocol/catalog/history';

/**
 * Newest first. `links` are those of the same page, one more than `limit` where there are so many. Where the journal's
 * page ended early, links below its end are left to the next page.
 */
export function withLinks(
  { entries, nextBefore }: { entries: readonly JournalEntry[]; nextBefore: number | null },
  links: readonly LinkEntry[],
  limit: number,
): { entries: AuditedEntry[]; nextBefore: number | null } {
  const here = links.filter(({ id }) => nextBefore === null || id > nextBefore);
  const all = [...entries, ...here].sort((one, other) => other.id - one.id);
  const page = all.slice(0, limit);
  return { entries: page, nextBefore: all.length > limit ? page.at(-1)!.id : nextBefore };
}
