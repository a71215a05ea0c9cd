import { useDomains, useTags } from '../../service/queries.ts';
import { Select } from '../kit/select.tsx';
import { TagPicker } from './tag-picker.tsx';

/** Which links are meant: all, those on a domain, and those with tags. */
type Scope = { readonly domain: string | undefined; readonly tags: readonly string[]; readonly match: 'any' | 'all' };

type ScopePickersProps = { readonly scope: Scope; readonly onChange: (change: Partial<Scope>) => void };

export function ScopePickers({ scope: { domain, tags, match }, onChange }: ScopePickersProps) {
  const { data: domains = [] } = useDomains();
  const { data: known = [] } = useTags();
  // Clicks outlive their domain, so the one in the address may be gone.
  const names = [...new Set([...domains.map((one) => one.domain), ...(domain === undefined ? [] : [domain])])];
  return (
    <>
      {(names.length > 1 || domain !== undefined) && (
        <Select
          aria-label="Domain"
          className="fitting"
          value={domain ?? ''}
          options={[['', 'All domains'], ...names.map((name) => [name, name] as const)]}
          onChoose={(name) => onChange({ domain: name || undefined })}
        />
      )}
      <TagPicker
        label={tags.length > 0 ? `Tags · ${tags.length}` : 'Tags'}
        tags={known}
        chosen={tags}
        onChange={(ids) => onChange({ tags: ids })}
      />
      {tags.length > 1 && (
        <Select
          aria-label="Match tags"
          className="fitting"
          value={match}
          options={[
            ['any', 'Any of the tags'],
            ['all', 'All of the tags'],
          ]}
          onChoose={(chosen) => onChange({ match: chosen })}
        />
      )}
    </>
  );
}
