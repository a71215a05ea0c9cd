import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { nextSteps } from '../../../bin/cdk/next-steps.ts';

test('The commands after a deployment name its stage, and its profile and region if they were given.', () => {
  const [, ...plain] = nextSteps('dev', {});
  expect(plain).toEqual(['  npm run -s smoke -- --stage dev', '  npm run -s admin -- --stage dev start --name NAME']);
  const [said, ...filledIn] = nextSteps('preview-pr-12', { profile: 'ours', region: 'eu-west-1' });
  expect(said).toContain('preview-pr-12 is deployed');
  expect(filledIn).toEqual([
    '  AWS_PROFILE=ours AWS_REGION=eu-west-1 npm run -s smoke -- --stage preview-pr-12',
    '  AWS_PROFILE=ours AWS_REGION=eu-west-1 npm run -s admin -- --stage preview-pr-12 start --name NAME',
  ]);
});

test('A profile of any name is quoted, so that the command gets it unchanged.', () => {
  for (const profile of ['our team', "o'brien", '$HOME; exit 1', 'ours']) {
    const [, line = ''] = nextSteps('dev', { profile });
    const { stdout } = spawnSync('sh', ['-c', line.replace(/npm .*/, 'printenv AWS_PROFILE')], { encoding: 'utf8' });
    expect(stdout).toBe(`${profile}\n`);
  }
});
