/** The counts of an event, with the settings that callers need beside them. */
import type { Answers } from '@parterre/shared/protocol/answers';
import { countsOf, type ReadState } from '../state/state.ts';

export function eventCount(state: ReadState): Answers['count'] {
  const { holdTtlMs, status, salesPaused, sectionStates, config, version } = state;
  const { planHash, chartVersion = null, selectionRules, publicSale } = config;
  const ruledScopes = Object.keys(state.availability.rules);
  return {
    ...(state.channels.assigned > 0 && { privateUnits: state.channels.assigned }),
    ...(ruledScopes.length > 0 && { ruledScopes }),
    ...(selectionRules && { selectionRules }),
    ...(publicSale && { publicSale }),
    ...(state.plan.adjusted && { adjusted: true }),
    counts: countsOf(state),
    holdTtlMs,
    status,
    salesPaused,
    sectionStates,
    planHash,
    chartVersion,
    version,
  };
}
