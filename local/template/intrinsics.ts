import { account, region } from './resources.ts';

/** Resolves what the intrinsics of one stack refer to. */
export type Scope = {
  readonly stack: string;
  readonly reference: (logicalId: string) => string;
  readonly attribute: (logicalId: string, attribute: string) => string;
  readonly exported: (name: string) => string;
  readonly output: (stack: string, name: string) => string;
};

const noValue = Symbol('AWS::NoValue');

/**
 * Replaces every intrinsic in a part of a template with its value.
 *
 * @throws Error that names an unsupported intrinsic.
 */
export function resolve(value: unknown, scope: Scope): unknown {
  const result = resolveAny(value, scope);
  return result === noValue ? undefined : result;
}

function resolveAny(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) return value.map((entry) => resolveAny(entry, scope)).filter((entry) => entry !== noValue);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [name, argument] = entries[0] ?? [];
  if (entries.length === 1 && name && (name === 'Ref' || name.startsWith('Fn::'))) {
    const intrinsic = intrinsics[name];
    if (!intrinsic) throw new Error(`the local host does not support the intrinsic ${name} (in ${scope.stack})`);
    return intrinsic(argument, scope);
  }
  return Object.fromEntries(
    entries.map(([key, entry]) => [key, resolveAny(entry, scope)] as const).filter(([, entry]) => entry !== noValue),
  );
}

const text = (value: unknown, scope: Scope) => String(resolveAny(value, scope));
const list = (value: unknown, scope: Scope) => {
  const result = resolveAny(value, scope);
  if (!Array.isArray(result)) throw new Error(`an intrinsic in ${scope.stack} needs a list, not ${JSON.stringify(result)}`);
  return result.map(String);
};

const intrinsics: Readonly<Record<string, (argument: unknown, scope: Scope) => unknown>> = {
  Ref: (argument, scope) => refer(String(argument), scope),
  'Fn::GetAtt': (argument, scope) => {
    const [id, ...attribute] = typeof argument === 'string' ? argument.split('.') : list(argument, scope);
    return scope.attribute(id ?? '', attribute.join('.'));
  },
  'Fn::GetStackOutput': (argument, scope) => {
    const { StackName, OutputName } = argument as { StackName: unknown; OutputName: unknown };
    return scope.output(text(StackName, scope), text(OutputName, scope));
  },
  'Fn::ImportValue': (argument, scope) => scope.exported(text(argument, scope)),
  'Fn::Join': (argument, scope) => {
    const [separator, parts] = argument as [string, unknown];
    return list(parts, scope).join(separator);
  },
  'Fn::Select': (argument, scope) => {
    const [index, from] = argument as [unknown, unknown];
    const chosen = list(from, scope)[Number(index)];
    if (chosen === undefined) throw new Error(`Fn::Select in ${scope.stack} selects entry ${index}, which does not exist`);
    return chosen;
  },
  'Fn::Split': (argument, scope) => {
    const [separator, source] = argument as [string, unknown];
    return text(source, scope).split(separator);
  },
  'Fn::Sub': (argument, scope) => {
    const [template, given] = (typeof argument === 'string' ? [argument, {}] : argument) as [string, Record<string, unknown>];
    return template.replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
      if (literal) return `\${${name}}`;
      if (Object.hasOwn(given, name)) return text(given[name], scope);
      const [id, ...attribute] = name.split('.');
      return attribute.length ? scope.attribute(id ?? '', attribute.join('.')) : String(refer(name, scope));
    });
  },
};

function refer(name: string, scope: Scope): string | symbol {
  if (!name.startsWith('AWS::')) return scope.reference(name);
  const pseudo: Record<string, string | symbol> = {
    'AWS::AccountId': account,
    'AWS::NoValue': noValue,
    'AWS::Partition': 'aws',
    'AWS::Region': region,
    'AWS::StackId': `arn:aws:cloudformation:${region}:${account}:stack/${scope.stack}/local`,
    'AWS::StackName': scope.stack,
    'AWS::URLSuffix': 'amazonaws.com',
  };
  const value = pseudo[name];
  if (value === undefined) throw new Error(`the local host does not support the pseudo parameter ${name} (in ${scope.stack})`);
  return value;
}
