import type { Aws } from '../shared/stacks.ts';

/**
 * The lines at the end of a deployment: what to do with the stage, ready to be pasted into a shell.
 *
 * @param stage its name.
 * @param aws the profile and the region that the deployment was told to use. The commands get them from the
 * environment.
 */
export function nextSteps(stage: string, { profile, region }: Aws): string[] {
  const variables = { AWS_PROFILE: profile, AWS_REGION: region };
  const environment = Object.entries(variables)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${quoted(value)} `]))
    .join('');
  return [
    `${stage} is deployed. Try it, and make the first workspace with a domain and a key:`,
    `  ${environment}npm run -s smoke -- --stage ${stage}`,
    `  ${environment}npm run -s admin -- --stage ${stage} start --name NAME`,
  ];
}

/** A word for `sh`. */
const quoted = (text: string): string => (/^[\w.@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
