import { useQuery } from '@tanstack/react-query';
import { api } from '../service/client.ts';
import { all, queries } from '../service/queries.ts';
import { resource } from '../service/resources.ts';

const fetchKeys = (signal: AbortSignal) => all(api.pages('/api/v1/keys', { signal }));

/** A key in the list. */
export type ApiKey = Awaited<ReturnType<typeof fetchKeys>>[number];

export const useKeys = (isOn = true) =>
  useQuery({ queryKey: ['keys'], queryFn: ({ signal }) => fetchKeys(signal), enabled: isOn });

export const keyAt = resource<ApiKey>('key', '/api/v1/keys/{id}', { lists: ['keys', 'me'] });

/** Loads the keys anew, and how many are left. */
export const refreshKeys = (): void => {
  void queries.invalidateQueries({ queryKey: ['keys'] });
  void queries.invalidateQueries({ queryKey: ['me'] });
};
