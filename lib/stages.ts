/**
 * Settings that differ from stage to stage. A stage is one whole environment; several fit into one account.
 */
export type StageSettings = {
  /** Keep the table when the stack goes: retain, deletion protection, point-in-time recovery. */
  readonly keepData: boolean;
  /** How many links one bulk request may carry, 1 to 1,000. */
  readonly maxLinksPerImport: number;
  /** What comes before the slug of a short URL, with `{domain}` for the link's domain. */
  readonly shortUrlOrigin: string;
  /** How many days the functions' logs are kept. One of the values that CloudWatch Logs accepts. */
  readonly logRetentionDays: 7 | 30 | 90;
};

const stages = {
  local: { keepData: false, maxLinksPerImport: 1000, shortUrlOrigin: 'http://{domain}:3000', logRetentionDays: 7 },
  dev: { keepData: false, maxLinksPerImport: 1000, shortUrlOrigin: 'https://{domain}', logRetentionDays: 7 },
  staging: { keepData: false, maxLinksPerImport: 1000, shortUrlOrigin: 'https://{domain}', logRetentionDays: 30 },
  prod: { keepData: true, maxLinksPerImport: 1000, shortUrlOrigin: 'https://{domain}', logRetentionDays: 90 },
} as const satisfies Record<string, StageSettings>;

export type StageName = keyof typeof stages;

export const stageNames = Object.keys(stages) as StageName[];

/**
 * The stage of that name with its settings.
 *
 * @throws Error with one line for the operator when the name is missing or unknown.
 */
export function stageOf(name: unknown): { name: StageName; settings: StageSettings } {
  if (typeof name === 'string' && Object.hasOwn(stages, name)) {
    return { name: name as StageName, settings: stages[name as StageName] };
  }
  const got = name === undefined ? 'no stage given' : `unknown stage "${String(name)}"`;
  throw new Error(`${got}: name one of ${stageNames.join(', ')}, as in: npm run deploy -- -c stage=dev`);
}
