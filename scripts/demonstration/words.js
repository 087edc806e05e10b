// The language of the pages that have nothing else to do.

import { translate } from './texts.js';

translate();
