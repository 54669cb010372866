/** The public files of a chart, as an answer lists them. Pure. */

/** `parts`: `base` for the chart itself, and the ids of the sections that the file has. */
export type ChartFile = { hash: string; bytes: number; url: string; parts: readonly string[] };

/** The file that has the chart. A later server may list more files, which add to it. */
export const baseFile = (files: readonly ChartFile[]): ChartFile | null =>
  files.find(({ parts }) => parts.includes('base')) ?? null;
