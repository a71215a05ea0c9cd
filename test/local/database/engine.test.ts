import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findJava } from '../../../local/database/dynamodb-local.ts';
import { temporaryFolder } from '../../support/run/temporary-folder.ts';

const script = join(import.meta.dirname, '../../../bin/check-engine.ts');

/** Looks for an engine in a process of a platform for which there is no embedded one, with a given answer of `java`. */
function check({ arch = 'sparc', ...env }: NodeJS.ProcessEnv) {
  const pretend = `Object.defineProperty(process, 'arch', { value: '${arch}' })`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, script],
    { env: { PATH: '', ...env }, encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

describe('The check before tests and benchmarks', () => {
  it.each([
    [
      'there is neither an engine nor Java',
      {},
      /^no database engine for \w+-sparc: install a JDK, Java 17 .+, or put "dynoxide" .+$/m,
    ],
    [
      'DynamoDB Local is asked for without Java',
      { LINKS_ENGINE: 'dynamodb-local', arch: process.arch },
      /: install a JDK, Java 17 /,
    ],
    ['the embedded engine is asked for in vain', { LINKS_ENGINE: 'embedded' }, /: put "dynoxide" on the PATH/],
    [
      'an unknown engine is asked for',
      { LINKS_ENGINE: 'sqlite' },
      /^LINKS_ENGINE is "sqlite": use "embedded" or "dynamodb-local"/,
    ],
  ])('One line tells what to do if %s.', (_, env, line) => {
    const { status, stdout, stderr } = check(env);
    expect(stderr).toMatch(line);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  });

  it.skipIf(!findJava())('Java suffices on a platform without an embedded engine, also if JAVA_HOME leads nowhere.', () => {
    const found = { status: 0, stdout: '', stderr: '' };
    expect(check({ PATH: process.env.PATH })).toEqual(found);
    expect(check({ PATH: process.env.PATH, JAVA_HOME: temporaryFolder() })).toEqual(found);
  });
});
