import { TextField } from '../../parts/kit/field.tsx';
import { type UtmName, utmNames, utmOf, withUtm } from './utm.ts';

const labels: Readonly<Record<UtmName, string>> = {
  utm_source: 'Source',
  utm_medium: 'Medium',
  utm_campaign: 'Campaign',
  utm_term: 'Term',
  utm_content: 'Content',
};

/** The UTM parameters of the destination. They are nothing but a part of it. */
export function UtmFields({ url, onChange }: { readonly url: string; readonly onChange: (url: string) => void }) {
  return (
    <fieldset className="utm">
      <legend className="label">UTM parameters of the destination</legend>
      {utmNames.map((name) => (
        <TextField
          key={name}
          label={labels[name]}
          value={utmOf(url, name)}
          onText={(text) => onChange(withUtm(url, name, text))}
        />
      ))}
    </fieldset>
  );
}
