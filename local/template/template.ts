import { readFileSync } from 'node:fs';
import { join, resolve as resolvePath } from 'node:path';
import { resolve, type Scope } from './intrinsics.ts';
import { attributeOf, hosted, ignoredTypes, referenceOf } from './resources.ts';

/** A resource of one of the stacks. Every intrinsic in its properties is replaced with its value. */
export type Resource<Properties> = {
  readonly stack: string;
  readonly id: string;
  /** What `Ref` returns. */
  readonly name: string;
  readonly properties: Properties;
};

export type Template = {
  /** All resources of a type, in all stacks. The caller takes `Properties` from CloudFormation's documentation. */
  ofType<Properties>(type: string): Resource<Properties>[];
  /** The only resource of a type. @throws Error if there is none, or more than one. */
  only<Properties>(type: string): Resource<Properties>;
  /** `Fn::GetAtt` for a resource from {@link ofType} or {@link only}. */
  attribute(resource: Resource<unknown>, attribute: string): string;
  /** The value of an output. @throws Error unless exactly one stack has that output */
  output(name: string): string;
  /** The folder of an asset, by its key in the bucket. */
  assetFolder(objectKey: string): string;
};

type RawResource = { Type: string; Properties?: Record<string, unknown>; Condition?: string };
type RawStack = {
  Resources?: Record<string, RawResource>;
  Parameters?: Record<string, { Default?: string }>;
  Outputs?: Record<string, { Value: unknown; Export?: { Name: unknown } }>;
};
type Manifest = {
  artifacts: Record<string, { type: string; properties?: { templateFile?: string; stackName?: string; file?: string } }>;
};
type AssetManifest = {
  files?: Record<string, { source: { path: string }; destinations: Record<string, { objectKey: string }> }>;
};

/**
 * Whether `which` identifies a resource, by its ARN, name, logical id or construct id. The construct id is the logical
 * id without the hash at its end; it may also have characters that a logical id cannot have.
 */
export const matches = ({ id, name }: Resource<unknown>, arn: string, which: string): boolean =>
  [arn, name, id].includes(which) || id.slice(0, -8) === which.replace(/[^0-9A-Za-z]/g, '');

const readJson = <T>(path: string) => JSON.parse(readFileSync(path, 'utf8')) as T;

/**
 * Reads all stacks of a synthesised app (`cdk.out`) as one template, including references between stacks.
 *
 * @throws Error that names the first resource type, property or intrinsic that the local host does not support: nothing
 * that might matter is silently ignored.
 */
export function loadTemplate(outdir: string): Template {
  const artifacts = Object.entries(readJson<Manifest>(join(outdir, 'manifest.json')).artifacts);
  const stacks = new Map<string, RawStack>();
  const assets = new Map<string, string>();
  for (const [id, { type, properties = {} }] of artifacts) {
    if (type === 'aws:cloudformation:stack' && properties.templateFile) {
      stacks.set(properties.stackName ?? id, readJson(join(outdir, properties.templateFile)));
    }
    if (type === 'cdk:asset-manifest' && properties.file) {
      for (const { source, destinations } of Object.values(readJson<AssetManifest>(join(outdir, properties.file)).files ?? {})) {
        for (const { objectKey } of Object.values(destinations)) assets.set(objectKey, resolvePath(outdir, source.path));
      }
    }
  }

  const types = new Map<string, string>();
  const resources: (Resource<unknown> & { type: string })[] = [];
  for (const [stack, { Resources = {} }] of stacks) {
    for (const [id, raw] of Object.entries(Resources)) {
      if (ignoredTypes.some((pattern) => pattern.test(raw.Type))) continue;
      refuseUnknown(`${stack}/${id}`, raw);
      const scope = scopeOf(stack, stacks);
      resources.push({
        stack,
        id,
        type: raw.Type,
        name: scope.reference(id),
        properties: resolve(usedPart(raw), scope),
      });
      types.set(`${stack}/${id}`, raw.Type);
    }
  }

  const ofType = <P>(type: string) => resources.filter((resource) => resource.type === type) as Resource<P>[];
  return {
    ofType,
    only: <P>(type: string) => {
      const [first, second] = ofType<P>(type);
      if (!first || second)
        throw new Error(`the local host needs exactly one ${type}, but the template has ${first ? 'more' : 'none'}`);
      return first;
    },
    attribute: ({ stack, id, name }, attribute) => attributeOf(types.get(`${stack}/${id}`) ?? '', name, attribute),
    output: (name) => {
      const [first, second] = [...stacks.keys()].filter((stack) => stacks.get(stack)?.Outputs?.[name]);
      if (!first || second) throw new Error(`${second ? 'more than one stack has' : 'no stack has'} the output ${name}`);
      return scopeOf(first, stacks).output(first, name);
    },
    assetFolder: (objectKey) => {
      const folder = assets.get(objectKey);
      if (!folder) throw new Error(`no asset "${objectKey}" in ${outdir}`);
      return folder;
    },
  };
}

function refuseUnknown(where: string, { Type, Properties = {}, Condition }: RawResource): void {
  const known = hosted[Type];
  if (!known) throw new Error(`the local host does not support the resource type ${Type} (${where})`);
  if (Condition) throw new Error(`the local host does not support conditions (${where} has ${Condition})`);
  for (const property of Object.keys(Properties)) {
    if (!known.used.includes(property) && !known.inert.includes(property)) {
      throw new Error(`the local host does not support the property ${property} of ${Type} (${where})`);
    }
  }
}

const usedPart = ({ Type, Properties = {} }: RawResource) =>
  Object.fromEntries(Object.entries(Properties).filter(([property]) => hosted[Type]?.used.includes(property)));

function scopeOf(stack: string, stacks: ReadonlyMap<string, RawStack>): Scope {
  const { Resources = {}, Parameters = {} } = stacks.get(stack) ?? {};
  const reference = (id: string): string => {
    const parameter = Parameters[id];
    if (parameter?.Default !== undefined) return parameter.Default;
    const raw = Resources[id];
    if (!raw) throw new Error(`${stack} refers to "${id}", which does not exist`);
    const given = (property: string) => resolve(raw.Properties?.[property], scope) as string | undefined;
    return referenceOf(raw.Type, { stack, id, given });
  };
  const scope: Scope = {
    stack,
    reference,
    attribute: (id, attribute) => attributeOf(Resources[id]?.Type ?? `a missing resource "${id}"`, reference(id), attribute),
    output: (from, name) => {
      const output = stacks.get(from)?.Outputs?.[name];
      if (!output) throw new Error(`${stack} uses the output ${name} of ${from}, which does not exist`);
      return String(resolve(output.Value, scopeOf(from, stacks)));
    },
    exported: (name) => {
      for (const [from, { Outputs = {} }] of stacks) {
        for (const [output, { Export }] of Object.entries(Outputs)) {
          if (Export && resolve(Export.Name, scopeOf(from, stacks)) === name) return scope.output(from, output);
        }
      }
      throw new Error(`${stack} imports "${name}", which no stack exports`);
    },
  };
  return scope;
}
