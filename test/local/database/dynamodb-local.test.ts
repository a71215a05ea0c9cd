import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { connect } from '../../../local/database/dynamodb.ts';
import { findJava } from '../../../local/database/dynamodb-local.ts';
import { loadTemplate } from '../../../local/template/template.ts';
import { startFixture, synthFixture } from '../../support/laptop/local-fixture.ts';
import { patience } from '../../support/run/patience.ts';
import { temporaryFolder } from '../../support/run/temporary-folder.ts';
import { enginesOf, run } from '../../support/service/local-processes.ts';

const host = join(import.meta.dirname, '../../support/service/local-host.ts');
const eventually = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: patience, interval: 20 });

afterEach(() => void vi.unstubAllEnvs());

// On a busy machine, two starts of Java take most of a minute.
it.skipIf(!findJava())(
  'A service on DynamoDB Local that is killed restarts with all its data, and delivers each change of each table.',
  async () => {
    const folder = temporaryFolder();
    const files = { table: join(folder, 'table'), other: join(folder, 'other') };
    const outdir = synthFixture(join(folder, 'cdk.out'), {
      consumers: { [files.table]: { batchSize: 1 }, [files.other]: { batchSize: 1, reads: 'other' } },
    });
    const template = loadTemplate(outdir);
    const names = { table: template.output('TableName'), other: template.output('OtherTableName') };
    const tablesAt = (endpoint: string) => {
      const { call, close } = connect(endpoint);
      onTestFinished(close);
      const put = (table: keyof typeof names, when: number) =>
        call('PutItem', { TableName: names[table], Item: { who: { S: 'me' }, when: { N: `${when}` } } });
      const count = async () =>
        Promise.all(Object.values(names).map(async (TableName) => (await call<{ Count: number }>('Scan', { TableName })).Count));
      return { put, count };
    };
    const got = (table: keyof typeof names) =>
      (existsSync(files[table]) ? readFileSync(files[table], 'utf8').trim().split('\n') : [])
        .map((line) => JSON.parse(line).Records[0].dynamodb.Keys.when.N)
        .join();
    vi.stubEnv('LINKS_ENGINE', 'dynamodb-local');

    const { output, kill, ended } = run(host, [outdir, folder]);
    const [line] = await output(/^\{.*\}$/m);
    const first = tablesAt(JSON.parse(line).endpoint);
    await first.put('table', 1);
    await first.put('other', 2);
    await eventually(() => expect([got('table'), got('other')]).toEqual(['1', '2']));
    expect(enginesOf(folder)).toHaveLength(1);
    kill('SIGKILL');
    await ended;
    await eventually(() => expect(enginesOf(folder)).toEqual([]));

    const service = await startFixture(outdir, { inMemory: false, dataDir: folder });
    onTestFinished(() => service.stop());
    const second = tablesAt(service.endpoint);
    expect(await second.count()).toEqual([1, 1]);
    await second.put('other', 3);
    await second.put('table', 4);
    await eventually(() => expect([got('table'), got('other')]).toEqual(['1,4', '2,3']));
    expect(
      [...service.lines, existsSync(join(folder, 'functions.log')) && readFileSync(join(folder, 'functions.log'), 'utf8')].join(),
    ).not.toContain('GetRecords');
    await service.stop();
    expect(enginesOf(folder)).toEqual([]);
  },
  120_000,
);
