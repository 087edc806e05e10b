// Loads /verify/embed.js of a service, once, and gives what it brings. The
// script itself comes from the service, so that it always fits it.

const loading = new Map(); // base address -> promise of IdvWidget

// The IdvWidget of the service at BASE_URL.
export function loadWidget(baseUrl) {
  const base = String(baseUrl).replace(/\/$/, '');
  if (!loading.has(base))
    loading.set(base, new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = `${base}/verify/embed.js`;
      script.async = true;
      script.onerror = () => {
        loading.delete(base);
        script.remove();
        reject(Object.assign(new Error('The widget could not be loaded.'),
          { code: 'not_loaded' }));
      };
      // What came may be another page of that address, which brings nothing.
      script.onload = () => (window.IdvWidget ? resolve(window.IdvWidget)
        : script.onerror());
      document.head.append(script);
    }));
  return loading.get(base);
}

// Opens the widget; the promise is that of its handle.
export async function open(options) {
  return (await loadWidget(options.baseUrl)).open(options);
}

// Opens the widget; the promise is that of the outcome.
export async function verify(options) {
  return (await loadWidget(options.baseUrl)).verify(options);
}
