import type { ChartDocument } from '@parterre/shared/charts/document';

/** 100,000 seats in 200 sections of plain rows, eight zones, five categories. */
export function bowl(sections?: number): ChartDocument;
/** 20,000 places of every kind. */
export function theatreAndArena(): ChartDocument;
/** 118 places: what a fresh installation starts with. */
export function demoTheatre(): ChartDocument;
