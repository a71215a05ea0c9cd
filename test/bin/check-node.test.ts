import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const script = join(import.meta.dirname, '../../bin/check-node.mjs');

/** Runs the check in a Node that claims another version. */
function checkAs(version: string) {
  const pretend = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } });
    Object.defineProperty(process, 'version', { value: 'v${version}' })`;
  return spawnSync('node', ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, script], {
    encoding: 'utf8',
  });
}

test.for(['18.20.0', '20.20.2', '22.12.0', '23.11.1', '24.6.0'])(
  'Node %s is refused with one line that says which version is needed.',
  (version) => {
    const { status, stdout, stderr } = checkAs(version);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toBe(`Node 24.7 or newer is needed, this is v${version}: https://nodejs.org\n`);
  },
);

test.for(['24.7.0', '24.21.0', '25.0.0', '26.1.0'])('Node %s is accepted silently.', (version) => {
  expect(checkAs(version)).toMatchObject({ status: 0, stdout: '', stderr: '' });
});
