// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Fn::Sub writes its variables like this.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadTemplate } from '../../../local/template/template.ts';
import { temporaryFolder } from '../../support/run/temporary-folder.ts';

/** Writes stacks as the CDK does, and loads them. */
function load(stacks: Record<string, object>) {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  const artifacts = Object.fromEntries(
    Object.keys(stacks).map((name) => [name, { type: 'aws:cloudformation:stack', properties: { templateFile: `${name}.json` } }]),
  );
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ artifacts }));
  for (const [name, stack] of Object.entries(stacks)) writeFileSync(join(folder, `${name}.json`), JSON.stringify(stack));
  return loadTemplate(folder);
}

const table = { Type: 'AWS::DynamoDB::GlobalTable', Properties: {} };
const queueNamed = (QueueName: unknown) => ({ Type: 'AWS::SQS::Queue', Properties: { QueueName } });

/** The value of a property in a stack `One` next to a stack `Two`. */
function comesTo(property: unknown): unknown {
  const template = load({
    Two: {
      Resources: { Table: table },
      Outputs: {
        Name: { Value: { Ref: 'Table' } },
        Stream: { Value: { 'Fn::GetAtt': ['Table', 'StreamArn'] }, Export: { Name: { 'Fn::Sub': '${AWS::StackName}:stream' } } },
      },
    },
    One: {
      Parameters: { Version: { Type: 'String', Default: '7' } },
      Resources: { Table: { ...table, Properties: { TableName: 'given' } }, Queue: queueNamed(property) },
    },
  });
  return template.only<{ QueueName: unknown }>('AWS::SQS::Queue').properties.QueueName;
}

describe('A supported intrinsic', () => {
  it.each([
    ['Ref of a named resource', { Ref: 'Table' }, 'given'],
    ['Ref of a parameter', { Ref: 'Version' }, '7'],
    ['Ref of a pseudo parameter', { Ref: 'AWS::Region' }, 'us-east-1'],
    ['GetAtt', { 'Fn::GetAtt': ['Table', 'Arn'] }, 'arn:aws:dynamodb:us-east-1:000000000000:table/given'],
    ['GetAtt as one string', { 'Fn::GetAtt': 'Table.Arn' }, 'arn:aws:dynamodb:us-east-1:000000000000:table/given'],
    ['ImportValue', { 'Fn::ImportValue': 'Two:stream' }, 'arn:aws:dynamodb:us-east-1:000000000000:table/Two-Table/stream/local'],
    ['GetStackOutput', { 'Fn::GetStackOutput': { StackName: 'Two', OutputName: 'Name' } }, 'Two-Table'],
    ['Join', { 'Fn::Join': ['-', ['a', { Ref: 'AWS::Partition' }, { Ref: 'AWS::NoValue' }, 3]] }, 'a-aws-3'],
    ['Select and Split', { 'Fn::Select': [1, { 'Fn::Split': [':', { 'Fn::GetAtt': ['Table', 'Arn'] }] }] }, 'aws'],
    [
      'Sub',
      { 'Fn::Sub': '${AWS::AccountId} ${Table} ${Table.Arn} ${!Literal}' },
      '000000000000 given arn:aws:dynamodb:us-east-1:000000000000:table/given ${Literal}',
    ],
    ['Sub with values', { 'Fn::Sub': ['${a}${a}', { a: { Ref: 'Version' } }] }, '77'],
    ['NoValue, which omits the property,', { Ref: 'AWS::NoValue' }, undefined],
  ])('%s gives its value.', (_, intrinsic, value) => {
    expect(comesTo(intrinsic)).toBe(value);
  });
});

describe('An unsupported template', () => {
  it.each([
    ['an unknown intrinsic', { 'Fn::FindInMap': ['a', 'b', 'c'] }, 'Fn::FindInMap'],
    ['an unknown intrinsic within another', { 'Fn::Join': ['', [{ 'Fn::If': ['a', 'b', 'c'] }]] }, 'Fn::If'],
    ['an unknown pseudo parameter', { Ref: 'AWS::NotificationARNs' }, 'AWS::NotificationARNs'],
    ['an unknown attribute', { 'Fn::GetAtt': ['Table', 'TableId'] }, 'TableId'],
    ['a resource that does not exist', { Ref: 'Nowhere' }, 'Nowhere'],
    ['an export that does not exist', { 'Fn::ImportValue': 'nowhere' }, 'nowhere'],
    ['an output that does not exist', { 'Fn::GetStackOutput': { StackName: 'Two', OutputName: 'Nothing' } }, 'Nothing'],
    ['an entry that does not exist', { 'Fn::Select': [5, ['a']] }, 'entry 5'],
  ])('The host stops at %s, and names it.', (_, intrinsic, name) => {
    expect(() => comesTo(intrinsic)).toThrow(name);
  });

  it.each([
    ['a resource type', { Type: 'AWS::StepFunctions::StateMachine' }, 'AWS::StepFunctions::StateMachine'],
    ['a property', { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true } }, 'FifoQueue'],
    ['a condition', { Type: 'AWS::SQS::Queue', Condition: 'IsBig' }, 'IsBig'],
  ])('The host stops at %s that it does not support, and names it.', (_, resource, name) => {
    expect(() => load({ One: { Resources: { it: resource } } })).toThrow(name);
  });

  it('The host stops at a second resource of a type of which it runs only one.', () => {
    const api = { Type: 'AWS::ApiGateway::RestApi' };
    const template = load({ One: { Resources: { a: api, b: api } } });
    expect(() => template.only('AWS::ApiGateway::RestApi')).toThrow('exactly one AWS::ApiGateway::RestApi');
  });
});

describe('An output', () => {
  const naming = (Value: unknown) => ({ Resources: { Table: table }, Outputs: { Name: { Value } } });

  it('An output has the value that it has in its stack.', () => {
    expect(load({ One: { Resources: {} }, Two: naming({ Ref: 'Table' }) }).output('Name')).toBe('Two-Table');
  });

  it('An output that no stack has, or more than one, is refused with its name.', () => {
    expect(() => load({ One: naming('a') }).output('Other')).toThrow('no stack has the output Other');
    expect(() => load({ One: naming('a'), Two: naming('b') }).output('Name')).toThrow('more than one stack has the output Name');
  });
});

it('Resources that matter only on AWS are ignored.', () => {
  expect(
    load({ One: { Resources: { role: { Type: 'AWS::IAM::Role', Properties: { a: { 'Fn::If': [] } } } } } }).ofType(
      'AWS::IAM::Role',
    ),
  ).toEqual([]);
});
