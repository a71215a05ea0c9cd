import { reportNoteLength } from '../../core/limits.ts';
import type { ReportReason } from '../../core/report/report.ts';
import type { Language } from './languages.ts';

/** All texts of the report page in one language. Apart from the others, because few visitors need them. */
type ReportWording = {
  /** The title, and what happens. */
  readonly intro: readonly [title: string, sentence: string];
  readonly address: string;
  readonly reason: string;
  /** The first option, which selects nothing. */
  readonly choose: string;
  readonly reasons: Readonly<Record<ReportReason, string>>;
  readonly note: string;
  readonly send: string;
  readonly thanks: readonly [title: string, sentence: string];
  /** The error beside each field. */
  readonly wrong: Readonly<Record<'address' | 'reason' | 'note', string>>;
  /** Why nothing was reported, above the form. */
  readonly crossSite: string;
  readonly unreadable: string;
  /** @param minutes until somebody may try again */
  readonly tooMany: (minutes: number) => string;
};

const wordings: Readonly<Record<Language, ReportWording>> = {
  en: {
    intro: ['Report a link', 'Does a short link lead to something harmful? The operator of this service will look at it.'],
    address: 'Address of the short link',
    reason: 'What is wrong with it?',
    choose: 'Please choose',
    reasons: {
      phishing: 'Steals passwords or data',
      malware: 'Viruses or other malware',
      spam: 'Sent as spam',
      illegal: 'Illegal content',
      other: 'Something else',
    },
    note: 'What should we know? (optional)',
    send: 'Send report',
    thanks: ['Thank you', 'Your report has arrived. The operator of this service will look at the link.'],
    wrong: {
      address: 'This is not the address of a short link of this service.',
      reason: 'Please choose a reason.',
      note: `Please write at most ${reportNoteLength} characters.`,
    },
    crossSite: 'The report came from another website and was not accepted. Please check it, and send it here.',
    unreadable: 'The report could not be read. Please fill in the form again.',
    tooMany: (minutes) =>
      `Too many reports have been sent. Please try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
  },
  de: {
    intro: ['Link melden', 'Führt ein Kurzlink zu etwas Schädlichem? Der Betreiber dieses Dienstes sieht ihn sich an.'],
    address: 'Adresse des Kurzlinks',
    reason: 'Was stimmt damit nicht?',
    choose: 'Bitte wählen',
    reasons: {
      phishing: 'Stiehlt Passwörter oder Daten',
      malware: 'Viren oder Schadsoftware',
      spam: 'Als Spam verschickt',
      illegal: 'Illegale Inhalte',
      other: 'Etwas anderes',
    },
    note: 'Was sollten wir wissen? (freiwillig)',
    send: 'Meldung absenden',
    thanks: ['Vielen Dank', 'Ihre Meldung ist angekommen. Der Betreiber dieses Dienstes sieht sich den Link an.'],
    wrong: {
      address: 'Das ist nicht die Adresse eines Kurzlinks dieses Dienstes.',
      reason: 'Bitte wählen Sie einen Grund.',
      note: `Bitte schreiben Sie höchstens ${reportNoteLength} Zeichen.`,
    },
    crossSite:
      'Die Meldung kam von einer anderen Website und wurde nicht angenommen. Bitte prüfen Sie sie und senden Sie sie hier ab.',
    unreadable: 'Die Meldung konnte nicht gelesen werden. Bitte füllen Sie das Formular noch einmal aus.',
    tooMany: (minutes) =>
      `Es sind zu viele Meldungen eingegangen. Bitte versuchen Sie es in ${minutes} ${minutes === 1 ? 'Minute' : 'Minuten'} erneut.`,
  },
  fr: {
    intro: ['Signaler un lien', "Un lien court mène à quelque chose de nuisible ? L'exploitant de ce service l'examinera."],
    address: 'Adresse du lien court',
    reason: 'Quel est le problème ?',
    choose: 'Veuillez choisir',
    reasons: {
      phishing: 'Vole mots de passe ou données',
      malware: 'Virus ou logiciel malveillant',
      spam: 'Envoyé comme spam',
      illegal: 'Contenu illégal',
      other: 'Autre chose',
    },
    note: 'Que devons-nous savoir ? (facultatif)',
    send: 'Envoyer le signalement',
    thanks: ['Merci', "Votre signalement est arrivé. L'exploitant de ce service examinera le lien."],
    wrong: {
      address: "Ce n'est pas l'adresse d'un lien court de ce service.",
      reason: 'Veuillez choisir un motif.',
      note: `Veuillez écrire ${reportNoteLength} caractères au maximum.`,
    },
    crossSite: "Le signalement est venu d'un autre site et n'a pas été accepté. Veuillez le vérifier et l'envoyer ici.",
    unreadable: "Le signalement n'a pas pu être lu. Veuillez remplir à nouveau le formulaire.",
    tooMany: (minutes) =>
      `Trop de signalements sont arrivés. Veuillez réessayer dans ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
  },
  es: {
    intro: ['Denunciar un enlace', '¿Lleva un enlace corto a algo dañino? El operador de este servicio lo revisará.'],
    address: 'Dirección del enlace corto',
    reason: '¿Qué problema tiene?',
    choose: 'Elija una opción',
    reasons: {
      phishing: 'Roba contraseñas o datos',
      malware: 'Virus o software malicioso',
      spam: 'Enviado como spam',
      illegal: 'Contenido ilegal',
      other: 'Otra cosa',
    },
    note: '¿Qué deberíamos saber? (opcional)',
    send: 'Enviar denuncia',
    thanks: ['Gracias', 'Hemos recibido su denuncia. El operador de este servicio revisará el enlace.'],
    wrong: {
      address: 'Esta no es la dirección de un enlace corto de este servicio.',
      reason: 'Elija un motivo.',
      note: `Escriba ${reportNoteLength} caracteres como máximo.`,
    },
    crossSite: 'La denuncia llegó desde otro sitio web y no se aceptó. Revísela y envíela aquí.',
    unreadable: 'No se pudo leer la denuncia. Rellene de nuevo el formulario.',
    tooMany: (minutes) =>
      `Han llegado demasiadas denuncias. Inténtelo de nuevo en ${minutes} ${minutes === 1 ? 'minuto' : 'minutos'}.`,
  },
};

export const reportWordingIn = (language: Language): ReportWording => wordings[language];
