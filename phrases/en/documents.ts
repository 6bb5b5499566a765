// English: the built-in privacy policy and service agreement of an installation.
import type { DocumentTexts } from './document-texts.ts';

export const documents: DocumentTexts = {
  plainName: 'this system',
  privacy: {
    title: 'Privacy policy',
    parts: [
      {
        heading: 'Who is responsible',
        text: 'Whoever runs this installation of {product} decides what its cameras record, who may watch, and for how long recordings are kept. Ask that person or organisation about everything on this page.',
      },
      {
        heading: 'What is kept about you',
        text: 'Your user name, the e-mail address or phone you bind, your password as a hash that cannot be read back, your settings, the browsers you sign in from, and a log of who watched and changed what and when.',
      },
      {
        heading: 'Recordings',
        text: 'Pictures and sound stay on the machines of this installation. They are deleted by themselves when their time is over, and with the device or the account that they belong to.',
      },
      {
        heading: 'Who gets it',
        text: 'Nobody, except those whom the owner of a camera gives access. {product} reports nothing to its makers. Mail and text messages travel through the services that the administrator configured.',
      },
      {
        heading: 'Your choice',
        text: 'You can read and change your data under your account, end single sessions, and erase the account with everything it owns. Lines of the log stay, because a log that can be shortened proves nothing.',
      },
    ],
  },
  agreement: {
    title: 'Service agreement',
    parts: [
      {
        heading: 'What this is',
        text: '{product} is free software under the Apache License 2.0. The person or organisation that runs this installation offers it to you, and agrees with you on everything beyond this page.',
      },
      {
        heading: 'Your part',
        text: 'Keep your password to yourself. Watch and record only where you may: the law of the place of the camera applies, and people who are recorded have rights.',
      },
      {
        heading: 'No warranty',
        text: 'The software comes as it is, without warranty of any kind, as its licence says. Recording can fail; the system tells you of every gap that it knows of.',
      },
      {
        heading: 'The end',
        text: 'You can erase your account at any time. The administrator can disable it. With an account its devices, recordings and shares are deleted.',
      },
    ],
  },
};
