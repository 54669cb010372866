/** Once before all tests: a nats-server is there, so that files that run side by side do not each fetch one. */
import { findNatsServer } from '../../scripts/launch/find-nats-server.ts';

export default async function setup(): Promise<void> {
  const found = await findNatsServer({ say: (line) => console.log(line) });
  if (!found.found) throw new Error(found.message);
}
