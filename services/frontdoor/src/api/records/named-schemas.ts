/** Schemas of several rooms that have their own name in the API's description. */
import { chartDocument } from '@parterre/shared/chart/document';
import { keyInfo, organisation, user, webhookSub, workspace } from './account-records.ts';
import { chartMeta } from './chart-records.ts';
import { buyerEvent, counts, eventListItem, eventMeta } from './event-records.ts';
import { errorBody, issue, rateLimited } from './refusal-records.ts';
import { hold, lineItem, report } from './sale-records.ts';

export const namedSchemas = {
  ChartDocument: chartDocument,
  Error: errorBody,
  RateLimited: rateLimited,
  Counts: counts,
  Organisation: organisation,
  Key: keyInfo,
  User: user,
  Workspace: workspace,
  ChartMeta: chartMeta,
  EventMeta: eventMeta,
  EventListItem: eventListItem,
  LineItem: lineItem,
  Hold: hold,
  Report: report,
  WebhookSubscription: webhookSub,
  BuyerEvent: buyerEvent,
  Issue: issue,
};
