/** The keys that an event may get for its slug. */
import { slugLengthMax } from '../../store/rules/bounds.ts';

/** `slug`, then `slug-2`, `slug-3`, …; the slug is cut where the suffix would make the key too long. */
export function keyCandidate(slug: string, attempt: number): string {
  return attempt === 0 ? slug : withSuffix(slug, `-${attempt + 1}`);
}

/** `slug` with another suffix, for slugs whose first candidates are taken. */
export function withSuffix(slug: string, suffix: string): string {
  return slug.slice(0, slugLengthMax - suffix.length) + suffix;
}
