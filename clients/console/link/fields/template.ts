import { utmParameters } from '../../../../lambdas/core/link/utm.ts';
import { localValue } from '../../parts/time.ts';
import type { Template } from '../../service/types.ts';
import { newValues, type Values } from './fields.ts';

const dayMs = 24 * 60 * 60_000;

/**
 * The initial values of a new link with a template. Unchanged fields are not sent: the service takes them from the
 * template.
 *
 * @param now when the form was opened
 */
export function templateValues(template: Template | undefined, now: number): Values {
  const plain = newValues('');
  if (template === undefined) return plain;
  const { expiresAfterDays: days } = template;
  const expiresAt = days === null ? '' : localValue(new Date(now + days * dayMs).toISOString());
  return { ...plain, ...Object.fromEntries(Object.entries(template).filter(([name]) => name in plain)), expiresAt };
}

/** The effects of a template that no field of the form shows; empty if there are none. */
export function besidesText(template: Template): string {
  const utm = Object.entries(utmParameters).flatMap(([field, parameter]) => {
    const value = template[field as keyof typeof utmParameters];
    return value === null ? [] : [`${parameter}=${value}`];
  });
  return [
    ...(utm.length > 0 ? [`Adds ${utm.join(', ')} where the destination has none.`] : []),
    ...(template.isArchived ? ['New links start in the archive.'] : []),
  ].join(' ');
}
