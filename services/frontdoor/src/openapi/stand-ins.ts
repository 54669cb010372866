/**
 * Values in the examples for ids and event keys, which only the server can make. The description lists their meaning
 * (`x-stand-ins`). A reader who sends an example replaces them with real values.
 */
export const standIn = {
  organisation: 'org_5fQwPmT2xKc8Rb1NzYdA',
  key: 'key_9sLr3VhJ7uXe0GoWk4Dt',
  user: 'usr_0bGy6TcS4nWv8QzKj1Mh',
  email: 'box.office@theatre.example',
  lockedEmail: 'locked.out@theatre.example',
  userSession: 'dsh_4e1c9a70b2d85f36a1c0e9d7',
  member: 'usr_6cXq4RtN9wLz2VbKs7YmPd',
  ownKey: 'key_3nTk7WzQ1xLb9RcVs5Hm2Y',
  memberSession: 'dsh_9b0f4c71a2d85e36f1c0a9d7',
  resetToken: 'prt_0bGy6TcS4nWv8QzKj1Mh_7dRk2XnQ9wTz4VbLc6Ym3HsJ8fGt1PeW5oKa0BuN2qSr',
  workspace: 'ws_7dHn2YpQ4rKj9TbVxM3s',
  chart: 'cht_2mXa9LcP6tWf4ZrKd8Yh',
  draftChart: 'cht_6vBn1RqJ8sTy3GwLc5Xe',
  demoDraft: 'cht_9wRt5KxB2nYc7ZqHv4Mf',
  demoDraftToken: 'dse_6nVx3WkR8tYq1LbZc5Hg2PmJs9Df4TaQ7uXe0KoBi',
  archivedChart: 'cht_4kDs7WzM2pHu9VfNa1Qr',
  unusedChart: 'cht_8jGt5YxE3bRo0CkPm6Lw',
  chartImport: 'imp_9cKt2WnX5rQb8LzVy4Gm',
  eventWithImport: 'moved-gala',
  bookingImport: 'bim_4wTk9LnX2rQz7VbYc6Hm',
  chartVersion: 1_785_542_400_123,
  chartOfDisabledWorkspace: 'cht_1hFw9NvU5qSz2EpBj4Tg',
  event: 'spring-gala',
  heldEvent: 'summer-gala',
  soldEvent: 'midsummer-night',
  closedEvent: 'winter-gala',
  endedEvent: 'last-gala',
  archivedEvent: 'first-gala',
  eventWithLostSeats: 'lost-gala',
  eventWithGuests: 'dinner-gala',
  asset: 'ast_6cXq4RtN9wLz2VbKs7Ym',
  chartFile: 'q7XcN2wLz9RtV4bKs6YmH1pJf8GdTa3QuZe0KoBiWvS',
  audience: 'n4VbKs7YmR2tQz8LcX5wHd',
  liveEvent: 'new-year-gala',
  managedEvent: 'house-gala',
  eventWithReleases: 'early-gala',
  eventWithSelectionRules: 'tidy-gala',
  release: 'rel_5nHs2YtQ8cWz1LbVk4Xd',
  eventWithListing: 'resold-gala',
  eventWithReservation: 'school-gala',
  reservation: 'rsv_3nTk7WzQ1xLb9RcVs5Hm2Y',
  reservedUntil: 1_785_542_400_019,
  eventWithChannel: 'presale-gala',
  channel: 'chn_2wKd7ZtR5nXb9VcLq3Mf',
  assignmentVersion: 1_785_542_400_007,
  archivedChannel: 'chn_6pHj1TsW8gYe4QzNv0Rk',
  listing: 'lst_1zQf6XcN3vKt8RmBw4Yj',
  eventWithSessions: 'members-gala',
  buyerSession: 'ses_5vLc8QmX2tYr7WzKb4Hj',
  manageSession: 'ses_0nTg6RwF9xBs3VqMd1Pk',
  designerSession: 'ses_7yHf4ZsJ1cNv8XtLw2Qb',
  eventWithAccessLink: 'newsletter-gala',
  linkedChannel: 'chn_8mBq3XrW6tKz1VcNp5Yd',
  accessLink: 'lnk_1rXk9TnV4wQz6YbLs8Gf',
  hold: 'hld_8tRz4WqLm1XcVb6NpY2k',
  capability: 'acl_7dRk2XnQ9wTz4VbLc6Ym3HsJ8fGt1PeW5oKa0BuN2qSr',
  publishableKey: 'pk_test_2hTq8WcN5xKr1VbYs6LmZ4',
  group: 'pg_4nTz7WbQ2xLc9RkVs6Hm',
  evening: 'monday-run',
  nextEvening: 'tuesday-run',
  draftGroup: 'pg_8rKx1VnT5zQw3LbYc7Fd',
  groupStep: 'op_2vXq6LsT9nRb4ZwKc8Jh',
  groupSession: 'ses_3bWk8TzQ6xNr1LvYs5Gd',
  groupSessionToken: 'bgs_2wYk8TzQ6xNr1LvYs5GdXb3Kc9Rt7WqZ4mHj0P',
  groupEvent: 'spring-run',
  groupLaterEvent: 'spring-run-2',
  groupHold: 'pghop_order-2001',
  bookedAction: 'book-2000',
  sourceGroup: 'pg_9tBn4LzXc6WqRy1KvMh2',
  season: 'sea_6pWk3TzN8xRq1LbYv5Gd',
  draftSeason: 'sea_1xVn9TrQ4zKw7LbYc2Fd',
  openSeason: 'sea_4bTz2WqX7nLc9RkVs5Hm',
  pausedSeason: 'sea_8nRk5VsT1zQw3LbYc6Jd',
  closedSeason: 'sea_0vXq7LsT4nRb2ZwKc9Jh',
  soldSeason: 'sea_5wTz9LbQ1xNc3RkVs8Hm',
  rehearsedSeason: 'sea_8mKv2TzQ6xLb4RnWs9Hc',
  soldActivation: 'spa_7nTz4WbX2qLc6RkVs1Hm',
  seasonSession: 'ses_9vXq3LsT5nRb8ZwKc2Jh',
  seasonHold: 'sop_order-3001',
  seasonBooking: 'book-3000',
  seasonEvent: 'opening-night',
  seasonStep: 'slc_5kTz8WbQ3xLc1RkVs7Hm',
  publishedPlan: 'spl_2nTz6WbQ9xLc4RkVs8Hm',
  draftPlan: 'spl_7rKx3VnT1zQw5LbYc9Fd',
  openPlan: 'spl_1wKd4ZtR8nXb6VcLq2Mf',
  liveEvening: 'monday-on-sale',
  liveNextEvening: 'tuesday-on-sale',
  planActivation: 'spa_4rKx9VnT2zQw6LbYc1Fd',
  seasonImport: 'shi_8bTz3WqX6nLc1RkVs4Hm',
  offer: 'sro_6nRk1VsT8zQw2LbYc5Jd',
  soldOffer: 'sro_9kTz4WbQ7xLc3RkVs1Hm',
  amendment: 'sam_3vXq9LsT6nRb1ZwKc4Jh',
  outboxOccurrence: 'occ_5tYp2MwQ8kVd4XzLs7Nc',
  webhook: 'whk_3pKd8SgVn5JxTq2RmZ7c',
  webhookWithDelivery: 'whk_9tBn4LzXc6WqRy1KvMh2',
  delivery: 'dlv_6yHc3QsWk8ZtVx5NbRj7',
} as const;

/** The password of every user in the examples. */
export const standInPassword = 'seven seats in row C';

export type StandInName = keyof typeof standIn;

export const meaningOfStandIns: Record<StandInName, string> = {
  organisation: 'An organisation.',
  key: 'A secret key of the organisation.',
  user: 'A user of the organisation.',
  email: 'The email of the user. The examples have the password.',
  userSession: 'A dashboard session of the user.',
  member: 'A user of the organisation that calls.',
  ownKey: 'A key of the organisation that calls.',
  memberSession: 'A dashboard session of this user.',
  resetToken: 'A token that sets a new password of this user.',
  lockedEmail: 'An email whose login has just failed five times.',
  workspace: "The organisation's default workspace.",
  chart: 'A published chart with the rows A, B and C, the area Floor and the table T1.',
  draftChart: 'A draft chart.',
  demoDraft: 'A drawing of a visitor of the demo, made from a template.',
  demoDraftToken: 'The token of this drawing.',
  archivedChart: 'A chart in the archive.',
  unusedChart: 'A chart that no event uses.',
  chartImport: 'An import of a chart.',
  chartVersion: 'The `updatedAt` of the draft chart.',
  chartOfDisabledWorkspace: 'A published chart of a disabled workspace.',
  event: 'The key of a test event on sale, made from the published chart.',
  heldEvent: 'The key of an event with a hold.',
  soldEvent: 'The key of an event in which order-1000 has booked A-7 and A-8.',
  closedEvent: 'The key of an event that is closed for sale.',
  endedEvent: 'The key of a closed event whose end has passed.',
  archivedEvent: 'The key of an archived event.',
  eventWithLostSeats: 'The key of an event with a booked seat that the latest version of its chart lacks.',
  eventWithGuests: 'The key of an event in which a chair of the table is booked.',
  asset: 'The picture of a poster.',
  chartFile: 'The public file of the chart of an event.',
  audience: 'The public sale of the test event on sale, in the address of its statuses.',
  liveEvent: 'The key of a live event.',
  managedEvent: 'The key of an event with managed ticketing.',
  eventWithReleases: 'The key of an event with one ticket release.',
  eventWithSelectionRules:
    'The key of an event whose buyers may leave no single free seat, and hold two children at most.',
  release: 'The ticket release of the event with one ticket release.',
  eventWithListing: 'The key of an event in which a booked seat is listed for resale.',
  eventWithReservation: 'The key of an event with a reservation.',
  reservation: 'The reservation of A-1, A-2 and A-3 of the event with a reservation.',
  reservedUntil: 'A time in the future, at most 400 days from now.',
  eventWithChannel: 'The key of an event with a channel that has A-1 to A-4, and with an archived channel.',
  channel: 'The channel that has A-1 to A-4, Club members.',
  assignmentVersion: 'The `assignmentVersion` of the event with a channel.',
  archivedChannel: 'The archived channel.',
  listing: 'The listing of the event in which a booked seat is listed for resale.',
  eventWithSessions: 'The key of an event with a buyer’s session and a manage session.',
  buyerSession: 'The buyer’s session of the event with sessions.',
  manageSession: 'The manage session of the event with sessions.',
  designerSession: 'A designer session.',
  eventWithAccessLink: 'The key of an event with a channel that has an access link.',
  linkedChannel: 'The channel that has an access link.',
  accessLink: 'The access link of the channel.',
  hold: 'The active hold of A-5 and A-6 of the event with a hold.',
  capability: 'The capability in the fragment of the access link’s address.',
  publishableKey: 'A publishable test key, registered for https://shop.example.',
  group: 'An active performance group of two events.',
  evening: 'The key of an event with a start.',
  nextEvening: 'The key of an event of the same chart with a later start.',
  draftGroup: 'A draft of a performance group.',
  groupStep: 'The activation of the active performance group.',
  groupSession: 'A buyer’s session to the active performance group.',
  groupSessionToken: 'The token of an earlier session to the active performance group.',
  groupEvent: 'The key of the first event of the active performance group.',
  groupLaterEvent: 'The key of the second event of the active performance group.',
  groupHold: 'The caller’s name of an active hold of the active performance group, of A-1.',
  bookedAction: 'The caller’s name of a booking of the active performance group.',
  season:
    'An active season of two events at revision 6. It has a published plan and a draft, and its sales are closed.',
  sourceGroup: 'An active performance group of two events without a hold.',
  draftSeason: 'A draft of a season of two events, at revision 1.',
  openSeason: 'A season like the active one whose sales are open, at revision 7.',
  pausedSeason: 'A season like the active one whose sales are paused, at revision 8.',
  closedSeason: 'A season like the active one that was closed, at revision 8.',
  soldSeason: 'A season on sale, with a hold and a booking.',
  rehearsedSeason: 'A season on sale, with a cancelled booking whose webhooks a receiver has accepted.',
  soldActivation: 'The publication of the season that is on sale, which its buyers’ sessions sell.',
  seasonSession: 'A buyer’s session to the season that is on sale.',
  seasonHold: 'The caller’s name of an active hold of the season that is on sale, of A-1.',
  seasonBooking: 'The caller’s name of a booking of the season that is on sale: order-3000 has booked A-19.',
  seasonEvent: 'The key of the first event of the active season.',
  seasonStep: 'The activation of the active season.',
  publishedPlan: 'The published plan of the active season.',
  draftPlan: 'The draft of a plan of the active season.',
  openPlan: 'The published plan of the season whose sales are open.',
  liveEvening: 'The key of a live event of the draft season’s chart.',
  liveNextEvening: 'The key of another live event of the draft season’s chart.',
  planActivation: 'The `activationId` of the published plan of the active season.',
  eventWithImport: 'An event with an import of bookings.',
  bookingImport: 'The import of this event.',
  seasonImport: 'An import of the active season.',
  offer: 'An open offer of the active season.',
  soldOffer: 'An open offer of the season that is on sale.',
  amendment: 'The amendment of the active season.',
  outboxOccurrence: 'An occurrence in the outbox of the active season.',
  webhook: 'A webhook subscription.',
  webhookWithDelivery: 'A webhook subscription with a delivery.',
  delivery: 'The delivery of the subscription with a delivery.',
};

/** The usual stand-in of a path parameter. */
export function usualParameter(path: string, name: string): string {
  if (path.includes('/performance-groups/')) return ofGroups[name] ?? name;
  if (salesOfSeasons.test(path)) return ofSeasonSales[name] ?? name;
  if (path.startsWith('/v1/seasons/')) return ofSeasons[name] ?? name;
  if (path.includes('/reservations/{id}')) return name === 'key' ? standIn.eventWithReservation : standIn.reservation;
  if (name === 'token') return standIn.soldOffer;
  if (name === 'key') return standIn.event;
  if (name === 'assetId') return standIn.asset;
  if (name === 'hash') return standIn.chartFile;
  if (name === 'audienceId') return standIn.audience;
  if (name === 'holdId') return standIn.hold;
  const isOwn = path.startsWith('/v1/dashboard/');
  if (name === 'keyId') return isOwn ? standIn.ownKey : standIn.key;
  if (name === 'userId') return isOwn ? standIn.member : standIn.user;
  if (name === 'dashboardSessionId') return isOwn ? standIn.memberSession : standIn.userSession;
  if (name === 'deliveryId') return standIn.delivery;
  if (name === 'linkId') return standIn.accessLink;
  if (name === 'sessionId') return standIn.buyerSession;
  if (path.startsWith('/v1/admin/organisations/')) return standIn.organisation;
  if (path.includes('/channels/')) return standIn.channel;
  if (path.includes('/releases/')) return standIn.release;
  if (path.startsWith('/v1/charts/')) return standIn.chart;
  if (path.startsWith('/v1/webhooks/')) return standIn.webhook;
  if (path.startsWith('/v1/workspaces/')) return standIn.workspace;
  return name;
}

const ofGroups: Record<string, string> = {
  key: standIn.group,
  operationId: standIn.groupHold,
  actionId: standIn.bookedAction,
  sessionId: standIn.groupSession,
};

const salesOfSeasons = /^\/pub\/seasons\/|^\/v1\/seasons\/\{key\}\/(holds|bookings|buyer-access-sessions)/;
const ofSeasonSales: Record<string, string> = {
  key: standIn.soldSeason,
  operationId: standIn.seasonHold,
  holdId: standIn.seasonHold,
  actionId: standIn.seasonBooking,
  sessionId: standIn.seasonSession,
};

const ofSeasons: Record<string, string> = {
  key: standIn.season,
  operationId: standIn.seasonStep,
  planKey: standIn.publishedPlan,
  amendmentId: standIn.amendment,
  importId: standIn.seasonImport,
  offerId: standIn.offer,
  occurrenceId: standIn.outboxOccurrence,
};
