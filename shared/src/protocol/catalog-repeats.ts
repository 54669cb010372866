/**
 * Whether a caller may repeat an operation of the catalog that got no answer, by operation. A new operation does not
 * compile without its line. The sentences name the calls of the API, since callers of the API read them.
 */

import type { Repeat } from '../runtime/unheard.ts';
import type { CatalogInput, CatalogOperation } from './catalog-api.ts';

const harmless = 'harmless';
const organisations = look('GET /v1/admin/organisations/{id}');
const charts = look('GET /v1/charts/{id}');
const events = look('GET /v1/events/{key}');
const accessLinks = look('GET /v1/events/{key}/channels/{id}/access-links');
const seasons = look('GET /v1/seasons/{key}');
const webhooks = look('GET /v1/webhooks');
const workspaces = look('GET /v1/workspaces');
/** No call lists these sessions. A session whose token nobody has gives no access, and ends by itself. */
const lostSession: Repeat = { lookAt: 'A session whose token was lost ends by itself. Ask for another one.' };

function look(call: string): Repeat {
  return { lookAt: `Read ${call} before you repeat the call.` };
}

const repeats: Record<CatalogOperation, Repeat> = {
  'buyer-sessions.create': look('GET /v1/events/{key}/buyer-access-sessions'),
  // A page that is loaded again does the same.
  'buyer-sessions.open-public': harmless,
  'buyer-sessions.list': harmless,
  'buyer-sessions.revoke': harmless,
  'channel-access.summary': harmless,
  'channel-access.revoke': harmless,
  'access-links.create': accessLinks,
  'access-links.list': harmless,
  'access-links.rotate': accessLinks,
  'access-links.revoke': harmless,
  'access-links.check': harmless,
  'access-links.redeem': { lookAt: 'The redemption may have been counted. Another try counts again.' },
  'manage-sessions.create': look('GET /v1/events/{key}/manage-sessions'),
  'manage-sessions.list': harmless,
  'manage-sessions.revoke': harmless,
  'designer-sessions.create': look('GET /v1/designer/sessions'),
  'designer-sessions.list': harmless,
  'designer-sessions.revoke': harmless,

  'organisations.create': look('GET /v1/admin/organisations'),
  'organisations.list': harmless,
  'organisations.get': harmless,
  'organisations.change': harmless,
  'organisations.add-credits': organisations,
  'credits.list': harmless,
  'audit.list': harmless,
  'keys.create': look('GET /v1/admin/organisations/{id}/keys'),
  'keys.list': harmless,
  'keys.change': harmless,
  'keys.revoke': harmless,
  'users.create': look('GET /v1/admin/organisations/{id}/users'),
  'users.list': harmless,
  'users.get': harmless,
  'users.change-role': harmless,
  'users.delete': harmless,
  // A login whose cookie was lost gives no access.
  'sessions.create': harmless,
  // A repetition is refused like a replay, and the person signs in again.
  'sign-ins.use': { lookAt: 'Sign in again.' },
  'sessions.open-external': harmless,
  'sessions.end': harmless,
  'sessions.list': harmless,
  'sessions.end-some': harmless,
  // A repetition with the old password is refused, and changes nothing.
  'passwords.change': harmless,
  // A token that nobody has gives no access.
  'passwords.begin-reset': harmless,
  'passwords.reset': harmless,
  'credentials.resolve': harmless,

  // A repetition books nothing twice, and its Idempotency-Key finds the import.
  'booking-imports.begin': harmless,
  'booking-imports.lines': harmless,
  'booking-imports.end': harmless,
  'booking-imports.get': harmless,
  'booking-imports.issues': harmless,

  'charts.list': harmless,
  'charts.create': look('GET /v1/charts'),
  'charts.meta': harmless,
  'charts.get': harmless,
  'charts.update': charts,
  'charts.duplicate': look('GET /v1/charts'),
  'charts.publish': charts,
  'charts.preview-publish': harmless,
  'charts.archive': charts,
  'charts.unarchive': charts,
  'charts.delete': harmless,
  'charts.add-panoramas': { lookAt: 'A repetition makes another manifest.' },
  'chart-imports.begin': look('GET /v1/chart-imports'),
  // The id of the chart follows from the import.
  'chart-imports.finish': harmless,
  'chart-imports.fail': harmless,
  'chart-imports.get': harmless,
  'chart-imports.list': harmless,
  'plans.get': harmless,
  // A plan is named by its content.
  'plans.adjust': harmless,
  'plans.carry-adjustments': harmless,

  'deliveries.record': harmless,
  'deliveries.list': harmless,
  'deliveries.get': harmless,
  'deliveries.undelivered': harmless,
  'deliveries.known': harmless,

  'events.create': look('GET /v1/events'),
  'events.list': harmless,
  'events.inspect': harmless,
  'events.update': events,
  // The facts come from the journal, with their time.
  'events.settle': harmless,
  'events.aim-chart': harmless,
  'events.batch': harmless,
  'events.set-poster': events,
  'events.configuration': harmless,
  // A repetition of a change that stands is refused, and changes nothing.
  'events.set-configuration': harmless,
  'assets.get': harmless,
  'events.get': harmless,

  'groups.create': look('GET /v1/performance-groups'),
  'groups.list': harmless,
  'groups.get': harmless,
  'groups.find': harmless,
  'groups.delete': harmless,
  // A repetition of a step that began is refused, and changes nothing.
  'groups.activate': harmless,
  'groups.close': harmless,
  'groups.lifecycle': harmless,
  'groups.cancel-booking': harmless,
  'groups.cancellations': harmless,

  'history.log': harmless,
  'history.audit': harmless,
  'history.bookings': harmless,
  'history.booking': harmless,
  'history.last-part': harmless,
  'history.parts': harmless,
  'occurrences.page': harmless,

  // The run names the call.
  'idempotency.begin': harmless,
  'idempotency.end': harmless,

  // No call shows the token again. A session whose token nobody has gives no access.
  'owner-sessions.create': lostSession,
  'owner-sessions.open-public': harmless,
  'owner-sessions.adopt': harmless,
  'owner-sessions.list': harmless,
  'owner-sessions.revoke': harmless,
  'operations.get': harmless,
  'operations.by-action': harmless,
  'operations.by-booking-ref': harmless,
  'operations.list': harmless,
  'operations.note': harmless,
  'operations.noted': harmless,
  'operations.settle': harmless,

  'projections.rebuild': harmless,
  'projections.state': harmless,
  'projections.position': harmless,
  'projections.events': harmless,

  'rights.lookup': harmless,
  'rights.contracts': harmless,
  'rights.count-offers': harmless,
  'rights.begin-import': { lookAt: 'Nothing is imported before its end. Repeat the call.' },
  'rights.import-rows': harmless,
  'rights.end-import': harmless,
  'rights.import': harmless,
  'rights.rows': harmless,
  'rights.offer': look('GET /v1/seasons/{key}/renewal-offers'),
  'rights.offers': harmless,
  'rights.get-offer': harmless,
  // A repeated move finds the offer as the first left it.
  'rights.move-offer': harmless,
  'rights.find-offer': harmless,
  'rights.answer-offer': harmless,

  'seasons.list': harmless,
  'seasons.validate': harmless,
  'seasons.create': look('GET /v1/seasons'),
  'seasons.get': harmless,
  'seasons.find': harmless,
  'seasons.update': seasons,
  'seasons.delete': harmless,
  // A step is named by its revision: a repetition finds it.
  'seasons.activate': harmless,
  'seasons.close': harmless,
  'seasons.archive': harmless,
  'seasons.lifecycle': harmless,
  'seasons.create-plan': seasons,
  'seasons.publish-plan': harmless,
  'seasons.supersede-plan': harmless,
  'seasons.move-sales': harmless,
  'seasons.duplicate-to-live': look('GET /v1/seasons'),
  'seasons.occurrences': harmless,
  'seasons.amend': look('GET /v1/seasons/{key}/amendments'),
  'seasons.amendments': harmless,
  'seasons.amendment': harmless,
  'seasons.audit': harmless,
  'seasons.outbox': harmless,
  'seasons.outbox-numbers': harmless,
  'seasons.replay': look('GET /v1/seasons/{key}/outbox'),
  'seasons.rehearse': harmless,
  // An occurrence that nobody settles is due again.
  'seasons.take-due': harmless,
  'seasons.settle-due': harmless,
  'seasons.note': harmless,
  // The caller names a cancellation.
  'seasons.cancel-booking': harmless,
  'seasons.cancellations': harmless,

  'webhooks.create': webhooks,
  'webhooks.list': harmless,
  'webhooks.update': webhooks,
  'webhooks.rotate-secret': { lookAt: 'The old secret may be void. Rotate the secret again to have a valid one.' },
  'webhooks.delete': harmless,
  'webhooks.recover': harmless,
  'webhooks.take-recoveries': harmless,
  'webhooks.note-recovery': harmless,
  'webhooks.matching': harmless,
  'webhooks.signing': harmless,

  'workspaces.list': harmless,
  'workspaces.get': harmless,
  'workspaces.create': workspaces,
  'workspaces.update': workspaces,
};

/** A call that the caller named (Idempotency-Key) is found again by its `callId`. A dry run changes nothing. */
export function repeatOfOperation<O extends CatalogOperation>(operation: O, input: CatalogInput<O>): Repeat {
  if ('callId' in input && input.callId !== undefined) return harmless;
  return 'dryRun' in input && input.dryRun ? harmless : repeats[operation];
}
