// The demonstration's pages in German, by their English texts; the pages themselves
// are English.

const GERMAN = {
  'Elsewhere on this server': 'Anderes auf diesem Server',
  'What else there is': 'Was es noch gibt',
  Verification: 'Verifizierung',
  'Try Verification': 'Verifizierung ausprobieren',
  'Try a verification': 'Eine Verifizierung ausprobieren',
  'You play the shop and its customer; the service behind this page is the real one. Nothing leaves this machine.':
    'Sie spielen den Shop und seinen Kunden; der Dienst hinter dieser Seite ist der echte. Nichts verlässt diesen Rechner.',
  'Start a session': 'Eine Sitzung beginnen',
  'What the customer shows': 'Was der Kunde zeigt',
  'Where the widget opens': 'Wo sich das Widget öffnet',
  Dialog: 'Dialog',
  'In this page': 'In dieser Seite',
  'Own page': 'Eigene Seite',
  'Start a verification': 'Verifizierung beginnen',
  'What happens': 'Was geschieht',
  'Page: what the widget tells this page. Server: requests of the shop’s server, and webhooks with their signatures.':
    'Seite: was das Widget dieser Seite meldet. Server: Anfragen des Shop-Servers und Webhooks mit ihren Signaturen.',
  Page: 'Seite',
  'Open the widget again': 'Widget wieder öffnen',
  'Sessions, reviews, workflows, webhooks. User': 'Sitzungen, Prüfungen, Workflows, Webhooks. Benutzer',
  ', password': ', Passwort',
  'The whole interface to read, for a generator at':
    'Die ganze Schnittstelle zum Lesen, für Generatoren unter',
  '. Whole shops in four languages are in': '. Ganze Shops in vier Sprachen stehen in',
  'Age gate': 'Altersschranke',
  'A page for visitors who proved that they are 18. Three lines of configuration guard it.':
    'Eine Seite für Besucher, die nachweislich 18 sind. Drei Zeilen Konfiguration schützen sie.',
  'At the shell': 'In der Shell',
  'Keys and ids are in': 'Schlüssel und Kennungen stehen in',
  'lists every command,': 'nennt alle Befehle,',
  'ends all of this.': 'beendet das alles.',
  'Page not found': 'Seite nicht gefunden',
  'There is no such page': 'Diese Seite gibt es nicht',
  'Perhaps you meant one of these.': 'Vielleicht suchen Sie eine von diesen:',
  'Start page': 'Startseite',
  ': try a verification': ': eine Verifizierung ausprobieren',
  ': sessions, reviews and workflows': ': Sitzungen, Prüfungen und Workflows',
  ': the interface to read': ': die Schnittstelle zum Lesen',
  ': a page for visitors who are 18': ': eine Seite für Besucher ab 18',
  'Behind the age gate': 'Hinter der Altersschranke',
  'You are behind the age gate': 'Sie sind hinter der Altersschranke',
  'This page is an application behind a proxy. It knows nothing about verifications. Apache let you in and sent it the header':
    'Diese Seite ist eine Anwendung hinter einem Proxy. Sie weiß nichts von Verifizierungen. Apache hat Sie eingelassen und ihr diesen Header gesendet:',
  'Verify again': 'Erneut verifizieren',
  Good: 'Gut',
  'Ends verified': 'Wird verifiziert',
  Expired: 'Abgelaufen',
  'Is not accepted': 'Wird abgelehnt',
  'Under age': 'Zu jung',
  'Is 15 years old': 'Ist 15 Jahre alt',
  Blurred: 'Unscharf',
  'Cannot be read': 'Ist nicht lesbar',
  'Your own': 'Ihr eigenes',
  'Files or camera': 'Dateien oder Kamera',
  'Photos of a real document are read on this machine, and deleted when the check is over. Only licenses and identity cards of the United States pass this workflow.':
    'Fotos eines echten Dokuments werden auf diesem Rechner gelesen und nach der Prüfung gelöscht. Diesen Workflow bestehen nur Führerscheine und Ausweise der Vereinigten Staaten.',
  'In the widget press “Choose a picture”: it gets the front of this card, and then the back, as if they lay among your files.':
    'Drücken Sie im Widget „Bild auswählen“: Es erhält die Vorderseite dieser Karte und dann die Rückseite, als lägen sie unter Ihren Dateien.',
  'Demonstration: “{name}” brings the specimen.':
    'Demonstration: „{name}“ bringt das Muster.',
  'The customer is old enough. A real shop would go on now.':
    'Der Kunde ist alt genug. Ein echter Shop machte nun weiter.',
  'The customer did not pass. last_error and the webhook say why.':
    'Der Kunde hat nicht bestanden. last_error und der Webhook sagen, warum.',
  'The customer left.': 'Der Kunde ist gegangen.',
  'The time of the session is over.': 'Die Zeit der Sitzung ist um.',
  'The last attempt did not pass.': 'Der letzte Versuch war nicht erfolgreich.',
  'The widget says why and offers another attempt.':
    'Das Widget sagt, warum, und bietet einen weiteren Versuch an.',
  'The widget is closed, but the session is still open.':
    'Das Widget ist geschlossen, die Sitzung aber noch offen.',
  'A person decides: see Reviews in the dashboard.':
    'Ein Mensch entscheidet: siehe „Prüfungen“ im Dashboard.',
  Show: 'Zeigen',
  'Assurance:': 'Verlässlichkeit:',
  'signature wrong': 'Signatur falsch',
  'signature right': 'Signatur richtig',
  'Widget: screen': 'Widget: Bildschirm',
  'The customer is asked for consent': 'Der Kunde wird um Zustimmung gebeten',
  'The customer chooses a document': 'Der Kunde wählt ein Dokument',
  'The customer opens the camera': 'Der Kunde öffnet die Kamera',
  'The customer looks at the photo': 'Der Kunde sieht sich das Foto an',
  'The back of the document is asked for': 'Die Rückseite des Dokuments fehlt noch',
  'The photos are being sent': 'Die Fotos werden gesendet',
  'The photos are being checked': 'Die Fotos werden geprüft',
  'The customer has to try again': 'Der Kunde muss es noch einmal versuchen',
  'The customer sees that they passed': 'Der Kunde sieht: bestanden',
  'The customer sees that they did not pass': 'Der Kunde sieht: nicht bestanden',
  'The customer sees that they ended the check': 'Der Kunde sieht: abgebrochen',
  'The customer sees that the time is over': 'Der Kunde sieht: Zeit abgelaufen',
  'The customer is asked whether to cancel': 'Der Kunde wird gefragt, ob er abbrechen will',
  'A code for a phone is shown': 'Ein Code für das Telefon wird gezeigt',
  'The customer goes on with a phone': 'Der Kunde macht am Telefon weiter',
  'The customer sees that a person looks at it': 'Der Kunde sieht: ein Mensch prüft',
  'The session was created': 'Die Sitzung wurde angelegt',
  'The check of the photos has begun': 'Die Prüfung der Fotos hat begonnen',
  'The customer has to show something else': 'Der Kunde muss etwas anderes zeigen',
  'A person has to look at the session': 'Ein Mensch muss die Sitzung prüfen',
  'The session is verified': 'Die Sitzung ist verifiziert',
  'The session failed': 'Die Sitzung ist gescheitert',
  'The session was cancelled': 'Die Sitzung wurde abgebrochen',
  'The session expired': 'Die Sitzung ist abgelaufen',
  'The widget is ready': 'Das Widget ist bereit',
  'The widget was closed': 'Das Widget wurde geschlossen',
  'The widget is done': 'Das Widget ist fertig',
  'The customer cancelled': 'Der Kunde hat abgebrochen',
  'The widget reports an error': 'Das Widget meldet einen Fehler',
  'The widget was blocked': 'Das Widget wurde blockiert',
};

// TEXT in LANG, by default the page's.
export function say(text, lang = document.documentElement.lang) {
  return (lang === 'de' && GERMAN[text]) || text;
}

// Puts the page into the language that the browser prefers of the two.
export function translate() {
  const wish = navigator.languages.map((one) => one.slice(0, 2).toLowerCase())
    .find((one) => one === 'de' || one === 'en');
  if (wish !== 'de') return;
  document.documentElement.lang = 'de';
  document.title = say(document.title);
  for (const one of document.querySelectorAll('[aria-label]'))
    one.setAttribute('aria-label', say(one.getAttribute('aria-label')));
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data } = texts.currentNode;
    const text = data.trim().replace(/\s+/g, ' ');
    if (text && say(text) !== text)
      texts.currentNode.data = `${/^\s/.test(data) ? ' ' : ''}${say(text)}${
        /\s$/.test(data) ? ' ' : ''}`;
  }
}
