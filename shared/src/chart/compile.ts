import type { Issue } from '../errors.ts';
import type { ChartDocument } from './document.ts';
import type { Plan } from './plan.ts';

export function compilePlan(_document: ChartDocument, _hash: string): Plan {
  throw new Error('not yet');
}
export function publishIssues(_document: ChartDocument): Issue[] {
  throw new Error('not yet');
}
/** Guests and places each category sells, by key; categories that sell nothing appear with 0. */
export function categorySeats(_plan: Plan): Record<string, number> {
  throw new Error('not yet');
}
/** `categorySeats` of a draft, which need not compile. */
export function draftCategorySeats(_document: ChartDocument): Record<string, number> {
  throw new Error('not yet');
}
/** Units of a draft, which need not compile. */
export function draftSeatTotal(_document: ChartDocument): number {
  throw new Error('not yet');
}
