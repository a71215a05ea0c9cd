import { acceptedLanguages, primarySubtag } from '../../core/visitor/language.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import type { Wording } from './wording.ts';

const wordings = { en, de, fr, es } as const;
export type Language = keyof typeof wordings;

const isLanguage = (language: string): language is Language => Object.hasOwn(wordings, language);

export const wordingIn = (language: Language): Wording => wordings[language];

/** The available language that a visitor prefers. @param accepted the header `Accept-Language` */
export const languageFor = (accepted: string): Language =>
  acceptedLanguages(accepted).map(primarySubtag).find(isLanguage) ?? 'en';
