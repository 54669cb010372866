/**
 * Seasons: the same seats of many events, sold as one. A season names its occurrences for good. Its document has the
 * structure, the plans and the sales state, so each change is one checked write. Holds and bookings are operations over
 * the events, and change no season.
 *
 *   season-create.ts      validate, create, duplicate to live
 *   season-moves.ts       details, sales, plans, deletion
 *   season-lifecycle.ts   activation, close, archive: the steps that lock the events
 *   season-amendments.ts  changes of one occurrence; finish-amendment.ts carries them to the event
 *   season-notes.ts       audit and outbox; season-logs.ts reads the audit
 *   season-outbox.ts      the outbox, on its way to the notifiers; webhooks/outbox-attempts.ts counts their attempts
 *   season-rehearsals.ts  whether a sale and its webhooks were rehearsed
 */
import type { SeasonOutboxOperations } from '@parterre/shared/protocol/catalog/season-outbox';
import type { SeasonOperations } from '@parterre/shared/protocol/catalog/seasons';
import { done } from '@parterre/shared/protocol/errors';
import { listPage, type OperationTable, type Ports } from '../store/operations.ts';
import { listName } from '../store/rules/lists.ts';
import { seasons } from '../store/season-collections.ts';
import { findSeason, seasonOf, seasonUnknown } from './season-access.ts';
import { amendSeason, listAmendments, listOccurrences, readAmendment } from './season-amendments.ts';
import { createSeason, duplicateToLive, validateSeason } from './season-create.ts';
import type { SeasonLifecycles } from './season-lifecycle.ts';
import { noteSeason, readAudit } from './season-logs.ts';
import { createPlan, deleteSeason, moveSales, publishPlan, supersedePlan, updateSeason } from './season-moves.ts';
import { countOutbox, readOutbox, replayOccurrence, settleDue, takeDue } from './season-outbox.ts';
import { rehearse } from './season-rehearsals.ts';

type SeasonOperation = keyof (SeasonOperations & SeasonOutboxOperations);

export function createSeasonOperations(ports: Ports, lifecycles: SeasonLifecycles): OperationTable<SeasonOperation> {
  const { store } = ports;
  return {
    async 'seasons.list'({ scope, page, workspaceId, structureState }) {
      const within = workspaceId ?? scope.workspaceId;
      if (scope.workspaceId !== null && within !== scope.workspaceId) return done({ seasons: [] });
      const filters = [scope.mode, within, structureState ?? null];
      const found = { index: 'byList', equal: [listName(scope.organisationId, filters)], descending: true };
      const { items, more } = await listPage(store, seasons, found, page, (document) => seasonOf(document).season);
      return done({ seasons: items, ...more });
    },

    async 'seasons.get'(input) {
      const found = await findSeason(store, input);
      return found.ok ? done(seasonOf(found.value)) : found;
    },

    async 'seasons.find'({ seasonKey }) {
      const found = await store.get(seasons, seasonKey);
      return found && !found.value.gone ? done(seasonOf(found)) : seasonUnknown();
    },

    'seasons.validate': (input) => validateSeason(ports, input),
    'seasons.create': (input) => createSeason(ports, input),
    'seasons.duplicate-to-live': (input) => duplicateToLive(ports, input),
    'seasons.update': (input) => updateSeason(ports, input),
    'seasons.delete': (input) => deleteSeason(ports, input),
    'seasons.create-plan': (input) => createPlan(ports, input),
    'seasons.publish-plan': (input) => publishPlan(ports, input),
    'seasons.supersede-plan': (input) => supersedePlan(ports, input),
    'seasons.move-sales': (input) => moveSales(ports, input),
    'seasons.activate': (input) => lifecycles.activate(input),
    'seasons.close': (input) => lifecycles.close(input),
    'seasons.archive': (input) => lifecycles.archive(input),
    'seasons.lifecycle': (input) => lifecycles.read(input),
    'seasons.occurrences': (input) => listOccurrences(ports, input),
    'seasons.amend': (input) => amendSeason(ports, input),
    'seasons.amendments': (input) => listAmendments(ports, input),
    'seasons.amendment': (input) => readAmendment(ports, input),
    'seasons.audit': (input) => readAudit(store, input),
    'seasons.outbox': (input) => readOutbox(store, input),
    'seasons.outbox-numbers': (input) => countOutbox(store, input),
    'seasons.replay': (input) => replayOccurrence(ports, input),
    'seasons.rehearse': (input) => rehearse(ports, input),
    'seasons.take-due': () => takeDue(ports),
    'seasons.settle-due': (input) => settleDue(store, input),
    'seasons.note': (input) => noteSeason(store, input),
  };
}
