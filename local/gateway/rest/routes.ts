import type { Template } from '../../template/template.ts';
import { functionOfUri } from '../authorizer.ts';

type ResourceProperties = { readonly ParentId: string; readonly PathPart: string };
type MethodProperties = {
  readonly HttpMethod: string;
  readonly ResourceId: string;
  readonly ApiKeyRequired?: boolean;
  readonly AuthorizationType?: string;
  readonly AuthorizerId?: string;
  readonly Integration?: { readonly Type?: string; readonly Uri?: string; readonly TimeoutInMillis?: number };
};

export type Route = {
  readonly resourcePath: string;
  readonly resourceId: string;
  readonly apiKeyRequired: boolean;
  readonly authorizerId: string | undefined;
  readonly functionArn: string;
  readonly timeoutMs: number;
};
export type Match = { readonly route: Route; readonly pathParameters: Readonly<Record<string, string>> | null };

type Node = { readonly children: Map<string, Node>; readonly methods: Map<string, Route> };
type Found = { readonly node: Node; readonly parameters: readonly (readonly [string, string])[] };

const integrationLimitMs = 29_000;

/**
 * Finds routes in the API's tree of resources, by method and path.
 *
 * As on AWS, the path alone selects the resource: a fixed segment is preferred to `{parameter}`, and that to
 * `{greedy+}`. If the resource lacks the method, no other resource is tried.
 *
 * @throws Error for an integration or authorization that the local host does not support.
 */
export function routeTable(template: Template): (method: string, path: string) => Match | undefined {
  const api = template.only('AWS::ApiGateway::RestApi');
  const rootId = template.attribute(api, 'RootResourceId');
  const resources = new Map(
    template.ofType<ResourceProperties>('AWS::ApiGateway::Resource').map((it) => [it.name, it.properties]),
  );
  const segmentsOf = (id: string): string[] => {
    if (id === rootId) return [];
    const resource = resources.get(id);
    if (!resource) throw new Error(`the template has no API resource "${id}"`);
    return [...segmentsOf(resource.ParentId), resource.PathPart];
  };

  const newNode = (): Node => ({ children: new Map(), methods: new Map() });
  const root = newNode();
  for (const { id, properties } of template.ofType<MethodProperties>('AWS::ApiGateway::Method')) {
    const segments = segmentsOf(properties.ResourceId);
    let node = root;
    for (const segment of segments) {
      const child = node.children.get(segment) ?? newNode();
      node.children.set(segment, child);
      node = child;
    }
    node.methods.set(properties.HttpMethod, routeOf(id, `/${segments.join('/')}`, properties));
  }

  return (method, path) => {
    const found = find(root, segmentsIn(path));
    const route = found?.node.methods.get(method) ?? found?.node.methods.get('ANY');
    if (!found || !route) return undefined;
    return { route, pathParameters: found.parameters.length ? Object.fromEntries(found.parameters) : null };
  };
}

function routeOf(id: string, resourcePath: string, { Integration = {}, ...properties }: MethodProperties): Route {
  if (Integration.Type !== 'AWS_PROXY')
    throw new Error(`the local host does not support ${Integration.Type} integrations (${id})`);
  if (!['NONE', 'CUSTOM', undefined].includes(properties.AuthorizationType)) {
    throw new Error(`the local host does not support the authorization type ${properties.AuthorizationType} (${id})`);
  }
  return {
    resourcePath,
    resourceId: properties.ResourceId,
    apiKeyRequired: properties.ApiKeyRequired ?? false,
    authorizerId: properties.AuthorizationType === 'CUSTOM' ? properties.AuthorizerId : undefined,
    functionArn: functionOfUri(Integration.Uri ?? ''),
    timeoutMs: Integration.TimeoutInMillis ?? integrationLimitMs,
  };
}

/** The segments of a path. One trailing slash is ignored. */
function segmentsIn(path: string): string[] {
  const inner = path.replace(/^\//, '').replace(/\/$/, '');
  return inner ? inner.split('/') : [];
}

function find(node: Node, segments: readonly string[]): Found | undefined {
  const [first, ...rest] = segments;
  if (first === undefined) return node.methods.size ? { node, parameters: [] } : undefined;
  const fixed = first.startsWith('{') ? undefined : node.children.get(first);
  const exact = fixed && find(fixed, rest);
  if (exact) return exact;
  for (const [segment, child] of node.children) {
    const name = /^\{([^+}]+)\}$/.exec(segment)?.[1];
    const found = name && first && find(child, rest);
    if (found) return { node: found.node, parameters: [[name, decode(first)], ...found.parameters] };
  }
  for (const [segment, child] of node.children) {
    const name = /^\{(.+)\+\}$/.exec(segment)?.[1];
    if (name) return { node: child, parameters: [[name, decode(segments.join('/'))]] };
  }
  return undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // Malformed escapes stay as they were sent.
  }
}
