/** The capabilities that a new manage session asks for. Pure. */
import { type Capability, capabilities } from '@parterre/shared/catalog/scope';
import { done, type Outcome, refuse } from '@parterre/shared/errors';

const known = new Set<unknown>(capabilities);

/**
 * An absent list means exactly event:view. A repeated name counts once. An empty list, an unknown name or a value that
 * is no list is refused with `invalid_capabilities`.
 */
export function capabilitiesOf(asked: unknown): Outcome<Capability[]> {
  if (asked === undefined) return done(['event:view']);
  const named = Array.isArray(asked) ? asked : [];
  const issues = named.flatMap((each, index) =>
    known.has(each) ? [] : [{ path: `capabilities.${index}`, message: 'Must be a known capability.' }],
  );
  if (named.length > 0 && issues.length === 0) return done([...new Set<Capability>(named)]);
  const message = `Send capabilities as a list of at least one of ${capabilities.join(', ')}.`;
  return refuse('invalid_capabilities', message, issues.length === 0 ? {} : { details: { issues } });
}
