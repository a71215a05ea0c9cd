import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type SettingsInput, settingsOf } from '../../../lib/stages/settings.ts';
import type { Stage } from '../../../lib/stages/stages.ts';

/** The settings of the tests' own stages that differ from the defaults. The files in `stages/` do not affect the tests. */
const own = {
  dev: { keepData: false, backUpActivity: false, rollout: 'all-at-once', docs: true, logRetentionDays: 7 },
  staging: { keepData: false, backUpActivity: false, logRetentionDays: 30 },
  prod: {},
} satisfies Record<string, SettingsInput>;

const ofPreviews: SettingsInput = {
  ...own.dev,
  logRetentionDays: 1,
  tracing: 'off',
  webhookSenders: 2,
  stageThrottle: { api: { rate: 500, burst: 250 }, redirect: { rate: 500, burst: 250 } },
};

type OwnName = keyof typeof own;
export const ownStageNames = Object.keys(own) as OwnName[];

/** A stage of the tests' own, with more settings. */
export const ownStage = (name: OwnName | `preview-${string}`, more: SettingsInput = {}): Stage => ({
  name,
  settings: settingsOf({ ...(name in own ? own[name as OwnName] : ofPreviews), ...more }, name),
});

/** A folder with files of these stages beside the tests' own. It is deleted at the end of the run. */
export function folderWith(files: Readonly<Record<string, unknown>> = {}): string {
  const folder = mkdtempSync(`${inject('service').outdir}-`);
  for (const [name, content] of Object.entries({ ...own, preview: ofPreviews, ...files })) {
    writeFileSync(join(folder, `${name}.json`), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}
