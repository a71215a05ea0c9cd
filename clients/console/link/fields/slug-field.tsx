import { useEffect, useState } from 'react';
import { trimmed } from '../../../../lambdas/core/invisible.ts';
import { checkSlug } from '../../../../lambdas/core/link/slug.ts';
import { ProblemError } from '../../../typescript/problem.ts';
import type { Described } from '../../parts/kit/field.tsx';
import { api } from '../../service/client.ts';
import { hostOf } from '../../service/new-links.ts';

type SlugFieldProps = {
  readonly described: Described;
  readonly domain: string;
  /** The id of the link, unless it is new. */
  readonly owner: string | undefined;
  readonly value: string;
  readonly onChange: (slug: string) => void;
};

const pauseMs = 400;

const words = { free: '✓ available', taken: 'taken', refused: 'not allowed' } as const;

/** Whether the service would refuse a text as a slug, taken or not. */
function isRefused(text: string): boolean {
  try {
    checkSlug(text);
    return false;
  } catch {
    return true;
  }
}

/** The slug after its domain, and whether it is free. The service decides when the link is saved. */
export function SlugField({ described, domain, owner, value, onChange }: SlugFieldProps) {
  const [known, setKnown] = useState<'free' | 'taken' | 'refused'>();
  useEffect(() => {
    setKnown(undefined);
    if (trimmed(value) === '' || domain === '') return;
    const stopped = new AbortController();
    const timer = setTimeout(() => {
      if (isRefused(trimmed(value))) return setKnown('refused');
      const params = { query: { domain, slug: trimmed(value) } };
      api.GET('/api/v1/links/lookup', { params, signal: stopped.signal }).then(
        ({ data }) => setKnown(data.link.id === owner ? undefined : 'taken'),
        (error: unknown) => error instanceof ProblemError && error.status === 404 && setKnown('free'),
      );
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  }, [value, domain, owner]);
  // A slug that the service has refused isn't shown as free.
  const shown = described['aria-invalid'] ? undefined : known;
  return (
    <span className="slug">
      <span className="mono cut">{hostOf(domain)}/</span>
      <input
        {...described}
        className="mono"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        placeholder={owner === undefined ? 'generated' : ''}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <span className={`small slug-known ${shown ?? ''}`} role="status">
        {shown && words[shown]}
      </span>
    </span>
  );
}
