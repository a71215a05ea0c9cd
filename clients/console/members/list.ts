import { useQuery } from '@tanstack/react-query';
import { api } from '../service/client.ts';
import { listed } from '../service/queries.ts';
import { resource } from '../service/resources.ts';

const list = listed('members', (init) => api.pages('/api/v1/members', init));

export type Member = Awaited<ReturnType<typeof list.queryFn>>[number];

export const useMembers = (isOn = true) => useQuery({ ...list, enabled: isOn });

export const memberAt = resource<Member>('member', '/api/v1/members/{id}', { lists: ['members'] });
