import { useQuery } from '@tanstack/react-query';
import { api } from '../service/client.ts';
import { listed } from '../service/queries.ts';
import { resource } from '../service/resources.ts';

const list = listed('keys', (init) => api.pages('/api/v1/keys', init));

export type ApiKey = Awaited<ReturnType<typeof list.queryFn>>[number];

export const useKeys = (isOn = true) => useQuery({ ...list, enabled: isOn });

export const keyAt = resource<ApiKey>('key', '/api/v1/keys/{id}', { lists: ['keys', 'me'] });
