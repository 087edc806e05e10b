// The places whose law the service knows (conf/compliance): countries, each with the
// regions that have rules of their own. A workflow can name others.

const KNOWN = 'AE:AZ,DU,RK,SH AR AT AU:ACT,NSW,NT,QLD,SA,TAS,VIC,WA BD BE BG BR '
  + 'CA:AB,BC,MB,NB,NL,NS,NT,NU,'
  + 'ON,PE,QC,SK,YT CH:TI CL CN CO CY CZ DE:BW,BY DK DO EC EE EG ES FI FR GB:ENG,NIR,SCT,WLS GE '
  + 'GR HK HR HU ID:AC IE IL IN:AN,AP,AR,AS,BR,CG,CH,DH,DL,GA,GJ,HP,HR,JH,JK,KA,KL,LA,LD,MH,ML,'
  + 'MN,MP,MZ,NL,OD,PB,PY,RJ,SK,TN,TR,TS,UK,UP,WB IS IT JP KE KR KZ LI LK LT LU LV MA MT MX MY '
  + 'NG NL NO NZ PE PH PK PL PT QA RO RS SA SE SG SI SK TH TR TW UA US:AK,AL,AR,AS,AZ,CA,CO,CT,'
  + 'DC,DE,FL,GA,GU,HI,IA,ID,IL,IN,KS,KY,LA,MA,MD,ME,MI,MN,MO,MP,MS,MT,NC,ND,NE,NH,NJ,NM,NV,NY,'
  + 'OH,OK,OR,PA,PR,RI,SC,SD,TN,TX,UT,VA,VI,VT,WA,WI,WV,WY UY VN ZA';

// Their codes: "DE", "DE-BW", …
export const PLACES = KNOWN.split(' ').flatMap((one) => {
  const [country, regions] = one.split(':');
  return [country, ...(regions ? regions.split(',') : []).map((region) =>
    `${country}-${region}`)];
});
