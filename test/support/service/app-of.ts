import { join } from 'node:path';
import { inject } from 'vitest';
import { bundlesIn } from '../../../lib/bundles.ts';
import { addService } from '../../../lib/service.ts';
import type { Stage } from '../../../lib/stages/stages.ts';
import { newApp } from '../stacks/stacks.ts';

/** Synthesises the app of a stage, with the bundles of this run. @returns the folder with its templates */
export function appOf(stage: Stage): string {
  const app = newApp();
  addService(app, stage, bundlesIn(join(inject('service').outdir, 'bundles')));
  return app.synth().directory;
}
