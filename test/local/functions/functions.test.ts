import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stack } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, LayerVersion, Runtime } from 'aws-cdk-lib/aws-lambda';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startFixture, synthFixture } from '../../support/laptop/local-fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'local-test-'));

/** Adds a function with two layers, one of which has a module. */
function addLayered(stack: Stack): void {
  const layers = ['one', 'other'].map((name) => {
    const modules = join(folder, 'layers', name, 'nodejs/node_modules', `of-${name}`);
    mkdirSync(modules, { recursive: true });
    writeFileSync(join(modules, 'index.js'), `module.exports = 'of layer ${name}';`);
    return new LayerVersion(stack, name, { code: Code.fromAsset(join(folder, 'layers', name)) });
  });
  const code = Code.fromAsset('test/support/laptop/local-handlers');
  new LambdaFunction(stack, 'layered', { code, handler: 'index.layered', runtime: Runtime.NODEJS_24_X, layers });
}
let service: Awaited<ReturnType<typeof startFixture>>;
beforeAll(async () => {
  service = await startFixture(synthFixture(join(folder, 'cdk.out'), { change: ({ api }) => addLayered(api) }));
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Echo = { event: unknown; context: Record<string, string>; remaining: number; statusCode: number; body: string };
const echo = async (event: unknown) => JSON.parse(((await service.invoke('echo', event)) as Echo).body) as Echo;
/** Which invocation of its thread this is, and of which. */
const count = async (name = 'behave'): Promise<{ invocations: number; threadId: number }> =>
  JSON.parse(((await service.invoke(name, { does: 'count' })) as Echo).body);

describe('A function', () => {
  it('A function gets its event and a context.', async () => {
    const { event, context, remaining } = await echo({ a: [1, null, 'é'] });
    expect(event).toEqual({ a: [1, null, 'é'] });
    expect(context).toMatchObject({
      functionName: expect.stringContaining('echo'),
      invokedFunctionArn: expect.stringMatching(/^arn:aws:lambda:us-east-1:000000000000:function:/),
      awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      memoryLimitInMB: '128',
    });
    expect(remaining).toBeGreaterThan(0);
    expect(remaining).toBeLessThanOrEqual(2_000);
  });

  it('A function has the environment of the template and of Lambda, and no variable of the host.', async () => {
    vi.stubEnv('SECRET_OF_THE_HOST', 'x');
    const environment = await service.invoke('environment', {});
    expect(environment).toMatchObject({
      TABLE_NAME: service.tableName,
      AWS_ENDPOINT_URL_DYNAMODB: service.endpoint,
      AWS_REGION: 'us-east-1',
      AWS_LAMBDA_FUNCTION_NAME: expect.stringContaining('environment'),
      AWS_ACCESS_KEY_ID: 'local',
    });
    expect(environment).not.toHaveProperty('SECRET_OF_THE_HOST');
    expect(environment).not.toHaveProperty('PATH');
  });

  it('A function finds the modules of its layers, and no other function does.', async () => {
    expect(await service.invoke('layered', ['of-one', 'of-other'])).toEqual(['of layer one', 'of layer other']);
    expect(await service.invoke('environment', {})).not.toHaveProperty('NODE_PATH');
  });

  it('A function is found by its ARN, name, logical id and construct.', async () => {
    const { invokedFunctionArn = '', functionName = '' } = (await echo({})).context;
    for (const which of [invokedFunctionArn, functionName, functionName.replace('Fixture-Api-', '')]) {
      expect(await service.invoke(which, {})).toMatchObject({ statusCode: 200 });
    }
    await expect(service.invoke('another', {})).rejects.toThrow('no function "another"');
  });

  it('A function stays warm, and of many invocations at once each gets its own request id.', async () => {
    const { invocations } = await count();
    expect(await count()).toMatchObject({ invocations: invocations + 1 });
    const many = await Promise.all(Array.from({ length: 50 }, () => echo({})));
    expect(new Set(many.map(({ context }) => context.awsRequestId)).size).toBe(50);
  });

  it('Of many invocations at once, most wait for the first threads, because a new one takes longer to start.', async () => {
    const threads = (await Promise.all(Array.from({ length: 8 }, () => count('patient')))).map(({ threadId }) => threadId);
    expect(new Set(threads).size).toBeLessThan(5);
  });

  it('A thread runs one invocation at a time, however many are sent at once.', async () => {
    const overlap = async () => JSON.parse(((await service.invoke('behave', { does: 'overlap' })) as Echo).body).atOnce;
    expect(new Set(await Promise.all(Array.from({ length: 50 }, overlap)))).toEqual(new Set([1]));
  });

  it('What a function prints is in the log, line by line, with its name.', async () => {
    await service.invoke('behave', { answer: {} });
    await vi.waitFor(() => {
      expect(service.lines).toContainEqual(expect.stringMatching(/behave\S* one line$/));
      expect(service.lines).toContainEqual(expect.stringMatching(/behave\S* and another$/));
    });
  });
});

describe('An invocation', () => {
  it.each([
    ['throws', { does: 'throw' }, 'thrown on purpose'],
    ['ends its process', { does: 'exit' }, 'exited with code 3'],
    ['waits too long', { does: 'wait' }, 'timed out after 2.00 seconds'],
    ['never yields', { does: 'spin' }, 'timed out after 2.00 seconds'],
    ['uses up its memory', { does: 'exhaust' }, 'memory'],
    ['throws outside of its handler', { does: 'crash later' }, 'thrown outside of the handler'],
    ['leaves a rejection unhandled', { does: 'reject unnoticed' }, 'rejected unnoticed'],
    ['returns something other than JSON', { does: 'circle' }, 'circular'],
    ['returns too much', { does: 'answer a lot', answer: 7_000_000 }, 'exceeded'],
  ])('An invocation that %s fails by itself, and others succeed.', async (_, behaviour, message) => {
    const others = Array.from({ length: 3 }, () => echo({}));
    // The same function with a minute instead of two seconds, so that a busy machine turns no other failure into a timeout.
    const name = message.startsWith('timed out') ? 'behave' : 'patient';
    await expect(service.invoke(name, behaviour)).rejects.toThrow(message);
    await Promise.all(others);
    expect(await service.invoke(name, { answer: { fine: true } })).toEqual({ fine: true });
  });

  it('An invocation that waits for a thread is served even if those before it crash.', async () => {
    const crashes = Array.from({ length: 16 }, () => service.invoke('behave', { does: 'exit' }).catch(() => 'crashed'));
    expect(await service.invoke('behave', { answer: 'served' })).toBe('served');
    expect(new Set(await Promise.all(crashes))).toEqual(new Set(['crashed']));
  });
});
