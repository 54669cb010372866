/**
 * The NATS servers of one machine. Their ports are picked before the first one starts, because each has to know the
 * others' routes. One server runs alone; several form a JetStream cluster.
 */
import { newPassword } from './nats-users.ts';
import { pickPorts } from './port.ts';

export type NatsMember = {
  port: number;
  url: string /** Lines for nats.conf that make it one of several. */;
  config: string;
};

export async function natsMembers(names: string[]): Promise<NatsMember[]> {
  const ports = await pickPorts(2 * names.length);
  const routePorts = ports.slice(names.length);
  const password = newPassword();
  const routes = routePorts.map((port) => `nats://route:${password}@127.0.0.1:${port}`);
  return names.map((name, index) => {
    const port = ports[index]!;
    return {
      port,
      url: `nats://127.0.0.1:${port}`,
      config: names.length === 1 ? '' : clusterConfig(name, routePorts[index]!, routes, password),
    };
  });
}

/**
 * The launcher gives clients every address. A server that advertised the others' addresses would lead clients past the
 * links that a test has put in between.
 */
function clusterConfig(name: string, port: number, routes: string[], password: string): string {
  return [
    `server_name: ${JSON.stringify(name)}`,
    'cluster {',
    '  name: parterre',
    `  listen: "127.0.0.1:${port}"`,
    // A stranger that joined as a server would be bound by no user's rights.
    `  authorization { user: route, password: ${JSON.stringify(password)} }`,
    `  routes: [${routes.map((route) => JSON.stringify(route)).join(', ')}]`,
    '  no_advertise: true',
    '}',
  ].join('\n');
}
