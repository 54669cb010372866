/** Finds the route of a request: a tree of path segments, built once at the start. */
import type { Route as AnyRoute, Method } from '../admission/route.ts';
import type { Ports } from '../ports.ts';

export type Route = AnyRoute<Ports>;

export type Found =
  | { kind: 'route'; route: Route; params: string[] }
  /** The path is known, but not with this method. */
  | { kind: 'wrong-method'; allow: string }
  | { kind: 'unknown' };

type Node = { children: Map<string, Node>; parameter: Node | null; routes: Map<string, Route> };

export type Router = (method: string, path: string) => Found;

const unknown: Found = { kind: 'unknown' };

export function createRouter(routes: readonly Route[]): Router {
  const root = newNode();
  for (const route of routes) add(root, route);
  return (method, path) => {
    const params: string[] = [];
    let node: Node | null | undefined = root;
    for (const segment of path.slice(1).split('/')) {
      const child: Node | undefined = node.children.get(segment);
      if (!child && node.parameter && !keep(params, segment)) return unknown;
      node = child ?? node.parameter;
      if (!node) return unknown;
    }
    if (node.routes.size === 0) return unknown;
    const route = node.routes.get(method as Method);
    if (!route) return { kind: 'wrong-method', allow: [...node.routes.keys()].join(', ') };
    return { kind: 'route', route, params };
  };
}

function add(root: Node, route: Route): void {
  let node = root;
  for (const segment of route.path.slice(1).split('/')) {
    if (segment.startsWith('{')) {
      node.parameter ??= newNode();
      node = node.parameter;
    } else {
      const child = node.children.get(segment) ?? newNode();
      node.children.set(segment, child);
      node = child;
    }
  }
  node.routes.set(route.method, route);
}

function newNode(): Node {
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
