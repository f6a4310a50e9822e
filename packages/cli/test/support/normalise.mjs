/**
 * Output of two runs made comparable: ids, times and keys that differ from run to run become others of the same width.
 */

/** Ids of the steps themselves stay. */
const fixed = /^([a-f0-9])\1{7}[-_]0000[-_]4000/

/** @param {string} text */
export const normalised = (text) => {
  const known = new Map()
  return text
    .replace(/[0-9a-f]{8}([-_])[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}/g, (id, separator) => {
      if (fixed.test(id)) return id
      const key = id.replaceAll("_", "-")
      if (!known.has(key)) known.set(key, String(known.size + 1).padStart(12, "0"))
      return ["00000000", "0000", "4000", "8000", known.get(key)].join(separator)
    })
    .replace(/\d{4}-\d\d-\d\d([T ])\d\d:\d\d:\d\d/g, "2026-03-31$112:00:00")
    .replace(/(12:00:00)\.\d{6}/g, "$1.000000")
    .replace(/[A-Za-z0-9_-]{38}==/g, `${"K".repeat(38)}==`)
}
