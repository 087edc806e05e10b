// Which documents the service can read, by the country that issued them: those
// with a machine-readable zone (ICAO 9303), and North American licences, whose
// large barcode follows AAMVA. Others are not offered.

// What is photographed of each, and the shape of the frame.
export const KINDS = {
  licence: { sides: ['front', 'back'], shape: 'card', code: 'barcode' },
  id_card: { sides: ['front', 'back'], shape: 'card', code: 'lines' },
  passport: { sides: ['front'], shape: 'passport', code: 'lines' },
  permit: { sides: ['front', 'back'], shape: 'card', code: 'lines' },
};

// Licences and identity cards with a PDF417 on the back.
const WITH_BARCODE = ['US', 'CA'];
// Identity cards with a zone: Regulation (EU) 2025/1208, before 2019/1157, demands it of all that
// member states and the EEA issue; of others it is known of the present series.
const WITH_ID_CARD = ('AL AT BA BE BG CH CL CY CZ DE EE ES FI FR GE GR HR HU IE '
  + 'IS IT LI LT LU LV MC MD ME MK MT NL NO PE PL PT RO RS SE SI SK SM TR UA UY')
  .split(' ');
// Whose passports follow ICAO 9303: the alphabetic codes of ISO 3166-1.
const COUNTRIES = ('AD AE AF AG AL AM AO AR AT AU AZ BA BB BD BE BF BG BH BI BJ BN '
  + 'BO BR BS BT BW BY BZ CA CD CF CG CH CI CL CM CN CO CR CU CV CY CZ DE DJ DK DM '
  + 'DO DZ EC EE EG ER ES ET FI FJ FM FR GA GB GD GE GH GM GN GQ GR GT GW GY HK HN '
  + 'HR HT HU ID IE IL IN IQ IR IS IT JM JO JP KE KG KH KI KM KN KP KR KW KZ LA LB '
  + 'LC LI LK LR LS LT LU LV LY MA MC MD ME MG MH MK ML MM MN MO MR MT MU MV MW MX '
  + 'MY MZ NA NE NG NI NL NO NP NR NZ OM PA PE PG PH PK PL PS PT PW PY QA RO RS RU '
  + 'RW SA SB SC SD SE SG SI SK SL SM SN SO SR SS ST SV SY SZ TD TG TH TJ TL TM TN '
  + 'TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VN VU WS XK YE ZA ZM ZW').split(' ');

// The kinds of documents of COUNTRY that can be read, the likeliest first.
export function kindsOf(country) {
  if (WITH_BARCODE.includes(country)) return ['licence', 'passport', 'permit'];
  if (WITH_ID_CARD.includes(country)) return ['id_card', 'passport', 'permit'];
  return ['passport', 'permit'];
}

// All countries as [{code, name}] in the order of LANGUAGE.
export function countries(language) {
  const names = new Intl.DisplayNames([language], { type: 'region',
    fallback: 'code' });
  return COUNTRIES.map((code) => ({ code, name: names.of(code) }))
    .sort((a, b) => a.name.localeCompare(b.name, language));
}

// The country to begin with: of the person's JURISDICTION ("US-VA"), else of
// their browser's LANGUAGES ("de-AT").
export function countryOf(jurisdiction, languages) {
  const wishes = [String(jurisdiction || '').slice(0, 2),
    ...(languages || []).map((tag) => tag.split('-')[1] || '')];
  return wishes.map((code) => code.toUpperCase())
    .find((code) => COUNTRIES.includes(code)) || 'US';
}
