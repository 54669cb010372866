import { afterAll, describe, test } from 'vitest';
import { startMongo } from '../support/servers/mongo.ts';
import { accessLinksContract } from './access-links.ts';
import { accountsContract } from './accounts.ts';
import { mongoDatabases } from './adapters.ts';
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
import { occurrencesContract } from './projected/occurrences.ts';
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
  const databases = mongoDatabases(mongo);
  afterAll(async () => {
    await databases.close();
    await mongo.stop();
  });
  describe(`the MongoDB store on ${mongo.kind}`, () => storeContract(databases.make));
  describe(`writes in order on ${mongo.kind}`, () => orderedWritesContract(databases.make));
  describe(`named calls on ${mongo.kind}`, () => namedCallsContract(databases.make));
  describe(`accounts on ${mongo.kind}`, () => accountsContract(databases.make));
  describe(`lists and counts of ${mongo.kind}`, () => listFieldsContract(databases.make));
  describe(`the deployment of ${mongo.kind}`, () => deploymentContract(databases.make));
  describe(`deliveries on ${mongo.kind}`, () => deliveriesContract(databases.make));
  describe(`access links on ${mongo.kind}`, () => accessLinksContract(databases.make));
  describe(`sessions to groups on ${mongo.kind}`, () => ownerSessionsContract(databases.make));
  describe(`performance groups on ${mongo.kind}`, () => groupsContract(databases.make));
  describe(`embedded sessions on ${mongo.kind}`, () => embeddedSessionsContract(databases.make));
  describe(`access that a revoked key gave on ${mongo.kind}`, () => mintedAccessContract(databases.make));
  describe(`projections on ${mongo.kind}`, () => projectionsContract(databases.make));
  describe(`the audit of channels on ${mongo.kind}`, () => channelAuditsContract(databases.make));
  describe(`the list of occurrences on ${mongo.kind}`, () => occurrencesContract(databases.make));
  describe(`lists of bookings on ${mongo.kind}`, () => bookingListsContract(databases.make));
  describe(`rights on ${mongo.kind}`, () => rightsContract(databases.make));
  describe(`operations over several events on ${mongo.kind}`, () => operationsContract(databases.make));
  describe(`two catalogs on ${mongo.kind}`, () => catalogRaces(databases.make));
}
