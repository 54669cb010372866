/**
 * Run by mongosh: joins the three servers of compose.yaml to a replica set, and makes the catalog's user, who may read
 * and write one database. Running it again changes nothing, or sets a changed password.
 */
const { readFileSync } = require('node:fs');

const secret = (name) => readFileSync(`/run/secrets/${name}`, 'utf8').trim();
const root = `root:${secret('mongo-root-password')}`;
const servers = ['mongo-1', 'mongo-2', 'mongo-3'];

const first = connect(`mongodb://${root}@${servers[0]}/admin?directConnection=true`);
try {
  first.adminCommand({ replSetGetStatus: 1 });
} catch {
  const members = servers.map((server, index) => ({ _id: index + 1, host: `${server}:27017` }));
  first.adminCommand({ replSetInitiate: { _id: 'parterre', members } });
}

// Waits for the election of a primary.
const set = connect(`mongodb://${root}@${servers.join(',')}/admin?replicaSet=parterre`);
const store = set.getSiblingDB('parterre');
const user = { pwd: secret('mongo-catalog-password'), roles: [{ role: 'readWrite', db: 'parterre' }] };
if (store.getUser('catalog')) store.updateUser('catalog', user);
else store.createUser({ user: 'catalog', ...user });
