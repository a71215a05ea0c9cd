import { reportNoteLength, urlLength } from '../core/limits.ts';
import { reportReasons } from '../core/report/report.ts';
import { reportPath } from '../core/report/report-path.ts';
import { type Html, html } from './html.ts';
import { type Look, type Page, page } from './page-layout.ts';
import type { Field, Typed } from './report-form.ts';
import { reportWordingIn } from './wording/reporting.ts';

/** The errors of a form: wrong fields, or a sentence above the form. */
export type Wrong = { readonly fields?: readonly Field[]; readonly sentence?: string };

const formStyle = `
select, textarea { display: block; width: 100%; min-height: 2.75rem; padding: .5625rem .75rem; font: inherit }
select, textarea { margin: .25rem 0 1rem; border: 1px solid var(--border); border-radius: .375rem }
select, textarea { background: var(--page); color: inherit; resize: vertical }
[aria-invalid] { outline: .125rem solid var(--text); margin-bottom: .25rem }
.wrong { color: var(--text); font-weight: 600 }`;

/** The form with which visitors report a link. It works without scripts, and keeps what was typed. */
export function reportPage(typed: Typed, look: Look, { fields = [], sentence }: Wrong = {}): Page {
  const report = reportWordingIn(look.language);
  const [title, intro] = report.intro;
  const state = (field: Field): Html =>
    fields.includes(field)
      ? html` aria-invalid="true" aria-describedby="${field}-wrong"${field === fields[0] ? html` autofocus` : html``}`
      : html``;
  const wrong = (field: Field): Html =>
    fields.includes(field) ? html`<p id="${field}-wrong" class="wrong">${report.wrong[field]}</p>` : html``;
  const choices = reportReasons.map(
    (one) => html`<option value="${one}"${one === typed.reason ? html` selected` : html``}>${report.reasons[one]}</option>`,
  );
  return page({
    look,
    title,
    moreStyle: formStyle,
    sources: { 'form-action': "'self'" },
    body: html`<h1>${title}</h1>
${sentence === undefined ? html`<p>${intro}</p>` : html`<p role="alert" class="wrong">${sentence}</p>`}
<form method="post" action="${reportPath}">
<label for="address">${report.address}</label>
<input id="address" name="address" value="${typed.address}" maxlength="${String(urlLength)}" inputmode="url" autocapitalize="none" autocomplete="off" spellcheck="false" required${state('address')}>
${wrong('address')}
<label for="reason">${report.reason}</label>
<select id="reason" name="reason" required${state('reason')}><option value="">${report.choose}</option>${choices}</select>
${wrong('reason')}
<label for="note">${report.note}</label>
<textarea id="note" name="note" rows="4" maxlength="${String(reportNoteLength)}"${state('note')}>
${typed.note}</textarea>
${wrong('note')}
<input type="hidden" name="form" value="${typed.form}">
<button>${report.send}</button>
</form>`,
  });
}

/** The page after a report, whatever its result. */
export function thanksPage(look: Look): Page {
  const [title, sentence] = reportWordingIn(look.language).thanks;
  return page({ look, title, body: html`<h1>${title}</h1><p role="status">${sentence}</p>` });
}
