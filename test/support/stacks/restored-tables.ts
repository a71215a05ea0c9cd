import type { StageSettings } from '../../../lib/stages/settings.ts';

/** The setting of a stage that works on tables restored to a time, as `npm run restore` would name them. */
export const restoredAt = (time: string): Required<StageSettings>['restoredTables'] => {
  const restored = (table: string) => {
    const name = `Links-dev-${table}-${time}`;
    const arn = `arn:aws:dynamodb:eu-central-1:111122223333:table/${name}`;
    return { name, streamArn: `${arn}/stream/2026-11-21T12:00:00.000` };
  };
  return { Links: restored('Links'), Activity: restored('Activity') };
};
