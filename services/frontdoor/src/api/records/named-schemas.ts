/** Schemas of several rooms that stand in the API's description under a name of their own. */
import { chartDocument } from '@parterre/shared/chart/document';
import { keyInfo, organisation, user, webhookSub, workspace } from './account-records.ts';
import {
  buyerEvent,
  chartMeta,
  counts,
  errorBody,
  eventListItem,
  eventMeta,
  hold,
  issue,
  lineItem,
  rateLimited,
  report,
} from './records.ts';

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
