import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resolve, type Scope } from './intrinsics.ts';
import { attributeOf, hosted, passedOver, referenceOf } from './resources.ts';

/** A resource of any of the stacks, with every intrinsic in its properties replaced by a value. */
export type Resource<Properties> = {
  readonly stack: string;
  readonly id: string;
  /** What `Ref` gives. */
  readonly name: string;
  readonly properties: Properties;
};

export type Template = {
  /** All resources of a type, over all stacks. `Properties` is what the caller knows CloudFormation's documentation to say. */
  ofType<Properties>(type: string): Resource<Properties>[];
  /** The only resource of a type. @throws Error when there is none or a second one. */
  only<Properties>(type: string): Resource<Properties>;
  /** `Fn::GetAtt` for a resource that {@link ofType} gave. */
  attribute(resource: Resource<unknown>, attribute: string): string;
  /** The folder of an asset, by the key under which it would be in the bucket. */
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
 * Whether a resource is the one that somebody means: by its ARN, its name, its logical id, or the id of its construct, which is
 * the logical id but for the hash at its end and the characters that a logical id cannot have.
 */
export const isMeant = ({ id, name }: Resource<unknown>, arn: string, which: string): boolean =>
  [arn, name, id].includes(which) || id.slice(0, -8) === which.replace(/[^0-9A-Za-z]/g, '');

const readJson = <T>(path: string) => JSON.parse(readFileSync(path, 'utf8')) as T;

/**
 * Reads all stacks of a folder that the CDK synthesised (`cdk.out`) as one template, references between stacks included.
 *
 * @throws Error that names the first resource type, property or intrinsic that the host does not know: nothing that might
 * matter is passed over in silence.
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
        for (const { objectKey } of Object.values(destinations)) assets.set(objectKey, join(outdir, source.path));
      }
    }
  }

  const types = new Map<string, string>();
  const resources: (Resource<unknown> & { type: string })[] = [];
  for (const [stack, { Resources = {} }] of stacks) {
    for (const [id, raw] of Object.entries(Resources)) {
      if (passedOver.some((pattern) => pattern.test(raw.Type))) continue;
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
        throw new Error(`the local host runs exactly one ${type}, and the template has ${first ? 'more' : 'none'}`);
      return first;
    },
    attribute: ({ stack, id, name }, attribute) => attributeOf(types.get(`${stack}/${id}`) ?? '', name, attribute),
    assetFolder: (objectKey) => {
      const folder = assets.get(objectKey);
      if (!folder) throw new Error(`no asset "${objectKey}" in ${outdir}`);
      return folder;
    },
  };
}

function refuseUnknown(where: string, { Type, Properties = {}, Condition }: RawResource): void {
  const known = hosted[Type];
  if (!known) throw new Error(`the local host does not know the resource type ${Type} (${where})`);
  if (Condition) throw new Error(`the local host does not know conditions (${where} has ${Condition})`);
  for (const property of Object.keys(Properties)) {
    if (!known.used.includes(property) && !known.inert.includes(property)) {
      throw new Error(`the local host does not know the property ${property} of ${Type} (${where})`);
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
    if (!raw) throw new Error(`${stack} refers to "${id}", which it does not have`);
    const given = (property: string) => resolve(raw.Properties?.[property], scope) as string | undefined;
    return referenceOf(raw.Type, { stack, id, given });
  };
  const scope: Scope = {
    stack,
    reference,
    attribute: (id, attribute) => attributeOf(Resources[id]?.Type ?? `a missing resource "${id}"`, reference(id), attribute),
    output: (from, name) => {
      const output = stacks.get(from)?.Outputs?.[name];
      if (!output) throw new Error(`${stack} wants the output ${name} of ${from}, which is not there`);
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
