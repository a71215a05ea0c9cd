import type { Wording } from './wording.ts';

/** French. */
export const fr: Wording = {
  refusals: {
    unknown: ['Lien introuvable', "Ce lien n'existe pas, ou il a été désactivé."],
    pending: ['Pas encore prêt', 'Les liens de ce domaine ne fonctionnent pas encore. Veuillez réessayer plus tard.'],
    not_yet: ['Pas encore disponible', 'Ce lien ne fonctionne pas encore. Veuillez réessayer plus tard.'],
    no_preview: ["Pas d'aperçu", "Ce lien n'a pas d'aperçu."],
    expired: ['Lien expiré', 'Ce lien a expiré.'],
    used_up: ['Limite atteinte', "Ce lien a atteint son nombre maximal d'ouvertures."],
    bots_refused: ['Robots non autorisés', "Ce lien n'accepte pas les robots."],
    password_required: ['Mot de passe requis', 'Ce lien est protégé. Veuillez saisir son mot de passe.'],
    password_wrong: ['Mot de passe incorrect', 'Ce mot de passe est incorrect. Veuillez réessayer.'],
    cross_site_password: [
      'Saisissez le mot de passe ici',
      "Le mot de passe a été envoyé depuis un autre site ; il n'a donc pas été vérifié. Veuillez le saisir ici, ou ouvrir le lien dans un nouvel onglet.",
    ],
    too_many_attempts: [
      'Trop de tentatives',
      'Trop de mots de passe incorrects ont été saisis. Veuillez patienter quelques minutes, puis réessayer.',
    ],
    prefetch_refused: ['Préchargement non autorisé', 'Ce lien ne peut pas être préchargé.'],
    cross_site_confirmation: [
      'Ouvrez le lien ici',
      'La confirmation a été envoyée depuis un autre site. Veuillez confirmer ici que vous voulez ouvrir le lien.',
    ],
    method_not_allowed: ['Méthode non autorisée', "Un lien s'ouvre avec GET."],
    address_too_long: ['Adresse trop longue', "L'adresse est trop longue pour être transmise."],
    temporarily_unavailable: [
      'Temporairement indisponible',
      'Le service est temporairement indisponible. Veuillez réessayer dans un instant.',
    ],
    internal_error: ["Une erreur s'est produite", "Une erreur s'est produite de notre côté."],
  },
  labels: {
    password: 'Mot de passe',
    open: 'Ouvrir le lien',
    confirm: ['Ouvrir ce lien ?', 'Veuillez confirmer que vous voulez ouvrir ce lien.'],
    goOn: 'Continuer',
    goingOn: 'Redirection …',
    leadsTo: (host) => `Ce lien mène à ${host}`,
    created: (day) => `Créé le ${day}`,
    report: 'Signaler ce lien',
  },
};
