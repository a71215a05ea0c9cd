import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { TextField } from '../../parts/kit/field.tsx';
import { api } from '../../service/client.ts';
import { useMay } from '../../service/queries.ts';
import { type UtmName, usedValues, utmNames, utmOf, withUtm } from './utm.ts';

const labels: Readonly<Record<UtmName, string>> = {
  utm_source: 'Source',
  utm_medium: 'Medium',
  utm_campaign: 'Campaign',
  utm_term: 'Term',
  utm_content: 'Content',
};

/** The destinations of the newest links of the workspace, including archived ones. */
const useDestinations = (isWanted: boolean) =>
  useQuery({
    queryKey: ['destinations'],
    queryFn: async ({ signal }) => {
      const params = { query: { limit: 100, archived: 'any' as const } };
      return (await api.GET('/api/v1/links', { params, signal })).data.links.map(({ url }) => url);
    },
    enabled: useMay('links:read') && isWanted,
    staleTime: 60_000,
  });

/** The UTM parameters, which are part of the destination. Values of the newest links are suggested. */
export function UtmFields({ url, onChange }: { readonly url: string; readonly onChange: (url: string) => void }) {
  const [isUsed, use] = useState(false);
  const { data: urls = [] } = useDestinations(isUsed);
  const used = useMemo(() => usedValues(urls), [urls]);
  return (
    <fieldset className="utm" onFocus={() => use(true)}>
      <legend className="label">UTM parameters of the destination</legend>
      {utmNames.map((name) => (
        <TextField
          key={name}
          label={labels[name]}
          suggested={used[name]}
          value={utmOf(url, name)}
          onText={(text) => onChange(withUtm(url, name, text))}
        />
      ))}
    </fieldset>
  );
}
