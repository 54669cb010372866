/** A chart as the list shows it. Pure. */

/** Times are epoch milliseconds. */
export type Chart = {
  id: string;
  name: string;
  status: string;
  workspaceId: string;
  seatTotal: number;
  publishedVersion: number | null;
  publishedAt: number | null;
  updatedAt: number;
};

export type ChartState = 'draft' | 'published' | 'changed' | 'archived';

/** `changed` is published, and was drawn on since. */
export function chartStateOf({
  status,
  publishedAt,
  updatedAt,
}: Pick<Chart, 'status' | 'publishedAt' | 'updatedAt'>): ChartState {
  if (status === 'archived') return 'archived';
  if (publishedAt === null) return 'draft';
  return updatedAt > publishedAt ? 'changed' : 'published';
}

/** Every word stands in the name or the id. */
export function matching(charts: readonly Chart[], search: string): readonly Chart[] {
  const words = search.toLowerCase().split(/\s+/);
  return charts.filter(({ name, id }) => words.every((word) => `${name} ${id}`.toLowerCase().includes(word)));
}
