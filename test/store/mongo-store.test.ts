import { afterAll, describe, test } from 'vitest';
import { startMongo } from '../support/servers/mongo.ts';
import { accessLinksContract } from './access-links.ts';
import { accountsContract } from './accounts.ts';
import { mongoDatabase } from './adapters.ts';
import { catalogRaces } from './catalog-races.ts';
import { deliveriesContract } from './deliveries.ts';
import { deploymentContract } from './deployment.ts';
import { embeddedSessionsContract } from './embedded-sessions.ts';
import { groupsContract } from './groups/groups.ts';
import { ownerSessionsContract } from './groups/owner-sessions.ts';
import { listFieldsContract } from './list-fields.ts';
import { mintedAccessContract } from './minted-access.ts';
import { namedCallsContract } from './named-calls.ts';
import { orderedWritesContract } from './ordered-writes.ts';
import { bookingListsContract } from './projected/booking-lists.ts';
import { channelAuditsContract } from './projected/channel-audits.ts';
import { operationsContract } from './projected/operations.ts';
import { projectionsContract } from './projected/projections.ts';
import { rightsContract } from './rights.ts';
import { storeContract } from './store-contract.ts';

const mongo = await startMongo();

if ('missing' in mongo) {
  const told = `SKIPPED, the MongoDB store is not proven on this machine: ${mongo.missing}`;
  if (process.env.CI) throw new Error(told);
  console.warn(told);
  test.skip(told, () => {});
} else {
  afterAll(() => mongo.stop());
  describe(`the MongoDB store on ${mongo.kind}`, () => storeContract(mongoDatabase(mongo)));
  describe(`writes in order on ${mongo.kind}`, () => orderedWritesContract(mongoDatabase(mongo)));
  describe(`named calls on ${mongo.kind}`, () => namedCallsContract(mongoDatabase(mongo)));
  describe(`accounts on ${mongo.kind}`, () => accountsContract(mongoDatabase(mongo)));
  describe(`lists and counts of ${mongo.kind}`, () => listFieldsContract(mongoDatabase(mongo)));
  describe(`the deployment of ${mongo.kind}`, () => deploymentContract(mongoDatabase(mongo)));
  describe(`deliveries on ${mongo.kind}`, () => deliveriesContract(mongoDatabase(mongo)));
  describe(`access links on ${mongo.kind}`, () => accessLinksContract(mongoDatabase(mongo)));
  describe(`sessions to groups on ${mongo.kind}`, () => ownerSessionsContract(mongoDatabase(mongo)));
  describe(`performance groups on ${mongo.kind}`, () => groupsContract(mongoDatabase(mongo)));
  describe(`embedded sessions on ${mongo.kind}`, () => embeddedSessionsContract(mongoDatabase(mongo)));
  describe(`access that a revoked key gave on ${mongo.kind}`, () => mintedAccessContract(mongoDatabase(mongo)));
  describe(`projections on ${mongo.kind}`, () => projectionsContract(mongoDatabase(mongo)));
  describe(`the audit of channels on ${mongo.kind}`, () => channelAuditsContract(mongoDatabase(mongo)));
  describe(`lists of bookings on ${mongo.kind}`, () => bookingListsContract(mongoDatabase(mongo)));
  describe(`rights on ${mongo.kind}`, () => rightsContract(mongoDatabase(mongo)));
  describe(`operations over several events on ${mongo.kind}`, () => operationsContract(mongoDatabase(mongo)));
  describe(`two catalogs on ${mongo.kind}`, () => catalogRaces(mongoDatabase(mongo)));
}
