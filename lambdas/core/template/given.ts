import type { GivenByTemplate } from '../link/given-settings.ts';
import { type TemplateSettings, templateDefaults } from './template.ts';

/**
 * What a template adds to links.
 *
 * @param receivedAt when the gateway received the request, in milliseconds since 1970
 */
export function givenBy(template: TemplateSettings, receivedAt: number): GivenByTemplate {
  const said = Object.entries(templateDefaults).flatMap(([name, usual]) => {
    const value = template[name as keyof TemplateSettings];
    return name === 'expiresAfterDays' || JSON.stringify(value) === JSON.stringify(usual) ? [] : [[name, value]];
  });
  const days = template.expiresAfterDays;
  return {
    ...Object.fromEntries(said),
    ...(days !== null && { expiresAt: new Date(receivedAt + days * 86_400_000).toISOString() }),
  };
}
