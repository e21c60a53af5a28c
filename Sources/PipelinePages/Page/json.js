// JSON as it was received: numbers keep all of their digits. Pure: it touches no document.

/** A name as a normalized path has it (RFC 9535 §2.7). */
function quoted(name) {
  const short = { "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", "'": "\\'", "\\": "\\\\" };
  return `'${name.replace(/[\u0000-\u001f'\\]/gu, (c) => short[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`)}'`;
}

/**
 * The values of a text that is JSON, in its order: each with its path, its depth, the name or
 * position that leads to it, and its own text if it holds no others. Of a container `count` is how
 * many values it holds, and `end` the number after its last one.
 */
export function rowsOf(text) {
  const rows = [];
  const open = [];
  const token = /\s*(?:("(?:[^"\\]|\\.)*")|([[{])|([\]}])|(,)|(:)|([^\s,:[\]{}"]+))/gu;
  let name = null;
  let isName = false;
  const place = () => {
    const owner = open.at(-1);
    if (!owner) return { path: "$", key: null };
    owner.row.count += 1;
    if (owner.isList) {
      const position = owner.row.count - 1;
      return { path: `${owner.row.path}[${position}]`, key: String(position), isPosition: true };
    }
    const key = name;
    name = null;
    return { path: `${owner.row.path}[${quoted(key)}]`, key };
  };
  for (const match of text.matchAll(token)) {
    const [, string, begin, end, comma, colon, word] = match;
    if (begin) {
      const row = { ...place(), depth: open.length, kind: begin === "[" ? "list" : "object", count: 0 };
      rows.push(row);
      open.push({ row, isList: begin === "[" });
      isName = begin === "{";
    } else if (end) {
      open.pop().row.end = rows.length;
      isName = false;
    } else if (comma) {
      isName = open.at(-1)?.isList === false;
    } else if (colon) {
      isName = false;
    } else if (string && isName) {
      name = JSON.parse(string);
    } else {
      rows.push({
        ...place(), depth: open.length, kind: string ? "text" : /^[-\d]/u.test(word) ? "number" : "word",
        value: string ? JSON.parse(string) : word, end: rows.length + 1,
      });
    }
  }
  return rows;
}

/** The rows that are seen if some containers, by their paths, are closed. */
export function openRows(rows, closed) {
  const shown = [];
  for (let number = 0; number < rows.length;) {
    shown.push(number);
    const row = rows[number];
    number = closed.has(row.path) && row.count > 0 ? row.end : number + 1;
  }
  return shown;
}
