/** What a manage session is asked to be able to (specification, Authentication 5). Pure. */
import { type Capability, capabilities } from '@parterre/shared/catalog/scope';
import { done, type Outcome, refuse } from '@parterre/shared/errors';

const known = new Set<unknown>(capabilities);

/** Left out it is exactly event:view; what is no list of known names, and a list of none, is refused. Each counts once. */
export function capabilitiesOf(asked: unknown): Outcome<Capability[]> {
  if (asked === undefined) return done(['event:view']);
  const named = Array.isArray(asked) ? asked : [];
  const issues = named.flatMap((each, index) =>
    known.has(each) ? [] : [{ path: `capabilities.${index}`, message: 'is no capability that there is' }],
  );
  if (named.length > 0 && issues.length === 0) return done([...new Set<Capability>(named)]);
  const message = `capabilities is a list of at least one of ${capabilities.join(', ')}.`;
  return refuse('invalid_capabilities', message, issues.length === 0 ? {} : { details: { issues } });
}
