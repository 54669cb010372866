/**
 * Names that people read: of events, charts, plans, workspaces, organisations, channels, venues. Shops put names into
 * mail headers, tickets and lists. So a name has no line end, no other control character, and no character that turns
 * the direction of the text around it. Names in right-to-left scripts need none of these. The marks and joiners that
 * their spelling needs (U+200C to U+200F, U+061C) stay allowed. Pure.
 */
import { z } from 'zod';

/**
 * Control characters, line and paragraph separators, embeddings, overrides and isolates of direction, half a surrogate
 * pair.
 */
const hiddenCharacter = /[\p{Cc}\p{Surrogate}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

const message =
  'Must be one line of visible text. Leave out line ends, other control characters, and characters that override ' +
  'the direction of text.';

/** A text without hidden characters. Blanks at both ends are dropped first, so a line end there harms nobody. */
export const visibleText = z
  .string()
  .trim()
  .refine((text) => !hiddenCharacter.test(text), message);
