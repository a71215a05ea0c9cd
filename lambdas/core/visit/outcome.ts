/** The outcomes of visits in the stage's metrics. */
export const outcomes = ['redirect', 'page', 'password', 'not found', 'gone', 'refused', 'failed'] as const;

/** The outcome of a visit, by the status of its response. */
export function outcomeOf(status: number): (typeof outcomes)[number] {
  if (status >= 500) return 'failed';
  if (status === 401 || status === 429) return 'password';
  if (status === 404) return 'not found';
  if (status === 410) return 'gone';
  if (status >= 400) return 'refused';
  return status >= 300 ? 'redirect' : 'page';
}
