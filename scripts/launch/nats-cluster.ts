/**
 * The NATS servers of one machine. Their ports are picked before the first one starts, because each has to know the
 * others' routes. One server runs alone; several form a JetStream cluster.
 */
import { pickPorts } from './port.ts';

export type NatsMember = {
  port: number;
  url: string /** Lines for nats.conf that make it one of several. */;
  config: string;
};

export async function natsMembers(names: string[]): Promise<NatsMember[]> {
  const ports = await pickPorts(2 * names.length);
  const routes = ports.slice(names.length);
  return names.map((name, index) => {
    const port = ports[index]!;
    return {
      port,
      url: `nats://127.0.0.1:${port}`,
      config: names.length === 1 ? '' : clusterConfig(name, routes[index]!, routes),
    };
  });
}

/**
 * The launcher gives clients every address. A server that advertised the others' addresses would lead clients past the
 * links that a test has put in between.
 */
function clusterConfig(name: string, port: number, routes: number[]): string {
  return [
    `server_name: ${JSON.stringify(name)}`,
    'cluster {',
    '  name: parterre',
    `  listen: "127.0.0.1:${port}"`,
    `  routes: [${routes.map((route) => `"nats://127.0.0.1:${route}"`).join(', ')}]`,
    '  no_advertise: true',
    '}',
  ].join('\n');
}
