import { globSync } from 'node:fs';
import { join } from 'node:path';
import { settingsOf } from '../../lib/stages/settings.ts';
import { stageNames, stageOf } from '../../lib/stages/stages.ts';
import { everySetting } from './every-setting.ts';
import { lastLine, pythonPrograms, run } from './programs.ts';
import { bundlesFor, synthesiseStage } from './templates.ts';
import type { Judge } from './verdict.ts';

/** The rules whose findings are excused, and why. */
const excused: Readonly<Record<string, string>> = {
  W3005: 'The CDK writes dependencies that a reference implies, too. Both say the same',
};

type Finding = {
  readonly Rule: { readonly Id: string };
  readonly Message: string;
  readonly Filename: string;
  readonly Location: { readonly Start: { readonly LineNumber: number } };
};

/** Checks the templates of every stage, and of one with every resource that settings may add. */
export const cfnLint: Judge = async (folder, more) => {
  const bin = await pythonPrograms('cfn-lint');
  const bundleOf = bundlesFor(folder);
  const stages = {
    ...Object.fromEntries(stageNames().map((name) => [name, stageOf(name)])),
    preview: stageOf('preview-pr-12'),
    'every-setting': { name: 'dev', settings: settingsOf({ ...everySetting, docs: true }) },
  };
  const templates = Object.entries(stages).flatMap(([name, stage]) => {
    const outdir = join(folder, name);
    synthesiseStage(stage, outdir, bundleOf);
    return globSync(join(outdir, '*.template.json')).sort();
  });
  const { output, stdout } = await run(
    join(bin, 'cfn-lint'),
    ['--format', 'json', '--regions', 'eu-central-1', ...more, '--', ...templates],
    { cwd: folder },
  );
  let said: readonly Finding[];
  try {
    said = JSON.parse(stdout);
  } catch {
    return { findings: [lastLine({ output })] };
  }
  const found = new Set(said.map(({ Rule }) => Rule.Id));
  return {
    findings: [
      ...said
        .filter(({ Rule }) => !(Rule.Id in excused))
        .map(({ Rule, Message, Filename, Location }) => `${Rule.Id} ${Filename}:${Location.Start.LineNumber} ${Message}`),
      ...Object.keys(excused)
        .filter((rule) => !found.has(rule))
        .map((rule) => `${rule} finds nothing any more: remove it from the exceptions in tools/judge/cfn-lint.ts`),
    ],
    report: Object.entries(excused).map(
      ([rule, why]) => `${rule}, ${said.filter(({ Rule }) => Rule.Id === rule).length} times, excused: ${why}`,
    ),
    remarks: `${templates.length} templates`,
  };
};
