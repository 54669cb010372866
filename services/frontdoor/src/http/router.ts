/**
 * Finds the route of a request in a tree of path segments. The tree is built once, at the start. The last paths are
 * remembered with their routes, because the paths of a busy event come again and again.
 */
import type { Method, Route } from '../admission/admission.ts';

export type RouteMatch<Ports> =
  | { kind: 'route'; route: Route<Ports>; params: readonly string[] }
  /** The path is known, but not with this method. */
  | { kind: 'wrong-method'; allow: string }
  | { kind: 'unknown' };

type Node<Ports> = {
  children: Map<string, Node<Ports>>;
  parameter: Node<Ports> | null;
  routes: Map<string, Route<Ports>>;
};

export type Router<Ports> = (method: string, path: string) => RouteMatch<Ports>;

/** Bounds of the remembered paths of each method (I8). Past the first, all of them are forgotten. */
const knownPathsMax = 4_096;
const knownPathLengthMax = 128;

const unknown: RouteMatch<never> = { kind: 'unknown' };

export function createRouter<Ports>(routes: readonly Route<Ports>[]): Router<Ports> {
  const root = newNode<Ports>();
  for (const route of routes) add(root, route);
  const known = new Map<string, Map<string, RouteMatch<Ports>>>(routes.map(({ method }) => [method, new Map()]));
  return (method, path) => {
    const found = known.get(method)?.get(path);
    if (found) return found;
    const sought = find(root, method, path);
    if (sought.kind === 'route' && path.length <= knownPathLengthMax) remember(known, method, path, sought);
    return sought;
  };
}

/** A full map is replaced, not cleared: see shards/waiting-commands.ts. */
function remember<Ports>(
  known: Map<string, Map<string, RouteMatch<Ports>>>,
  method: string,
  path: string,
  found: RouteMatch<Ports>,
): void {
  const paths = known.get(method)!;
  if (paths.size < knownPathsMax) paths.set(path, found);
  else known.set(method, new Map([[path, found]]));
}

function find<Ports>(root: Node<Ports>, method: string, path: string): RouteMatch<Ports> {
  const params: string[] = [];
  let node: Node<Ports> | null | undefined = root;
  for (const segment of path.slice(1).split('/')) {
    const child: Node<Ports> | undefined = node.children.get(segment);
    if (!child && node.parameter && !keep(params, segment)) return unknown;
    node = child ?? node.parameter;
    if (!node) return unknown;
  }
  if (node.routes.size === 0) return unknown;
  const route = node.routes.get(method as Method);
  if (!route) return { kind: 'wrong-method', allow: [...node.routes.keys()].join(', ') };
  return { kind: 'route', route, params };
}

function add<Ports>(root: Node<Ports>, route: Route<Ports>): void {
  let node = root;
  for (const segment of route.path.slice(1).split('/')) {
    if (segment.startsWith('{')) {
      node.parameter ??= newNode<Ports>();
      node = node.parameter;
    } else {
      const child = node.children.get(segment) ?? newNode<Ports>();
      node.children.set(segment, child);
      node = child;
    }
  }
  node.routes.set(route.method, route);
}

function newNode<Ports>(): Node<Ports> {
  return { children: new Map(), parameter: null, routes: new Map() };
}

/** False for a segment that cannot be a name: an empty one, or broken percent-encoding. */
function keep(params: string[], segment: string): boolean {
  if (segment === '') return false;
  if (!segment.includes('%')) {
    params.push(segment);
    return true;
  }
  try {
    params.push(decodeURIComponent(segment));
    return true;
  } catch {
    return false;
  }
}
