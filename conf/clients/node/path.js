// SPDX-License-Identifier: Apache-2.0
// The parts of a URL. Ids are checked, so that no id of a stranger leads to another path.

export function pathOf(texts, ...ids) {
  for (const id of ids) {
    if (typeof id !== 'string' || !/^[a-z]+_[0-9a-zA-Z]+$/.test(id)) {
      throw new TypeError('an id is missing or malformed; ids look like "vks_…"');
    }
  }
  return String.raw({ raw: texts }, ...ids);
}

export function queryOf(parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (Array.isArray(value)) value.forEach((item) => query.append(`${name}[]`, item));
    else if (value !== undefined && value !== null) query.append(name, value);
  }
  const text = query.toString();
  return text && `?${text}`;
}
