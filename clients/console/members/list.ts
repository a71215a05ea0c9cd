import { useQuery } from '@tanstack/react-query';
import { api } from '../service/client.ts';
import { all, queries } from '../service/queries.ts';
import { resource } from '../service/resources.ts';

const fetchMembers = (signal: AbortSignal) => all(api.pages('/api/v1/members', { signal }));

/** A member in the list. */
export type Member = Awaited<ReturnType<typeof fetchMembers>>[number];

export const useMembers = (isOn = true) =>
  useQuery({ queryKey: ['members'], queryFn: ({ signal }) => fetchMembers(signal), enabled: isOn });

export const memberAt = resource<Member>('member', '/api/v1/members/{id}', { lists: ['members'] });

export const refreshMembers = (): void => void queries.invalidateQueries({ queryKey: ['members'] });
