// What is said aloud of the camera's picture, to whoever cannot see it: each advice
// when it changes, but no faster than it can be heard, and again while nothing
// changes. Decisions only; say(key) is told what to say, now() the time in ms.

const OPENING_MS = 4000; // in which the page itself has said what is to be done
const PAUSE_MS = 1800;   // in which one sentence is heard
const REPEAT_MS = 7000;  // after which a person who did not follow hears it again

export function createSpeech(say, now = () => performance.now()) {
  let said = null, at = now() + OPENING_MS - PAUSE_MS;
  return {
    // KEY is what is to be told at present; what comes too early is told at a later
    // look, if it is still true then. Whoever heard `hold` holds still: that is not
    // repeated. True when it was said.
    hear(key) {
      const isRepeated = key === said;
      if (now() - at < (isRepeated ? REPEAT_MS : PAUSE_MS)
        || (isRepeated && key === 'hold')) return false;
      said = key;
      at = now();
      say(key);
      return true;
    },
  };
}
