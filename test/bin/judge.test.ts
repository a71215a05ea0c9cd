import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('An unknown judge is refused in one line that names all of them.', () => {
  const { status, stderr } = spawnSync('node', ['bin/judge.ts', 'cfn-lint', 'nobody'], { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^error: .*'nobody' is invalid.* cfn-lint, moto, ministack, .*, schemathesis, conformance, keycloak\.\n$/,
  );
});
