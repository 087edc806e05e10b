// Which modules of methods/ there are. Each is loaded when a session needs it
// and brings its own screens; README.md says what it exports.
//
// An entry without `wanted` runs the method of its name. One with it comes
// before all methods while wanted(view) holds.

// Steps that the person has chosen to go without, in this tab.
const skipped = new Set();

export function skipStep(name) {
  skipped.add(name);
}

// Where the person can act and has agreed to it.
const isUnderWay = (view) => ['pending', 'requires_input'].includes(view.status)
  && (view.consented || !view.consent_required);

const MODULES = {
  handoff: {
    wanted: (view) => view.device === 'desktop'
      && view.active_device === 'mobile',
    load: () => import('./methods/handoff.js'),
  },
  email_otp: {
    wanted: (view) => view.requires_email_otp && isUnderWay(view)
      && !skipped.has('email_otp'),
    load: () => import('./methods/email_otp.js'),
  },
  mdl: { load: () => import('./methods/mdl.js') },
  self_attestation: {
    load: () => import('./methods/self_attestation.js'),
  },
  document_capture: { load: () => import('./methods/document_capture.js') },
  nfc_passport: { load: () => import('./methods/nfc_passport.js') },
  selfie_liveness: {
    load: () => import('./methods/selfie.js'), exported: 'liveness',
  },
  selfie_match: {
    load: () => import('./methods/selfie.js'), exported: 'match',
  },
};

// The modules that come before the methods of VIEW, the first one first.
export function stepsBefore(view, modules = MODULES) {
  return Object.keys(modules).filter((name) => (
    modules[name].wanted && modules[name].wanted(view)));
}

// The methods that a person can choose from in VIEW, as far as this widget
// knows them: those that may be submitted now, else the current one.
export function methodsOf(view, modules = MODULES) {
  const listed = (view.methods || []).length ? view.methods
    : [view.current_method];
  return listed.filter((name) => name && modules[name]
    && !modules[name].wanted);
}

let styled = null; // the promise of their style sheet

// Resolves when the style sheet of methods is there; it is loaded once.
function styleReady() {
  styled = styled || new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = new URL('methods.css', import.meta.url);
    link.addEventListener('load', resolve);
    link.addEventListener('error', () => {
      styled = null;
      link.remove();
      reject(new Error('methods.css'));
    });
    document.head.append(link);
  });
  return styled;
}

// The module NAME, with its style; rejects when one of both cannot be loaded.
export async function loadModule(name, modules = MODULES, style = styleReady) {
  const { load, exported = 'default' } = modules[name];
  const [{ [exported]: module }] = await Promise.all([load(), style()]);
  return { name, isPossible: () => true, takes: () => 60, ...module };
}
