/** Entries of the audit, and the search through them. Pure. */
export type Entry = {
  id: string;
  at: number;
  action: string;
  by: { kind: string; id: string | null; address: string; requestId: string; email: string | null };
  subject: string;
  outcome: string;
  facts: Record<string, unknown>;
};

/** Every word of the search stands somewhere in the entry. An empty action is every action. */
export function entriesFound(entries: readonly Entry[], search: string, action: string): readonly Entry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter((entry) => {
    if (action !== '' && entry.action !== action) return false;
    const { by, subject, outcome, facts } = entry;
    const all = `${entry.action} ${by.email} ${by.id} ${by.address} ${by.requestId} ${subject} ${outcome} ${JSON.stringify(facts)}`;
    return words.every((word) => all.toLowerCase().includes(word));
  });
}
